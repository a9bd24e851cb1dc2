import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { noBody, success, tag } from '#contract/fields.ts';
import { invoiceRow, invoicesBody, loadedInvoice, saveBody, savedReply } from './schema.ts';

const byTag = z.strictObject({ tag });

/** Invoices and the applications on them (specification, section 7). */
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
  saveInvoice: endpoint({
    method: 'POST',
    path: '/invoices',
    aliases: [{ method: 'POST', path: '/invoices/edit' }],
    summary: 'Save an invoice or its application while it is a draft',
    body: saveBody,
    reply: savedReply,
    needs: 'invoices.edit',
  }),
  deleteInvoice: endpoint({
    method: 'DELETE',
    path: '/invoices/:tag',
    summary: 'Delete a draft of one’s own with its documents',
    params: byTag,
    reply: success,
    needs: 'invoices.edit',
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
