import { describePaid } from '#contract/flags/case-flags.ts';
import type { CashMethod } from '#contract/journal/accounts.ts';
import { formatAmount } from '#contract/money.ts';
import { referenceKey } from '#contract/payments/reference-key.ts';
import type { PayoutKind } from '#contract/payouts/schema.ts';
import { sayDate } from '#contract/time/calendar.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import { together } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { lockPaidReference, selectPaidBefore, selectPaidUnder } from '#server/journal/paid-out.queries.ts';
import { lockRail } from '#server/payments/arrived/arrived.queries.ts';

/** Money that went out leaves once, under a reference of its own (docs/decisions/0033-officers-who-cheat.md). */

interface NewPayment {
  readonly kind: PayoutKind;
  readonly method: CashMethod;
  readonly reference: string;
}

/**
 * Throws REFERENCE_PAID at `reference` for a payment by hand whose reference another payment in force has; PAID_ALREADY if
 * a reversed payment of the same kind left after all, unless this records that one again.
 */
export async function refuseRepeated(
  change: Change,
  { id, currencyCode }: Pick<InvoiceRecord, 'id' | 'currencyCode'>,
  { kind, method, reference }: NewPayment,
  { isByHand }: { readonly isByHand: boolean },
): Promise<void> {
  const ofKind = async () => (await selectPaidBefore(change, [id])).filter((one) => one.kind === kind);
  const [before] = await together(ofKind(), isByHand && refuseUsedReference(change, method, reference));
  const methods = new Set(before.map((one) => one.method));
  // A statement comes before this or after it; in one order, so that there is no deadlock.
  for (const rail of [...methods].sort()) await lockRail(change, rail);
  const first = methods.size === 0 ? undefined : (await ofKind()).find(({ isShownPaid }) => isShownPaid);
  if (first === undefined) return;
  const isSame = first.method === method && referenceKey(first.reference) === referenceKey(reference);
  if (!isByHand || !isSame) throw new AppError('PAID_ALREADY', { more: describePaid(first, currencyCode) });
}

/**
 * Throws REFERENCE_PAID at `reference`, naming the payment in force out of that account under that reference. Of two at
 * once one waits.
 */
export async function refuseUsedReference(change: Change, method: CashMethod, reference: string): Promise<void> {
  const [, paid] = await together(
    lockPaidReference(change, method, reference),
    selectPaidUnder(change, method, reference),
  );
  if (paid === undefined) return;
  const { invoiceNumber, amount, currency, paidOn } = paid;
  const on = invoiceNumber === null ? 'money that was sent back' : `invoice ${invoiceNumber}`;
  const text = `This reference is on record: ${currency} ${formatAmount(amount)} of ${sayDate(paidOn)}, on ${on}`;
  throw fieldError('REFERENCE_PAID', 'reference', text);
}
