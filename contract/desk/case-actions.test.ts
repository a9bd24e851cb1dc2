import { describe, expect, it } from 'vitest';
import { actionsOn, stepsOpenTo } from './case-actions.ts';
import { approvedByOther, inReview, LATER, ME, OTHER, THIRD } from './case-facts.harness.ts';
import type { CaseFacts } from './case-facts.ts';

const actionsFor = (facts: CaseFacts, more: Partial<Parameters<typeof actionsOn>[0]> = {}) =>
  actionsOn({ ...facts, underWay: undefined, isAdministrator: false, ...more });
/** The actions, with the text of each refusal. */
const shown = (...given: Parameters<typeof actionsFor>) =>
  Object.fromEntries(actionsFor(...given).map(({ action, refusals: [first] }) => [action, first?.text]));
const usable = (...given: Parameters<typeof actionsFor>) =>
  actionsFor(...given).flatMap(({ action, refusals }) => (refusals.length === 0 ? [action] : []));

const free: CaseFacts = { ...inReview, status: 'Submitted', assigneeId: null };
const byMe = { firstApprovedBy: ME, decidedBy: null };
const byOther = { firstApprovedBy: OTHER, decidedBy: null };

describe('the actions of an officer', () => {
  const decisions = ['approve', 'requestInformation', 'counterOffer', 'decline'];

  it('are to decide an unassigned case at once, or only to take it', () => {
    expect(usable(free)).toEqual([...decisions, 'take']);
    expect(usable({ ...free, status: 'In Review' })).toEqual([...decisions, 'take']);
    expect(usable({ ...free, status: 'Info Requested' })).toEqual(['recallRequest', 'take']);
    expect(usable({ ...free, status: 'Counter-offered' })).toEqual(['recallOffer', 'take']);
    expect(usable(free, { isAdministrator: true })).toEqual([...decisions, 'take', 'handOver']);
  });

  it('are the next steps of their own case', () => {
    expect(usable({ ...free, assigneeId: ME })).toEqual([...decisions, 'startReview', 'release', 'handOver']);
    expect(usable(inReview)).toEqual([...decisions, 'release', 'handOver']);
    expect(usable({ ...inReview, status: 'Info Requested' })).toEqual(['recallRequest', 'release', 'handOver']);
    expect(usable({ ...inReview, status: 'Counter-offered' })).toEqual(['recallOffer', 'release', 'handOver']);
  });

  it('say what stops an approval', () => {
    expect(shown({ ...inReview, limit: 0 }).approve).toContain('funding limit');
    expect(usable({ ...inReview, limit: 0 })).toContain('decline');
    expect(shown({ ...inReview, newUntil: LATER }).approve).toBe(
      'You are a new officer. Ask another officer to do this',
    );
  });

  it('include offering less if only the amount exceeds the limit, but not if anything else stops it', () => {
    expect(usable({ ...inReview, limit: 0 })).toContain('counterOffer');
    expect(usable({ ...inReview, limit: 0, isClientLate: true })).not.toContain('counterOffer');
    expect(usable({ ...inReview, newUntil: LATER })).not.toContain('counterOffer');
  });

  it('are none for another officer’s case, but an administrator may hand it over', () => {
    const theirs = { ...inReview, assigneeId: OTHER };
    expect(actionsFor(theirs)).toEqual([]);
    expect(usable(theirs, { isAdministrator: true })).toEqual(['handOver']);
  });

  it('are never both approvals of two; who gave the first may send it back', () => {
    const once: CaseFacts = { ...inReview, assigneeId: null, approvers: byMe };
    expect(shown(once)).toEqual({ sendBack: undefined });
    expect(usable({ ...once, assigneeId: THIRD })).toEqual(['sendBack']);
    expect(shown({ ...once, assigneeId: ME }).approve).toContain('Another officer');
    expect(usable({ ...inReview, approvers: byOther })).toEqual(expect.arrayContaining(['approve', 'sendBack']));
    expect(usable({ ...once, status: 'Info Requested' })).toEqual([]);
  });

  it('don’t include sending back a void first approval, which the next approval cancels', () => {
    const counts = { first: false, decision: true };
    expect(Object.keys(shown({ ...inReview, approvers: byOther, counts }))).not.toContain('sendBack');
  });

  it('are none for a business of their own', () => {
    expect(actionsFor({ ...inReview, bars: 'OWN_BUSINESS' })).toEqual([]);
  });

  it('include the approval that an approved case lacks, but not for the giver of the other one', () => {
    const counts = { first: true, decision: false };
    expect(usable({ ...approvedByOther, counts })).toEqual(['approve', 'cancelApproval']);
    const mineToo = { ...approvedByOther, counts, approvers: { firstApprovedBy: ME, decidedBy: OTHER } };
    expect(shown(mineToo).approve).toContain('Only you approved');
    expect(usable(mineToo)).toEqual(['cancelApproval']);
  });

  it('end with the decision, except cancelling an approval', () => {
    expect(shown(approvedByOther)).toEqual({ cancelApproval: undefined });
    expect(shown(approvedByOther, { underWay: 'PAYOUT_PREPARED' }).cancelApproval).toContain('cancel it first');
    for (const status of ['Declined', 'Withdrawn', 'Cancelled', 'Lapsed', 'Disbursed', 'Settled'] as const)
      expect(actionsFor({ ...inReview, status })).toEqual([]);
  });
});

describe('the steps that an officer may take', () => {
  const steps = (facts: CaseFacts, underWay?: 'PAYOUT_PREPARED' | 'PAYOUT_ON_ITS_WAY') =>
    stepsOpenTo({ ...facts, underWay });

  it('are those of a case’s actions', () => {
    expect(steps(inReview)).toEqual(['requestInformation', 'counterOffer', 'approve', 'decline']);
    expect(steps({ ...inReview, exposure: 901, limit: 901 })).toContain('approveFirst');
    expect(steps({ ...inReview, assigneeId: OTHER, approvers: byMe })).toEqual(['sendBack']);
    expect(steps({ ...inReview, bars: 'OWN_BUSINESS' })).toEqual([]);
  });

  it('include paying out, and cancelling an approval until the money is on its way', () => {
    expect(steps(approvedByOther)).toEqual(['cancelApproval', 'disburse']);
    expect(steps(approvedByOther, 'PAYOUT_PREPARED')).toContain('cancelApproval');
    expect(steps(approvedByOther, 'PAYOUT_ON_ITS_WAY')).not.toContain('cancelApproval');
    expect(steps({ ...approvedByOther, newUntil: LATER })).toEqual([]);
    expect(steps({ ...approvedByOther, approvers: { firstApprovedBy: null, decidedBy: ME } })).toEqual([
      'cancelApproval',
    ]);
  });
});
