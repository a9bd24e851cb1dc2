import { describePaid } from '#contract/flags/case-flags.ts';
import type { CashMethod } from '#contract/journal/accounts.ts';
import { formatAmount } from '#contract/money.ts';
import { referenceKey } from '#contract/payments/reference-key.ts';
import { atField, type Refusal } from '#contract/refusals/refusal.ts';
import { sayDate } from '#contract/time/calendar.ts';

/** Each amount goes out once, under its own reference (docs/decisions/0033-officers-who-cheat.md). */

/** A payment in force under a reference. Minor units. */
interface PaidUnder {
  readonly amount: number;
  readonly currency: string;
  readonly paidOn: string;
  /** Null for money that we sent back to its sender. */
  readonly invoiceNumber: string | null;
}

/** Why a new payment from the same account can't use a reference, given the payment that already has it. */
export function refusalOfUsedReference(paid: PaidUnder | undefined): Refusal | undefined {
  if (paid === undefined) return undefined;
  const { invoiceNumber, amount, currency, paidOn } = paid;
  const on = invoiceNumber === null ? 'money that was sent back' : `invoice ${invoiceNumber}`;
  const text = `This reference is on record: ${currency} ${formatAmount(amount)} of ${sayDate(paidOn)}, on ${on}`;
  return atField('REFERENCE_PAID', 'reference', text);
}

/** Earlier payments that a payout might repeat. */
export interface PaidBefore {
  /** The payment in force that has the same reference as a payment by hand. */
  readonly underReference: PaidUnder | undefined;
  /** A reversed payment of the same kind that was sent after all. */
  readonly leftAfterAll:
    | (Parameters<typeof describePaid>[0] & { readonly method: CashMethod; readonly reference: string })
    | undefined;
}

/** A payout about to be sent, or already sent by hand. */
interface NewPayout {
  readonly method: CashMethod;
  readonly reference: string;
  readonly isByHand: boolean;
  readonly currency: string;
}

/** Why a payout would repeat an earlier payment, unless it records by hand the payment that was sent after all. */
export function refusalOfRepeat(before: PaidBefore, payout: NewPayout): Refusal | undefined {
  const used = refusalOfUsedReference(before.underReference);
  if (used !== undefined) return used;
  const { leftAfterAll: left } = before;
  if (left === undefined) return undefined;
  const isSame = left.method === payout.method && referenceKey(left.reference) === referenceKey(payout.reference);
  return payout.isByHand && isSame ? undefined : { code: 'PAID_ALREADY', more: describePaid(left, payout.currency) };
}
