import type { RequestBody } from '#contract/applications/progress.ts';
import { lockSubmissions } from '#server/applications/applications.queries.ts';
import type { Change } from '#server/db/change.ts';
import type { Connection } from '#server/db/database.ts';
import { flagDuplicates } from '#server/duplicates/duplicates.service.ts';
import { fieldError } from '#server/http/app-error.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.service.ts';
import {
  type AskedDocumentRow,
  closeOpenRequest,
  insertRequest,
  type RequestRow,
  selectAskedDocuments,
  selectRequests,
  selectTypeNames,
} from './information-requests.queries.ts';

/** What officers asked clients for. An application has at most one open request, while it is Info Requested. */

/** A request and the documents that it asks for. */
export interface InformationRequest extends RequestRow {
  readonly documents: readonly AskedDocumentRow[];
}

/** An application's requests, newest first. */
export async function findRequests(connection: Connection, invoiceId: number): Promise<InformationRequest[]> {
  const rows = await selectRequests(connection, invoiceId);
  if (rows.length === 0) return [];
  const asked = await selectAskedDocuments(connection, invoiceId);
  return rows.map((row) => ({ ...row, documents: asked.filter(({ requestId }) => requestId === row.id) }));
}

/**
 * Asks for something about an application whose row is locked; answers the names of the documents. Throws
 * UNKNOWN_REFERENCE at `typeIds` for a type that there is not.
 */
export async function openRequest(
  change: Change,
  caller: SignedInCaller,
  invoice: InvoiceRecord,
  { question, typeIds }: RequestBody,
): Promise<string[]> {
  const asked = [...new Set(typeIds)];
  const names = await selectTypeNames(change, asked);
  if (names.length !== asked.length) throw fieldError('UNKNOWN_REFERENCE', 'typeIds');
  const request = { invoice_id: invoice.id, question, asked_at: caller.now, asked_by: caller.person.id };
  await insertRequest(change, { ...request, closed_at: null, answer: null, answered_by: null }, asked);
  return names;
}

/** Closes the open request with the client's answer, whose words may be null where the documents say it. */
export async function closeAnswered(
  change: Change,
  caller: SignedInCaller,
  invoice: InvoiceRecord,
  answer: string | null,
): Promise<void> {
  await closeRequest(change, caller, invoice, { answer, answered_by: caller.person.id });
}

/** Closes the open request, because what it asks for is not needed any more. */
export async function closeRecalled(change: Change, caller: SignedInCaller, invoice: InvoiceRecord): Promise<void> {
  await closeRequest(change, caller, invoice, { recalled: true });
}

/**
 * However it ends, a document that came for it may be another's: submissions wait, so that two do not overlook each
 * other. The last thing of a change, because everybody's submissions wait for it.
 */
async function closeRequest(
  change: Change,
  caller: SignedInCaller,
  invoice: InvoiceRecord,
  closed: { readonly answer: string | null; readonly answered_by: number } | { readonly recalled: true },
): Promise<void> {
  await closeOpenRequest(change, invoice.id, { closed_at: caller.now, ...closed });
  lockSubmissions(change);
  await flagDuplicates(change, invoice, caller.now);
}
