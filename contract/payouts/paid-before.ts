import { describePaid } from '#contract/flags/case-flags.ts';
import type { CashMethod } from '#contract/journal/accounts.ts';
import { formatAmount } from '#contract/money.ts';
import { referenceKey } from '#contract/payments/reference-key.ts';
import { atField, type Refusal } from '#contract/refusals/refusal.ts';
import { sayDate } from '#contract/time/calendar.ts';

/** Money that went out leaves once, under a reference of its own (docs/decisions/0033-officers-who-cheat.md). */

/** A payment in force that went out under a reference. Minor units. */
interface PaidUnder {
  readonly amount: number;
  readonly currency: string;
  readonly paidOn: string;
  /** Null for money that was sent back. */
  readonly invoiceNumber: string | null;
}

/** Why a reference cannot be that of a new payment out of the same account, given the payment that has it. */
export function refusalOfUsedReference(paid: PaidUnder | undefined): Refusal | undefined {
  if (paid === undefined) return undefined;
  const { invoiceNumber, amount, currency, paidOn } = paid;
  const on = invoiceNumber === null ? 'money that was sent back' : `invoice ${invoiceNumber}`;
  const text = `This reference is on record: ${currency} ${formatAmount(amount)} of ${sayDate(paidOn)}, on ${on}`;
  return atField('REFERENCE_PAID', 'reference', text);
}

/** What was paid before a payout that would repeat it. */
export interface PaidBefore {
  /** The payment in force with the reference of a payment by hand. */
  readonly underReference: PaidUnder | undefined;
  /** A reversed payment of the same kind that left after all. */
  readonly leftAfterAll:
    | (Parameters<typeof describePaid>[0] & { readonly method: CashMethod; readonly reference: string })
    | undefined;
}

/** A payout that is about to leave, or that left by hand. */
interface NewPayout {
  readonly method: CashMethod;
  readonly reference: string;
  readonly isByHand: boolean;
  readonly currency: string;
}

/** Why a payout would pay what was paid before, unless it records by hand the payment that left after all. */
export function refusalOfRepeat(before: PaidBefore, payout: NewPayout): Refusal | undefined {
  const used = refusalOfUsedReference(before.underReference);
  if (used !== undefined) return used;
  const { leftAfterAll: left } = before;
  if (left === undefined) return undefined;
  const isSame = left.method === payout.method && referenceKey(left.reference) === referenceKey(payout.reference);
  return payout.isByHand && isSame ? undefined : { code: 'PAID_ALREADY', more: describePaid(left, payout.currency) };
}
