import type { Status } from '#contract/applications/lifecycle.ts';
import type { Refusal, Rule } from '#contract/refusals/refusal.ts';
import { sayMoment } from '#contract/time/calendar.ts';
import { type Approval, type Approvers, lackingApproval } from './rules.ts';
import type { CaseRefusal } from './schema.ts';

/**
 * The facts about a case and the officer who wants to act on it, and the rules that approvals and payouts share
 * (docs/decisions/0013, 'Two officers'). Amounts in minor units.
 */

export interface CaseFacts {
  readonly now: Date;
  /** The id of the officer. */
  readonly me: number;
  readonly status: Status;
  readonly assigneeId: number | null;
  readonly approvers: Approvers;
  /** Whether each approver is still an officer who may act on this case; true for an approval that was not given. */
  readonly counts: Readonly<Record<Approval, boolean>>;
  /** Why the officer may not act on this case at all. */
  readonly bars: 'FORBIDDEN' | 'OWN_BUSINESS' | undefined;
  /** When the officer stops being new; undefined if they are not new. */
  readonly newUntil: Date | undefined;
  /** Whether the officer recently activated or moved the person who submitted the application. */
  readonly hasPlacedApplicant: boolean;
  readonly isClientActive: boolean;
  readonly isBuyerActive: boolean;
  /** Whether one of the client's repayments is later than the setting allows. */
  readonly isClientLate: boolean;
  /** The client's exposure in the currency, with this application. */
  readonly exposure: number;
  readonly limit: number;
  /** A higher exposure needs two officers. */
  readonly aloneUpTo: number;
  /** Only set for an approved case. */
  readonly approved: ApprovedFacts | undefined;
}

/** Events since the approval. */
interface ApprovedFacts {
  readonly hasLapsed: boolean;
  /** Whether this officer changed something that another officer had relied on for their approval. */
  readonly hasChanged: boolean;
  /** The part of the exposure from this application and those decided before it. */
  readonly exposure: number;
  /** Whether the only approver recently activated or moved the applicant. */
  readonly isPlacedByApprover: boolean;
}

/** Whether the officer's approval would be one of two or, for an approved case, whether a payout by them needs two. */
export function needsTwo(facts: CaseFacts): boolean {
  const { approved, exposure, aloneUpTo } = facts;
  return approved === undefined ? exposure > aloneUpTo : approved.hasChanged || takesTwoToPrepare(facts);
}

/**
 * Whether an approved case needs two officers after all: a receipt that lowered the exposure was reversed, or the only
 * approver gave the applicant access.
 */
function takesTwoToPrepare({ approved, aloneUpTo }: CaseFacts): boolean {
  return approved !== undefined && (approved.isPlacedByApprover || approved.exposure > aloneUpTo);
}

/** Whether an approval is void because its giver is no longer an officer who may act on the case. */
export function isApprovalVoid({ counts, approved }: CaseFacts): boolean {
  return !counts.first || (approved !== undefined && !counts.decision);
}

/** Which approval an approved case lacks before the officer releases its payout. */
export function lackingToRelease(facts: CaseFacts): Approval | undefined {
  return lackingIf(facts, needsTwo(facts));
}

/**
 * The approval that the case lacks before the officer prepares the payout. An officer's own changes only bar them from
 * releasing it.
 */
export function lackingToPrepare(facts: CaseFacts): Approval | undefined {
  return lackingIf(facts, takesTwoToPrepare(facts));
}

function lackingIf({ approved, approvers, counts }: CaseFacts, two: boolean): Approval | undefined {
  return approved && lackingApproval(approvers, { counts, needsTwo: two });
}

export type CaseRule = Rule<CaseFacts>;

/** New officers may neither approve nor pay out. */
export const isExperienced: Rule<Pick<CaseFacts, 'now' | 'newUntil'>, Refusal & { readonly code: 'NEW_OFFICER' }> = ({
  now,
  newUntil,
}) => newUntil && { code: 'NEW_OFFICER', more: `You can do this from ${sayMoment(newUntil, now)}` };

/** The officer acts for neither business. The screen knows this already; the check under the lock decides. */
export const mayAct: CaseRule = ({ bars }) => bars && { code: bars };

/** The checks that approval and payout share. */
export const isSound: Rule<CaseFacts, Refusal & { readonly code: CaseRefusal }> = (facts) => {
  if (facts.approved?.hasLapsed === true) return { code: 'APPROVAL_LAPSED' };
  if (!facts.isClientActive) return { code: 'CLIENT_INACTIVE' };
  if (!facts.isBuyerActive) return { code: 'BUYER_INACTIVE' };
  if (facts.exposure > facts.limit) return { code: 'LIMIT_NOT_HELD' };
  return facts.isClientLate ? { code: 'CLIENT_OVERDUE' } : undefined;
};
