import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { documentEndpoints } from '#contract/documents/endpoints.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import type { Question } from '#web/platform/api/question.ts';
import { currentUser } from '#web/platform/session/session.ts';

/** The first requests of an invoice's screen. */
export function invoiceAsksFirst({ tag }: Readonly<Record<string, string>>): readonly Question[] {
  if (tag === undefined || currentUser() === null) return [];
  const endpoints = [invoiceEndpoints.loadInvoice, applicationEndpoints.progress, documentEndpoints.listDocuments];
  return endpoints.map((endpoint) => ({ endpoint, params: { tag } }));
}
