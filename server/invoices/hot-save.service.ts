import { randomUUID } from 'node:crypto';
import { kampalaDate } from '#contract/calendar.ts';
import type { InvoiceForm } from '#contract/invoices/schema.ts';
import { changeInvoiceAtOnce, createInvoiceAtOnce } from '#server/invoices/hot-save.queries.ts';
import { columnsOf, formTerms, type SavedInvoice } from '#server/invoices/invoices.service.ts';
import type { Operation } from '#server/platform/change.ts';
import { sendChange } from '#server/platform/hot-change.ts';
import type { HotSender } from '#server/platform/hot-route.ts';

/** What a save at once did, and who it was. */
export interface SavedAtOnce<Saved> {
  readonly saved: Saved;
  readonly personTag: string;
}

/**
 * What `saveInvoice` does for an own draft whose version is sent, or a new one, in one statement with the session. Undefined, and
 * nothing done, for everything else.
 */
export async function saveInvoiceAtOnce(
  call: HotSender,
  form: InvoiceForm,
  { userTag, operation }: { readonly userTag: string | undefined; readonly operation: Operation },
): Promise<SavedAtOnce<SavedInvoice & { readonly invoiceTag: string }> | undefined> {
  const { tag: sent, version: before } = form;
  // What has no version is changed whatever it is meanwhile; only the row's lock says what it was.
  if (sent !== undefined && before === undefined) return undefined;
  const tag = sent?.toLowerCase() ?? randomUUID();
  const after = formTerms(form);
  const answer = { tag, version: (before ?? 0) + 1, faceValue: after.faceValue, invoiceTag: tag };
  const columns = columnsOf(after);
  const personTag = await sendChange(call, sent === undefined ? createInvoiceAtOnce : changeInvoiceAtOnce, {
    own: [
      columns.invoice_number,
      columns.invoice_number_key,
      columns.invoice_date,
      columns.currency_id,
      columns.buyer_id,
      columns.face_value,
      userTag ?? null,
      form.businessTag ?? null,
      sent === undefined ? kampalaDate(call.now) : before,
    ],
    event: {
      action: sent === undefined ? 'invoice.created' : 'invoice.changed',
      subjectType: 'invoice',
      subjectTag: tag,
      after,
    },
    operation,
    answer,
  });
  return personTag === undefined ? undefined : { saved: answer, personTag };
}
