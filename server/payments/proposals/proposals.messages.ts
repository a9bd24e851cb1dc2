import { formatAmount } from '#contract/money.ts';
import { paymentMethods } from '#contract/payments/schema.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { sayDate } from '#contract/time/calendar.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { StandingRow } from '#server/journal/journal.queries.ts';
import { messageTo, queueMessage } from '#server/messages/messages.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Work } from '#server/platform/work.ts';
import { selectOtherOfficers } from '#server/sessions/officers.ts';

interface ReversalNews {
  readonly invoice: InvoiceRecord;
  readonly original: StandingRow;
  readonly reason: string;
  readonly what: 'proposed' | 'confirmed';
}

/**
 * Tells every other officer that a payout is about to be reversed, or was reversed: one of them may know that the money
 * did leave.
 */
export async function notifyOfReversal(
  { platform, change, caller: { person } }: Work,
  news: ReversalNews,
): Promise<void> {
  const text = describe(platform, person, news);
  for (const { username } of await selectOtherOfficers(change, person.id))
    await queueMessage(platform, change, messageTo(username, text));
}

function describe(
  { config: { publicUrl } }: Platform,
  { username, firstName, lastName }: SignedInCaller['person'],
  { invoice: { invoiceNumber, currencyCode, tag }, original, reason, what }: ReversalNews,
) {
  const { amount, date, method, reference } = original;
  const by = [firstName, lastName].filter((part) => part !== null).join(' ') || username;
  const paid = `${currencyCode} ${formatAmount(amount)}`;
  const where = [method && paymentMethods[method], reference].filter((part) => part !== null).join(' ');
  const link = publicUrl === undefined ? '' : ` ${publicUrl}/desk/${tag}`;
  const did = what === 'proposed' ? 'proposes to reverse' : 'confirmed the reversal of';
  return {
    subject: `Invoice ${invoiceNumber}: ${what === 'proposed' ? 'reverse a payout?' : 'a payout was reversed'}`,
    body:
      `${PRODUCT_NAME}: ${by} ${did} the payment of ${paid} on invoice ${invoiceNumber}, paid on ${sayDate(date)} ` +
      `by ${where}. Reason: ${reason}. If that money left, say so at once.${link}`,
  };
}
