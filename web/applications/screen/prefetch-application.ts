import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { documentEndpoints } from '#contract/documents/endpoints.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { urlOf } from '#web/platform/api/api.ts';
import { askAhead } from '#web/platform/prefetch/answers.ts';
import { currentUser } from '#web/platform/session/session.ts';

/** Asks for what the screen of an invoice begins with. */
export function askForInvoice({ tag }: Readonly<Record<string, string>>): void {
  if (tag === undefined || currentUser() === null) return;
  for (const endpoint of [invoiceEndpoints.loadInvoice, applicationEndpoints.progress, documentEndpoints.listDocuments])
    askAhead(urlOf(endpoint, { params: { tag } }));
}
