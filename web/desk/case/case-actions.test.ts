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

describe('the actions of an officer', () => {
  it('are to take an unassigned case; the others say why not', () => {
    const { primary, offered } = actionsOf(free, me);
    expect(primary).toBe('take');
    expect(usable(offered)).toEqual(['take']);
    expect(offered.find(({ action }) => action === 'approve')?.reason).toBe('Take the case first');
  });

  it('are the next steps of their own case', () => {
    expect(actionsOf({ ...free, holder: mine }, me).primary).toBe('startReview');
    const reviewed = actionsOf({ ...free, status: 'In Review', holder: mine }, me);
    expect(reviewed.primary).toBe('approve');
    expect(usable(reviewed.offered)).toEqual([
      'approve',
      'requestInformation',
      'counterOffer',
      'decline',
      'release',
      'handOver',
    ]);
    const asked = actionsOf({ ...free, status: 'Info Requested', holder: mine }, me);
    expect(asked.primary).toBeUndefined();
    expect(usable(asked.offered)).toEqual(['recallRequest', 'release', 'handOver']);
    const offered = actionsOf({ ...free, status: 'Counter-offered', holder: mine }, me);
    expect(usable(offered.offered)).toEqual(['recallOffer', 'release', 'handOver']);
  });

  it('are to offer less where only what was asked for is above the limit, and not where more stops it', () => {
    const reviewed = { ...free, status: 'In Review', holder: mine } as const;
    const above = actionsOf({ ...reviewed, approveRefusal: 'LIMIT_NOT_HELD' }, me);
    expect(usable(above.offered)).toContain('counterOffer');
    const late = actionsOf({ ...reviewed, approveRefusal: 'CLIENT_OVERDUE' }, me);
    expect(usable(late.offered)).not.toContain('counterOffer');
  });

  it("are none for another officer's case, but an administrator may hand it over", () => {
    const theirs = { ...free, holder: other };
    expect(actionsOf(theirs, me)).toEqual({
      primary: undefined,
      offered: [],
      standing: 'Grace Namukasa decides this case.',
    });
    expect(usable(actionsOf(theirs, { ...me, isAdministrator: true }).offered)).toEqual(['handOver']);
  });

  it('are never both approvals of two; the officer who gave the first may send it back', () => {
    const once = { ...free, status: 'In Review', needsTwo: true, firstApprovalBy: mine } as const;
    expect(actionsOf(once, me).primary).toBeUndefined();
    expect(usable(actionsOf(once, me).offered)).toEqual(['sendBack']);
    const held = actionsOf({ ...once, holder: mine }, me);
    expect(held.offered.find(({ action }) => action === 'approve')?.reason).toContain('Another officer');
    const second = actionsOf({ ...once, firstApprovalBy: other, holder: mine }, me);
    expect(second.primary).toBe('approve');
    expect(usable(second.offered)).toContain('sendBack');
  });

  it('are none for a business of their own', () => {
    const { offered, standing } = actionsOf({ ...free, barred: 'ownBusiness' }, me);
    expect(offered).toEqual([]);
    expect(standing).toContain('You belong to this business');
  });

  it('say what stops an approval, instead of a button that fails', () => {
    const stopped = actionsOf({ ...free, status: 'In Review', holder: mine, approveRefusal: 'LIMIT_NOT_HELD' }, me);
    expect(stopped.primary).toBeUndefined();
    expect(stopped.offered.find(({ action }) => action === 'approve')?.reason).toContain('funding limit');
    expect(usable(stopped.offered)).toContain('decline');
  });

  it('include a new approval where the first was voided, but not by the officer who gave the other', () => {
    const lost = { ...free, status: 'Approved', firstApprovalBy: other, needsTwo: true, approvalVoid: true } as const;
    expect(actionsOf(lost, me)).toMatchObject({
      primary: 'approve',
      offered: [{ action: 'approve' }, { action: 'cancelApproval' }],
    });
    expect(actionLabel('approve', lost)).toBe('Approve Again');
    const mineToo = actionsOf({ ...lost, approveRefusal: 'ONLY_APPROVER' }, me);
    expect([mineToo.primary, usable(mineToo.offered)]).toEqual([undefined, ['cancelApproval']]);
  });

  it('include the second approval where an approved case needs two by now', () => {
    const once = { ...free, status: 'Approved', needsTwo: true, secondMissing: true } as const;
    expect(actionsOf(once, me)).toMatchObject({
      primary: 'approve',
      offered: [{ action: 'approve' }, { action: 'cancelApproval' }],
    });
    expect(actionsOf(once, me).standing).toContain('takes two approvals now');
    expect(actionLabel('approve', once)).toBe('Approve (second of two)');
    const mineToo = actionsOf({ ...once, approveRefusal: 'ONLY_APPROVER' }, me);
    expect([mineToo.primary, usable(mineToo.offered)]).toEqual([undefined, ['cancelApproval']]);
  });

  it('end with the decision, except cancelling an approval', () => {
    expect(usable(actionsOf({ ...free, status: 'Approved' }, me).offered)).toEqual(['cancelApproval']);
    expect(actionLabel('cancelApproval', { ...free, status: 'Approved' })).toBe('Cancel Approval');
    for (const status of ['Declined', 'Withdrawn', 'Cancelled', 'Lapsed', 'Disbursed'] as const)
      expect(actionsOf({ ...free, status }, me).offered).toEqual([]);
  });
});

it('the label of an approval says which of two it is', () => {
  expect(actionLabel('approve', free)).toBe('Approve');
  expect(actionLabel('approve', { ...free, needsTwo: true })).toBe('Approve (first of two)');
  expect(actionLabel('approve', { ...free, needsTwo: true, firstApprovalBy: other })).toBe('Approve (second of two)');
});
