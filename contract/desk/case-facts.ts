import type { Status } from '#contract/applications/lifecycle.ts';
import type { Refusal, Rule } from '#contract/refusals/refusal.ts';
import { sayMoment } from '#contract/time/calendar.ts';
import { type Approval, type Approvers, lackingApproval } from './rules.ts';
import type { CaseRefusal } from './schema.ts';

/**
 * What is known of a case and of the officer who would act on it, and what follows from it for approval and payout alike
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
  /** When the officer stops being a new one; undefined if they are none. */
  readonly newUntil: Date | undefined;
  /** Whether the officer recently activated or moved the person who submitted the application. */
  readonly hasPlacedApplicant: boolean;
  readonly isClientActive: boolean;
  readonly isBuyerActive: boolean;
  /** Whether the client is later with a repayment than the setting allows. */
  readonly isClientLate: boolean;
  /** The client's exposure in the currency, with this application. */
  readonly exposure: number;
  readonly limit: number;
  /** An exposure above it takes two officers. */
  readonly aloneUpTo: number;
  /** Known only once the case is approved. */
  readonly approved: ApprovedFacts | undefined;
}

/** What may have happened since the approval. */
interface ApprovedFacts {
  readonly hasLapsed: boolean;
  /** Whether the officer changed something after another officer's approval that relied on it. */
  readonly hasChanged: boolean;
  /** The part of the exposure that comes from this application and those decided before it. */
  readonly exposure: number;
  /** Whether the only approver recently activated or moved the applicant. */
  readonly isPlacedByApprover: boolean;
}

/** Whether an approval by the officer is one of two; of an approved case, whether their payout takes two. */
export function needsTwo(facts: CaseFacts): boolean {
  const { approved, exposure, aloneUpTo } = facts;
  return approved === undefined ? exposure > aloneUpTo : approved.hasChanged || takesTwoToPrepare(facts);
}

/**
 * Whether an approved case needs two officers after all: a receipt that lowered the exposure was reversed, or the only
 * approver let in the applicant.
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

/** Which approval it lacks before the officer prepares the payout: their own changes only bar a releaser. */
export function lackingToPrepare(facts: CaseFacts): Approval | undefined {
  return lackingIf(facts, takesTwoToPrepare(facts));
}

function lackingIf({ approved, approvers, counts }: CaseFacts, two: boolean): Approval | undefined {
  return approved && lackingApproval(approvers, { counts, needsTwo: two });
}

export type CaseRule = Rule<CaseFacts>;

/** No new officer approves or pays. */
export const isExperienced: Rule<Pick<CaseFacts, 'now' | 'newUntil'>, Refusal & { readonly code: 'NEW_OFFICER' }> = ({
  now,
  newUntil,
}) => newUntil && { code: 'NEW_OFFICER', more: `You can do this from ${sayMoment(newUntil, now)}` };

/** An officer who acts for neither business. Already known of the caller; decisive under the lock. */
export const mayAct: CaseRule = ({ bars }) => bars && { code: bars };

/** Nothing stops approval and payout alike. */
export const isSound: Rule<CaseFacts, Refusal & { readonly code: CaseRefusal }> = (facts) => {
  if (facts.approved?.hasLapsed === true) return { code: 'APPROVAL_LAPSED' };
  if (!facts.isClientActive) return { code: 'CLIENT_INACTIVE' };
  if (!facts.isBuyerActive) return { code: 'BUYER_INACTIVE' };
  if (facts.exposure > facts.limit) return { code: 'LIMIT_NOT_HELD' };
  return facts.isClientLate ? { code: 'CLIENT_OVERDUE' } : undefined;
};
