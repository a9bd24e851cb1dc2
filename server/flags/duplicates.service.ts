import { asSystem } from '#server/db/row-scope.ts';
import type { Change } from '#server/db/transaction.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { insertFlags, selectDuplicates } from './duplicates.queries.ts';

/**
 * Flags every submitted invoice of any business that looks like this one; staff see the flag on both. Runs under
 * {@link lockComparable}, so that two at once see each other; flags are never removed. The client learns nothing of it.
 */
export async function flagDuplicates(change: Change, invoice: InvoiceRecord, now: Date): Promise<void> {
  await asSystem('duplicates', async () => {
    const duplicates = await selectDuplicates(change, invoice.id);
    if (duplicates.length > 0) insertFlags(change, invoice.id, duplicates, now);
  });
}
