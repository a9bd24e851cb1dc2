import type { RequestBody } from '#contract/applications/progress.ts';
import { fieldError } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import type { Connection } from '#server/db/database.ts';
import { lockComparable } from '#server/flags/duplicates.queries.ts';
import { flagDuplicates } from '#server/flags/duplicates.service.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import {
  type AskedDocumentRow,
  closeOpenRequest,
  insertRequest,
  type RequestRow,
  selectAskedDocuments,
  selectRequests,
  selectTypeNames,
} from './information-requests.queries.ts';

/** Requests for information. An application has at most one open request, while it is in Info Requested. */

/** A request and its documents. */
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
 * Opens a request about a locked application; returns the names of the documents. Throws UNKNOWN_REFERENCE at `typeIds`
 * for an unknown type.
 */
export async function openRequest(
  { change, caller }: Changing,
  invoice: InvoiceRecord,
  { question, typeIds }: RequestBody,
): Promise<string[]> {
  const asked = [...new Set(typeIds)];
  const names = await selectTypeNames(change, asked);
  if (names.length !== asked.length) throw fieldError('UNKNOWN_REFERENCE', 'typeIds');
  const request = { invoice_id: invoice.id, question, asked_at: caller.now, asked_by: caller.person.id };
  await insertRequest(change, request, asked);
  return names;
}

/** Closes the open request with the client's answer, whose words may be null if the documents are the answer. */
export async function closeAnswered(work: Changing, invoice: InvoiceRecord, answer: string | null): Promise<void> {
  await closeRequest(work, invoice, { answer, answered_by: work.caller.person.id });
}

/** Closes the open request because it is no longer needed. */
export async function closeRecalled(work: Changing, invoice: InvoiceRecord): Promise<void> {
  await closeRequest(work, invoice, { recalled: true });
}

/**
 * A document uploaded for the request may duplicate another invoice's. The search takes locks, so that two don't miss
 * each other. It comes last, because submissions wait for these locks.
 */
async function closeRequest(
  { change, caller }: Changing,
  invoice: InvoiceRecord,
  closed: { readonly answer: string | null; readonly answered_by: number } | { readonly recalled: true },
): Promise<void> {
  await closeOpenRequest(change, invoice.id, { closed_at: caller.now, ...closed });
  lockComparable(change, invoice);
  await flagDuplicates(change, invoice, caller.now);
}
