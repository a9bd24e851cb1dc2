import type { Change } from '#server/db/change.ts';
import { asSystem } from '#server/db/row-scope.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.service.ts';
import { insertFlags, selectDuplicates } from './duplicates.queries.ts';

/**
 * Flags every submitted invoice of any business that looks like this one, for the staff, who see a flag from both sides.
 * Found under the submissions' lock, so that two that come at once see each other; what was found once stays. The client
 * learns nothing of it.
 */
export async function flagDuplicates(change: Change, invoice: InvoiceRecord, now: Date): Promise<void> {
  await asSystem('duplicates', async () => {
    const duplicates = await selectDuplicates(change, invoice.id);
    if (duplicates.length > 0) insertFlags(change, invoice.id, duplicates, now);
  });
}
