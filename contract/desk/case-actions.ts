import { type StepName, steps, stepsFrom } from '#contract/applications/lifecycle.ts';
import { refusalsByApproval } from '#contract/payouts/officers.ts';
import {
  type CancellingFacts,
  nextApproval,
  refusalsToApprove,
  refusalsToCancelApproval,
  refusalsToOffer,
  refusalsToSendBack,
} from './approval.ts';
import { type CaseFacts, isApprovalVoid } from './case-facts.ts';

/** The steps that an officer may take, for the screen: by the rules that decide under the lock. */

type OpenFacts = CaseFacts & CancellingFacts;

/** The steps of the table that the officer may take now. What a payment needs beyond its approval is up to the journal. */
export function stepsOpenTo(facts: OpenFacts): StepName[] {
  if (facts.bars !== undefined) return [];
  return stepsFrom(facts.status).filter((name) => {
    const { by } = steps[name];
    if (by === 'assignee' && facts.assigneeId !== facts.me) return false;
    return (by === 'assignee' || by === 'officer') && isOpen(name, facts);
  });
}

function isOpen(name: StepName, facts: OpenFacts): boolean {
  switch (name) {
    case 'approveFirst':
    case 'approve':
    case 'approveAgain':
      return nextApproval(facts) === name && refusalsToApprove(facts).length === 0;
    case 'counterOffer':
      return refusalsToOffer(facts).length === 0;
    case 'sendBack':
      return refusalsToSendBack(withoutVoid(facts)).length === 0;
    case 'cancelApproval':
      // An officer may cancel a payout that is only prepared, and then the approval.
      return refusalsToCancelApproval(facts).every(({ code }) => code === 'PAYOUT_PREPARED');
    case 'disburse':
      return refusalsByApproval(facts).length === 0;
    // It is part of another officer's approval.
    case 'voidApproval':
      return false;
    default:
      return true;
  }
}

/** A void first approval is not shown: the next approval cancels it. */
function withoutVoid(facts: CaseFacts): CaseFacts {
  if (!isApprovalVoid(facts)) return facts;
  return { ...facts, approvers: { ...facts.approvers, firstApprovedBy: null } };
}
