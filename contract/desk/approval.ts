import { type Assignment, allows, isAssignee, isFreeOrMine } from '#contract/applications/step-rules.ts';
import { flagsAreAcknowledged, type OpenFlag } from '#contract/flags/open-flags.ts';
import { type Outcome, type Refusal, type Rule, refusalsBy } from '#contract/refusals/refusal.ts';
import {
  type CaseFacts,
  type CaseRule,
  isApprovalVoid,
  isExperienced,
  isSound,
  lackingToRelease,
  mayAct,
  needsTwo,
} from './case-facts.ts';
import { type Approval, gaveOther } from './rules.ts';

/** Approving, sending back and cancelling: the reasons for a refusal, on the screen and under the lock. */

/** The facts of a decision under the lock. The screen shows open flags separately. */
type LockedFacts = CaseFacts & { readonly openFlags: readonly OpenFlag[] };

type ApprovalStep = 'approveFirst' | 'approve';
/** The approval that the officer confirmed, if their request says which. */
type MeantFacts = LockedFacts & { readonly meant?: ApprovalStep | undefined };

const gaveNotTheFirst: CaseRule = ({ approvers, me }) =>
  approvers.firstApprovedBy === me ? { code: 'SECOND_OFFICER' } : undefined;

const lacksAnApproval: CaseRule = (facts) =>
  lackingToRelease(facts) === undefined ? { code: 'STEP_NOT_ALLOWED' } : undefined;

const gaveNotTheOther: CaseRule = (facts) =>
  gaveOther(facts.approvers, lackingToRelease(facts) ?? 'first', facts.me) ? { code: 'ONLY_APPROVER' } : undefined;

/** Of two officers who give the first approval at once, the later one must not give the second by it. */
const isAsMeant: Rule<MeantFacts> = (facts) =>
  facts.meant === undefined || facts.meant === nextApproval(facts) ? undefined : { code: 'STEP_NOT_ALLOWED' };

const toApprove: readonly CaseRule[] = [
  isFreeOrMine,
  allows('approve'),
  gaveNotTheFirst,
  isExperienced,
  mayAct,
  isSound,
];

const toApproveAgain: readonly CaseRule[] = [isExperienced, mayAct, lacksAnApproval, isSound, gaveNotTheOther];

/** An approval before the decision, and whether it first cancels a void approval. */
interface ApprovalDecision {
  readonly step: ApprovalStep;
  readonly voidsFirst: boolean;
}

/**
 * The officer's approval, or why it is refused. Two approvals are needed if the client's exposure is high, or if the
 * officer gave the applicant access.
 */
export function decideApproval(facts: MeantFacts): Outcome<ApprovalDecision> {
  const refusals = refusalsBy([...toApprove, isAsMeant, flagsAreAcknowledged], facts);
  if (refusals.length > 0) return { refusals };
  return { refusals: [], decision: { step: nextApproval(facts), voidsFirst: isApprovalVoid(facts) } };
}

/** The missing approval of an approved case, given by this officer, or why it is refused. */
export function decideApprovalAgain(facts: LockedFacts): Outcome<Approval> {
  const refusals = refusalsBy([...toApproveAgain, flagsAreAcknowledged], facts);
  const lacking = lackingToRelease(facts);
  return lacking === undefined || refusals.length > 0 ? { refusals } : { refusals: [], decision: lacking };
}

/**
 * Why the officer may not approve, or approve an approved case again. For the screen, which shows open flags
 * separately.
 */
export function refusalsToApprove(facts: CaseFacts): Refusal[] {
  return refusalsBy(facts.status === 'Approved' ? toApproveAgain : toApprove, facts);
}

/** The approval step that comes next before the decision, whether or not something refuses it. */
export function nextApproval(facts: CaseFacts): ApprovalStep {
  const isFirst = isApprovalVoid(facts) || facts.approvers.firstApprovedBy === null;
  return isFirst && (needsTwo(facts) || facts.hasPlacedApplicant) ? 'approveFirst' : 'approve';
}

type SendingBack = Assignment & Pick<CaseFacts, 'approvers'>;

const hasFirstApproval: Rule<SendingBack> = ({ approvers }) =>
  approvers.firstApprovedBy === null ? { code: 'STEP_NOT_ALLOWED' } : undefined;

const isGiverOrAssignee: Rule<SendingBack> = (facts) =>
  facts.approvers.firstApprovedBy === facts.me ? undefined : isAssignee(facts);

/** Why the officer may not cancel the first approval. The officer who gave it may, and so may the assignee. */
export function refusalsToSendBack(facts: SendingBack): Refusal[] {
  return refusalsBy([hasFirstApproval, allows('sendBack'), isGiverOrAssignee], facts);
}

/** An approved case, and its payouts under way. */
export type CancellingFacts = Pick<CaseFacts, 'status' | 'now' | 'newUntil'> & {
  readonly underWay: 'PAYOUT_PREPARED' | 'PAYOUT_ON_ITS_WAY' | undefined;
};

const nothingIsUnderWay: Rule<CancellingFacts> = ({ underWay }) => underWay && { code: underWay };

/** Why the officer may not cancel the approval. */
export function refusalsToCancelApproval(facts: CancellingFacts): Refusal[] {
  return refusalsBy([allows('cancelApproval'), isExperienced, nothingIsUnderWay], facts);
}
