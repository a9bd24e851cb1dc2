import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { success, tag } from '#contract/fields.ts';
import { buyerLateBody, collectionBody, repaymentReply } from './schema.ts';

const byTag = z.strictObject({ tag });

/** How an advance is paid back, and what officers do if it is late. The tag is the invoice's or the application's. */
export const collectionEndpoints = {
  repayment: endpoint({
    method: 'GET',
    path: '/applications/:tag/repayment',
    summary: 'How to pay back an application: amount, date, accounts and reference; for staff what was said and done',
    params: byTag,
    reply: repaymentReply,
    needs: 'invoices.view',
  }),
  tellBuyerLate: endpoint({
    method: 'POST',
    path: '/applications/:tag/buyer_late',
    summary: 'Say before the due date that one’s buyer will pay late',
    params: byTag,
    body: buyerLateBody,
    reply: success,
    needs: 'applications.submit',
  }),
  addCollectionEntry: endpoint({
    method: 'POST',
    path: '/desk/cases/:tag/collection',
    summary: 'Put a contact, a promise to pay, a note or a dispute of the buyer on record',
    params: byTag,
    body: collectionBody,
    reply: success,
    needs: 'desk.decide',
  }),
} as const;
