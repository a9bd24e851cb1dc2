import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { byTag, noBody, tag } from '#contract/fields.ts';
import { invoiceRow, invoicesBody, loadedInvoice } from './schema.ts';

/** Reading invoices with the applications on them, and a reference for a new one. */
export const invoiceEndpoints = {
  listInvoices: endpoint({
    method: 'POST',
    path: '/invoices/paged',
    summary: "A page of invoices with their applications: a client's own, everybody's for staff",
    body: invoicesBody,
    reply: z.array(invoiceRow),
    needs: 'invoices.view',
    changes: false,
  }),
  loadInvoice: endpoint({
    method: 'GET',
    path: '/invoices/:tag',
    summary: 'An invoice with its application',
    params: byTag,
    reply: loadedInvoice,
    needs: 'invoices.view',
  }),
  createGuid: endpoint({
    method: 'POST',
    path: '/guid',
    aliases: [{ method: 'POST', path: '/options/guid' }],
    summary: 'A reference for a new application',
    body: noBody,
    reply: z.strictObject({ guid: tag }),
    needs: 'session',
    changes: false,
  }),
} as const;
