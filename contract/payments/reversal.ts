import type { FailureCode } from '#contract/errors.ts';
import type { PostedKind } from '#contract/journal/position.ts';
import { type Balance, isPayment, isReversible, refusalOfReversal, type StandingEntry } from './balance.ts';

/** Who may reverse an entry, and when (docs/decisions/0033-officers-who-cheat.md). */

/** The facts that decide whether an entry may be reversed. */
export interface ReversalFacts {
  readonly kind: PostedKind;
  /** Whether it is a later part of a payout, on which nothing depends. */
  readonly isLaterPart: boolean;
  /** Whether the provider or a statement shows that the money left. */
  readonly isShownPaid: boolean;
  readonly isPayoutOnItsWay: boolean;
  /** Whether we are asking a phone to pay back. */
  readonly isRequestOpen: boolean;
  /** The balance and the entries in force after the reversal. */
  readonly after: Pick<Balance, 'surplusOwed'>;
  readonly standing: readonly Pick<StandingEntry, 'kind'>[];
}

/**
 * Whether a reversal needs a proposal and another officer. Money that went out is gone: reversing it makes a debt
 * disappear, or lets the same money be paid again.
 */
export function takesTwo(kind: PostedKind): boolean {
  return kind === 'disbursement' || kind === 'surplus';
}

/** Why an entry cannot be reversed by anybody now, or undefined. */
export function findReversalRefusal(facts: ReversalFacts): FailureCode | undefined {
  const { kind, isLaterPart, after, standing } = facts;
  if (!isReversible(kind)) return 'STEP_NOT_ALLOWED';
  if (!isPayment(kind)) return undefined; // nothing depends on a deduction
  if (facts.isPayoutOnItsWay) return 'PAYOUT_ON_ITS_WAY';
  // The phone may pay at any moment, and the repayment needs the disbursement.
  if (kind === 'disbursement' && !isLaterPart && facts.isRequestOpen) return 'REQUEST_OPEN';
  if (takesTwo(kind) && facts.isShownPaid) return 'SHOWN_PAID';
  if (isLaterPart) return undefined;
  return refusalOfReversal(kind, after, standing);
}
