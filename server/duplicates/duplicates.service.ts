import type { Change } from '#server/db/change.ts';
import { asSystem } from '#server/db/row-scope.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.service.ts';
import { insertFlags, selectTwins } from './duplicates.queries.ts';

/**
 * Flags every submitted invoice of any business that looks like this one, for the staff, who see a flag from both sides.
 * Found under the submissions' lock, so that two that come at once see each other; what was found once stays. The client
 * learns nothing of it.
 */
export async function flagTwins(change: Change, invoice: InvoiceRecord, now: Date): Promise<void> {
  await asSystem('twins', async () => {
    const twins = await selectTwins(change, invoice.id);
    if (twins.length > 0) insertFlags(change, invoice.id, twins, now);
  });
}
