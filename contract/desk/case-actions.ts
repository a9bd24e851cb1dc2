import { type StepName, statusTraits, steps, stepsFrom } from '#contract/applications/lifecycle.ts';
import { isFreeOrMine, refusalsToTake } from '#contract/applications/step-rules.ts';
import { failures } from '#contract/errors.ts';
import { refusalsToOffer } from '#contract/offers/counter-offer.ts';
import { refusalsByApproval } from '#contract/payouts/officers.ts';
import type { Refusal } from '#contract/refusals/refusal.ts';
import {
  type CancellingFacts,
  nextApproval,
  refusalsToApprove,
  refusalsToCancelApproval,
  refusalsToSendBack,
} from './approval.ts';
import { type CaseFacts, isApprovalVoid, lackingToRelease } from './case-facts.ts';
import type { CaseAction, OfferedAction } from './schema.ts';

/** The actions that an officer can take on a case, for the screen. The same rules decide under the lock. */

type OpenFacts = CaseFacts & CancellingFacts;
type Administering = OpenFacts & {
  /** An administrator may hand over any case. */
  readonly isAdministrator: boolean;
};

/** The actions that a case's status and assignment offer the officer, each with its refusals. */
export function actionsOn(facts: Administering): OfferedAction[] {
  const shown = { ...facts, ...withoutVoid(facts) };
  return offeredOn(shown).map((action) => ({
    action,
    refusals: refusalsOf(action, shown).map(({ code }) => ({ code, text: failures[code].msg })),
  }));
}

function offeredOn(facts: Administering): readonly CaseAction[] {
  const { status, assigneeId, me, approvers, isAdministrator } = facts;
  if (facts.bars !== undefined) return [];
  if (status === 'Approved')
    return lackingToRelease(facts) === undefined ? ['cancelApproval'] : ['approve', 'cancelApproval'];
  if (!statusTraits[status].undecided) return [];
  if (assigneeId === me) return [...decisionsOn(facts), 'release', 'handOver'];
  const handOver = isAdministrator ? (['handOver'] as const) : [];
  if (approvers.firstApprovedBy === me)
    return [...(status === 'In Review' ? (['sendBack'] as const) : []), ...handOver];
  if (assigneeId !== null) return handOver;
  return [...decisionsOn(facts), 'take', ...handOver];
}

/** The actions on a case that is the officer's, or that becomes theirs with the action. */
function decisionsOn({ status, assigneeId, approvers }: CaseFacts): readonly CaseAction[] {
  if (status === 'Info Requested') return ['recallRequest'];
  if (status === 'Counter-offered') return ['recallOffer'];
  const isMine = assigneeId !== null;
  return [
    'approve',
    'requestInformation',
    'counterOffer',
    'decline',
    ...(isMine && approvers.firstApprovedBy !== null ? (['sendBack'] as const) : []),
    ...(isMine && status === 'Submitted' ? (['startReview'] as const) : []),
  ];
}

function refusalsOf(action: CaseAction, facts: OpenFacts): Refusal[] {
  switch (action) {
    case 'approve':
      return refusalsToApprove(facts);
    case 'counterOffer':
      return refusalsToOffer(facts);
    case 'requestInformation':
    case 'decline':
      return refusalsToTake(action, facts);
    case 'sendBack':
      return refusalsToSendBack(facts);
    case 'cancelApproval':
      return refusalsToCancelApproval(facts);
    // Where these are offered, there are no further conditions.
    case 'take':
    case 'startReview':
    case 'recallRequest':
    case 'recallOffer':
    case 'release':
    case 'handOver':
      return [];
  }
}

/**
 * The steps of the table that the officer may take now. The journal checks a payment's other conditions, beyond its
 * approval.
 */
export function stepsOpenTo(facts: OpenFacts): StepName[] {
  if (facts.bars !== undefined) return [];
  return stepsFrom(facts.status).filter((name) => {
    const { by } = steps[name];
    if (by === 'assignee' && isFreeOrMine(facts) !== undefined) return false;
    return (by === 'assignee' || by === 'officer') && isOpen(name, facts);
  });
}

function isOpen(name: StepName, facts: OpenFacts): boolean {
  switch (name) {
    case 'approveFirst':
    case 'approve':
      return nextApproval(facts) === name && refusalsToApprove(facts).length === 0;
    case 'approveAgain':
      return refusalsToApprove(facts).length === 0;
    case 'counterOffer':
      return refusalsToOffer(facts).length === 0;
    case 'sendBack':
      return refusalsToSendBack(withoutVoid(facts)).length === 0;
    case 'cancelApproval':
      // An officer may cancel a payout that is only prepared, and then the approval.
      return refusalsToCancelApproval(facts).every(({ code }) => code === 'PAYOUT_PREPARED');
    case 'disburse':
      return refusalsByApproval(facts).length === 0;
    // This step only happens as part of another officer's approval.
    case 'voidApproval':
      return false;
    default:
      return true;
  }
}

/** A void first approval of an undecided case is not shown: the next approval cancels it. */
function withoutVoid(facts: CaseFacts): CaseFacts {
  if (facts.approved !== undefined || !isApprovalVoid(facts)) return facts;
  return { ...facts, approvers: { ...facts.approvers, firstApprovedBy: null } };
}
