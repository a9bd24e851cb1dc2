import { asSystem } from '#server/db/row-scope.ts';
import type { Change } from '#server/db/transaction.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { insertFlags, selectDuplicates } from './duplicates.queries.ts';

/**
 * Flags every submitted invoice of any business that looks like this one. Staff see the flag on both invoices; the
 * client doesn't. Runs under {@link lockComparable}, so that two concurrent submissions see each other. Flags are never
 * removed.
 */
export async function flagDuplicates(change: Change, invoice: InvoiceRecord, now: Date): Promise<void> {
  await asSystem('duplicates', async () => {
    const duplicates = await selectDuplicates(change, invoice.id);
    if (duplicates.length > 0) insertFlags(change, invoice.id, duplicates, now);
  });
}
