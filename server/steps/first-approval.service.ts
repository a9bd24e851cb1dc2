import type { Change } from '#server/changes/change.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.service.ts';
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
