import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { Work } from '#server/platform/work.ts';
import { takeStep } from './steps.service.ts';

/** The replaced document that a first approval was based on. */
interface Replaced {
  readonly documentTag: string;
  readonly type: string;
}

/** Cancels the first approval, if there is one, because its officer has not seen the new document. */
export async function voidFirstApproval(
  work: Work,
  invoice: InvoiceRecord,
  { documentTag, type }: Replaced,
): Promise<void> {
  if (invoice.case.firstApprovedBy === null) return;
  await takeStep(work, invoice, 'voidFirstApproval', {
    set: { first_approved_by: null, first_approved_at: null },
    note: type,
    audit: { document: documentTag },
  });
}
