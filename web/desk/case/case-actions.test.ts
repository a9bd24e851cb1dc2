import { describe, expect, it } from 'vitest';
import { actionLabel, actionsOf } from './case-actions.ts';

const me = { tag: 'me', isAdministrator: false };
const mine = { tag: 'me', name: 'Peter Okello' };
const other = { tag: 'other', name: 'Grace Namukasa' };
const free = {
  status: 'Submitted',
  holder: null,
  firstApprovalBy: null,
  needsTwo: false,
  approvalVoid: false,
  secondMissing: false,
  approveRefusal: null,
  barred: null,
} as const;

function usable(offered: ReturnType<typeof actionsOf>['offered']): string[] {
  return offered.filter(({ reason }) => reason === undefined).map(({ action }) => action);
}

describe('what an officer may do', () => {
  it('with a case that nobody has is to take it, and it is said of the rest', () => {
    const { primary, offered } = actionsOf(free, me);
    expect(primary).toBe('take');
    expect(usable(offered)).toEqual(['take']);
    expect(offered.find(({ action }) => action === 'approve')?.reason).toBe('Take the case first');
  });

  it('with their own is the next step of it', () => {
    expect(actionsOf({ ...free, holder: mine }, me).primary).toBe('startReview');
    const reviewed = actionsOf({ ...free, status: 'In Review', holder: mine }, me);
    expect(reviewed.primary).toBe('approve');
    expect(usable(reviewed.offered)).toEqual(['approve', 'requestInformation', 'decline', 'release', 'handOver']);
    const asked = actionsOf({ ...free, status: 'Info Requested', holder: mine }, me);
    expect(asked.primary).toBeUndefined();
    expect(usable(asked.offered)).toEqual(['recallRequest', 'release', 'handOver']);
  });

  it("with another officer's is nothing, but an administrator may hand it over", () => {
    const theirs = { ...free, holder: other };
    expect(actionsOf(theirs, me)).toEqual({
      primary: undefined,
      offered: [],
      standing: 'Grace Namukasa decides this case.',
    });
    expect(usable(actionsOf(theirs, { ...me, isAdministrator: true }).offered)).toEqual(['handOver']);
  });

  it('is never both approvals of two; whoever gave the first may send it back', () => {
    const once = { ...free, status: 'In Review', needsTwo: true, firstApprovalBy: mine } as const;
    expect(actionsOf(once, me).primary).toBeUndefined();
    expect(usable(actionsOf(once, me).offered)).toEqual(['sendBack']);
    const held = actionsOf({ ...once, holder: mine }, me);
    expect(held.offered.find(({ action }) => action === 'approve')?.reason).toContain('Another officer');
    const second = actionsOf({ ...once, firstApprovalBy: other, holder: mine }, me);
    expect(second.primary).toBe('approve');
    expect(usable(second.offered)).toContain('sendBack');
  });

  it('with a business of their own is nothing at all', () => {
    const { offered, standing } = actionsOf({ ...free, barred: 'ownBusiness' }, me);
    expect(offered).toEqual([]);
    expect(standing).toContain('You belong to this business');
  });

  it('says what stops an approval, instead of a button that fails', () => {
    const stopped = actionsOf({ ...free, status: 'In Review', holder: mine, approveRefusal: 'LIMIT_NOT_HELD' }, me);
    expect(stopped.primary).toBeUndefined();
    expect(stopped.offered.find(({ action }) => action === 'approve')?.reason).toContain('funding limit');
    expect(usable(stopped.offered)).toContain('decline');
  });

  it('is to approve again what lost its first approval, but for who gave the other one', () => {
    const lost = { ...free, status: 'Approved', firstApprovalBy: other, needsTwo: true, approvalVoid: true } as const;
    expect(actionsOf(lost, me)).toMatchObject({ primary: 'approve', offered: [{ action: 'approve' }] });
    expect(actionLabel('approve', lost)).toBe('Approve Again');
    const mineToo = actionsOf({ ...lost, approveRefusal: 'ONLY_APPROVER' }, me);
    expect([mineToo.primary, usable(mineToo.offered)]).toEqual([undefined, []]);
  });

  it('is to approve as the second what was approved once and takes two by now', () => {
    const once = { ...free, status: 'Approved', needsTwo: true, secondMissing: true } as const;
    expect(actionsOf(once, me)).toMatchObject({ primary: 'approve', offered: [{ action: 'approve' }] });
    expect(actionsOf(once, me).standing).toContain('takes two approvals now');
    expect(actionLabel('approve', once)).toBe('Approve (second of two)');
    const mineToo = actionsOf({ ...once, approveRefusal: 'ONLY_APPROVER' }, me);
    expect([mineToo.primary, usable(mineToo.offered)]).toEqual([undefined, []]);
  });

  it('ends with the decision', () => {
    expect(actionsOf({ ...free, status: 'Approved', holder: mine }, me).offered).toEqual([]);
  });
});

it('says which of two approvals it is', () => {
  expect(actionLabel('approve', free)).toBe('Approve');
  expect(actionLabel('approve', { ...free, needsTwo: true })).toBe('Approve (first of two)');
  expect(actionLabel('approve', { ...free, needsTwo: true, firstApprovalBy: other })).toBe('Approve (second of two)');
});
