import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { success, tag } from '#contract/fields.ts';
import { paymentBody, paymentsReply, receiptBody, reversalBody } from './schema.ts';

const byTag = z.strictObject({ tag });
const recorded = success.extend({ data: z.strictObject({ tag }) });

/** The ledger of an application. The tag in the path is the invoice's or the application's. */
export const paymentEndpoints = {
  listPayments: endpoint({
    method: 'GET',
    path: '/applications/:tag/payments',
    summary: 'What was paid on an application, by whom and what is outstanding',
    params: byTag,
    reply: paymentsReply,
    needs: 'invoices.view',
  }),
  recordDisbursement: endpoint({
    method: 'POST',
    path: '/applications/:tag/disbursement',
    summary: 'Record that the net proceeds were paid to the client',
    params: byTag,
    body: paymentBody,
    reply: recorded,
    needs: 'payments.record',
  }),
  recordReceipt: endpoint({
    method: 'POST',
    path: '/applications/:tag/receipts',
    summary: 'Record what the buyer or the client paid to us; settles the application when nothing is outstanding',
    params: byTag,
    body: receiptBody,
    reply: recorded,
    needs: 'payments.record',
  }),
  recordSurplus: endpoint({
    method: 'POST',
    path: '/applications/:tag/surplus',
    summary: 'Record that what was received above the advance was paid to the client',
    params: byTag,
    body: paymentBody,
    reply: recorded,
    needs: 'payments.record',
  }),
  reverseEntry: endpoint({
    method: 'POST',
    path: '/payments/:tag/reverse',
    summary: 'Reverse an entry of the ledger',
    params: byTag,
    body: reversalBody,
    reply: recorded,
    needs: 'payments.record',
  }),
} as const;
