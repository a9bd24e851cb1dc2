import { formatAmount } from '#contract/money.ts';
import type { Receipt } from '#contract/payments/payment.ts';
import { referenceKey } from '#contract/payments/reference-key.ts';
import type { Rail } from '#contract/statements/layouts.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Actor } from '#server/calls/caller.ts';
import { together } from '#server/db/together.ts';
import { type Account, openForKasente } from '#server/payments/entries.service.ts';
import { receive } from '#server/payments/payments.service.ts';
import { lockRail } from '#server/payments/received/received.queries.ts';
import type { Work } from '#server/platform/work.ts';
import { type CountedReceipt, selectCounted } from './import.queries.ts';
import { partOf } from './matching.service.ts';
import { selectOpenReturns } from './returns.queries.ts';
import { lockWaiting, selectLineOf, type WaitingLine } from './waiting.queries.ts';

/** A payment that a provider confirmed, under the provider's number. */
export type ProvenReceipt = Receipt & { readonly method: Rail; readonly transferId: number };

/**
 * Records a payment that a provider confirmed. If a statement or an officer's receipt already has its number, only the
 * part still in suspense is credited. If the statement's line has less, for example because of a charge, the difference
 * is credited too, so that the credit is the same in either order. Returns the tag of the entry with the money. Throws
 * RECEIPT_DIFFERS if the number already counts as a different payment, and what {@link receive} throws.
 */
export async function receiveOnce(work: Work<Actor>, account: Account, receipt: ProvenReceipt): Promise<string> {
  const { change } = work;
  const { invoice } = account;
  const { currencyId } = invoice;
  const [rail, key] = [receipt.method, referenceKey(receipt.reference)];
  // Excludes imports and typed receipts of this rail.
  const [, found] = await together(lockRail(change, rail), selectLineOf(change, { rail, currencyId, key }));
  // An officer who assigned the line did so before we got its lock, so this read sees the assignment.
  const line = found && (await lockWaiting(change, found.tag));
  const counted = await selectCounted(change, { rail, currencyId, keys: [key] });
  const own = counted.filter(({ invoiceId }) => invoiceId === invoice.id);
  const same = own.find(({ amount }) => amount === receipt.amount);
  if (same !== undefined) return same.tag;
  const ofLine = own.filter(({ lineId, amount }) => lineId !== null && amount < receipt.amount);
  const other = counted.find((one) => !ofLine.includes(one));
  if (other !== undefined) throw differs(other, invoice.currencyCode);
  const credited = line && (await creditWaiting(work, account, { receipt, line, ofLine }));
  const known = credited ?? ofLine[0]?.tag ?? found?.arrivalTag ?? undefined;
  if (line === undefined || known === undefined) return (await receive(work, account, receipt)).tag;
  const lacking = receipt.amount - line.amount;
  if (lacking > 0) {
    const now = await openForKasente(change, invoice.tag); // including the new credit
    await receive(work, now, { ...receipt, amount: lacking });
  }
  return known;
}

/** An officer must reverse the wrong receipt. Until then, we keep asking the provider. */
function differs({ invoiceNumber, amount }: CountedReceipt, currency: string): AppError {
  return new AppError('RECEIPT_DIFFERS', { more: `It is on ${invoiceNumber}, ${currency} ${formatAmount(amount)}` });
}

interface Waiting {
  readonly receipt: ProvenReceipt;
  readonly line: WaitingLine;
  /** The receipts of this application that came from the line. */
  readonly ofLine: readonly CountedReceipt[];
}

/** Credits the rest of a locked line. Returns the entry's tag, or undefined if nothing is left. */
async function creditWaiting(
  work: Work<Actor>,
  account: Account,
  { receipt, line, ofLine }: Waiting,
): Promise<string | undefined> {
  const missing = ofLine.reduce((left, { amount }) => left - amount, receipt.amount);
  const amount = Math.min(line.left, missing);
  if (amount <= 0) return undefined;
  const [open] = await selectOpenReturns(work.change, [line.id]);
  if (open !== undefined) return undefined; // the line is about to be sent back
  const { payer, from, confirmed } = receipt;
  const given = { ...partOf(line), amount, payer, ...(from && { from }), ...(confirmed && { confirmed }) };
  return (await receive(work, account, given)).tag;
}
