import type { SignedInCaller } from '#server/calls/caller.ts';
import type { Change } from '#server/db/transaction.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { Platform } from '#server/platform/platform.ts';
import { takeStep } from './steps.service.ts';

/** The document that a first approval was based on and that is now replaced. */
interface Replaced {
  readonly documentTag: string;
  readonly type: string;
}

/** Cancels the first approval, if there is one: its giver has not seen the new document. */
export async function voidFirstApproval(
  platform: Platform,
  change: Change,
  caller: SignedInCaller,
  invoice: InvoiceRecord,
  { documentTag, type }: Replaced,
): Promise<void> {
  if (invoice.case.firstApprovedBy === null) return;
  await takeStep(platform, change, caller, invoice, 'voidFirstApproval', {
    set: { first_approved_by: null, first_approved_at: null },
    note: type,
    audit: { document: documentTag },
  });
}
