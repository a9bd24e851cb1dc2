import { DAY_MS } from '#contract/time/durations.ts';
import { together } from '#server/db/together.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { Work } from '#server/platform/work.ts';
import { lockTyped, sumAlone } from './proposals.queries.ts';

/** Older receipts no longer count: the statements for their days have been imported, or never will be. */
const COUNTED_DAYS = 7;

/**
 * How much more of a client's recent receipts may rest on the word of one officer each, in minor units
 * (docs/decisions/0033-officers-who-cheat.md). Of two receipts at the same time, the second waits.
 */
export async function findLeftAlone(
  { platform: { config }, change, caller: { now } }: Work,
  { businessId, currencyId, currencyCode }: InvoiceRecord,
): Promise<number> {
  const since = new Date(now.getTime() - COUNTED_DAYS * DAY_MS);
  const [, sum] = await together(lockTyped(change, businessId), sumAlone(change, { businessId, currencyId, since }));
  return Math.max(0, (config.receiptsAloneUpTo.get(currencyCode) ?? 0) - sum);
}
