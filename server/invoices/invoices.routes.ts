import { randomUUID } from 'node:crypto';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import type { Routes } from '#server/http/http.ts';
import { presentInvoice } from './invoices.presenter.ts';
import { findInvoice, listInvoices } from './invoices.service.ts';

/** Invoices: list, load, and a reference for a new application. */
export function invoiceRoutes(routes: Routes): void {
  const { platform } = routes;

  routes.byBody(invoiceEndpoints.listInvoices, listInvoices);
  routes.signedIn(invoiceEndpoints.loadInvoice, async ({ params, caller }) =>
    presentInvoice(await findInvoice(platform.db, caller, params.tag)),
  );
  routes.signedIn(invoiceEndpoints.createGuid, async () => ({ guid: randomUUID() }));
}
