import { formatAmount } from '#contract/money.ts';
import { DAY_MS } from '#contract/time/durations.ts';
import { AppError } from '#server/calls/app-error.ts';
import { together } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { Platform } from '#server/platform/platform.ts';
import { lockTyped, sumAlone } from './proposals.queries.ts';

/** Receipts that were recorded earlier count no more: statements of their days have come, or never will. */
const COUNTED_DAYS = 7;

/**
 * Throws RECEIPT_TAKES_TWO if more of a client's receipts of the last days would rest on the word of one officer each than the lender
 * allows (docs/decisions/0033-officers-who-cheat.md). Of two at once one waits.
 */
export async function refuseAlone(
  { config }: Platform,
  change: Change,
  { businessId, currencyId, currencyCode }: InvoiceRecord,
  { amount, now }: { readonly amount: number; readonly now: Date },
): Promise<void> {
  const since = new Date(now.getTime() - COUNTED_DAYS * DAY_MS);
  const [, sum] = await together(lockTyped(change, businessId), sumAlone(change, { businessId, currencyId, since }));
  const left = Math.max(0, (config.receiptsAloneUpTo.get(currencyCode) ?? 0) - sum);
  if (amount <= left) return;
  const more = `One officer can record up to ${currencyCode} ${formatAmount(left)} more for this client`;
  throw new AppError('RECEIPT_TAKES_TWO', { more });
}
