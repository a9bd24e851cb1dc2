import { actionsAt } from '#contract/actions.ts';
import { endpoint } from '#contract/endpoint.ts';
import { byTag, made } from '#contract/fields.ts';
import { deductionBody, paymentsReply, receiptBody, reversalBody, writeOffAnswer, writeOffBody } from './schema.ts';

const byOfficer = actionsAt('/applications', 'payments.record');

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
    reply: made,
    needs: 'payments.record',
  }),
  recordDeduction: endpoint({
    method: 'POST',
    path: '/applications/:tag/deductions',
    summary: 'Record what the buyer kept back, with its certificate; the client still owes the same',
    params: byTag,
    body: deductionBody,
    reply: made,
    needs: 'payments.record',
  }),
  proposeWriteOff: byOfficer(
    'write_off/propose',
    'Propose to write off all that is outstanding; another officer confirms it',
    writeOffBody,
  ),
  confirmWriteOff: byOfficer('write_off/confirm', 'Confirm a write-off that another officer proposed', writeOffAnswer),
  dropWriteOff: byOfficer('write_off/drop', 'Drop a proposed write-off', writeOffAnswer),
  reverseEntry: endpoint({
    method: 'POST',
    path: '/payments/:tag/reverse',
    summary: 'Reverse an entry of the ledger',
    params: byTag,
    body: reversalBody,
    reply: made,
    needs: 'payments.record',
  }),
} as const;
