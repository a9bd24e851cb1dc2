import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { success, tag } from '#contract/fields.ts';
import { deductionBody, paymentsReply, receiptBody, reversalBody, writeOffAnswer, writeOffBody } from './schema.ts';

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
  recordReceipt: endpoint({
    method: 'POST',
    path: '/applications/:tag/receipts',
    summary: 'Record what the buyer or the client paid to us; settles the application when nothing is outstanding',
    params: byTag,
    body: receiptBody,
    reply: recorded,
    needs: 'payments.record',
  }),
  recordDeduction: endpoint({
    method: 'POST',
    path: '/applications/:tag/deductions',
    summary: 'Record what the buyer kept back, with its certificate; the client still owes the same',
    params: byTag,
    body: deductionBody,
    reply: recorded,
    needs: 'payments.record',
  }),
  proposeWriteOff: endpoint({
    method: 'POST',
    path: '/applications/:tag/write_off/propose',
    summary: 'Propose to write off all that is outstanding; another officer confirms it',
    params: byTag,
    body: writeOffBody,
    reply: success,
    needs: 'payments.record',
  }),
  confirmWriteOff: endpoint({
    method: 'POST',
    path: '/applications/:tag/write_off/confirm',
    summary: 'Confirm a write-off that another officer proposed',
    params: byTag,
    body: writeOffAnswer,
    reply: success,
    needs: 'payments.record',
  }),
  dropWriteOff: endpoint({
    method: 'POST',
    path: '/applications/:tag/write_off/drop',
    summary: 'Drop a proposed write-off',
    params: byTag,
    body: writeOffAnswer,
    reply: success,
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
