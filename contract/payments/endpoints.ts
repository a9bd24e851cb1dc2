import { actionsAt, readingsAt } from '#contract/actions.ts';
import { made, success } from '#contract/fields.ts';
import { deductionBody, paymentsReply, receiptBody, reversalBody, writeOffAnswer, writeOffBody } from './schema.ts';

const byOfficer = actionsAt('/applications', 'payments.record', success);
const record = actionsAt('/applications', 'payments.record', made);
const withEntry = actionsAt('/payments', 'payments.record', made);
const ofApplication = readingsAt('/applications', 'invoices.view');

/** The ledger of an application. The tag in the path is the invoice's or the application's. */
export const paymentEndpoints = {
  listPayments: ofApplication(
    'payments',
    'What was paid on an application, by whom and what is outstanding',
    paymentsReply,
  ),
  recordReceipt: record(
    'receipts',
    'Record what the buyer or the client paid to us; settles the application when nothing is outstanding',
    receiptBody,
  ),
  recordDeduction: record(
    'deductions',
    'Record what the buyer kept back, with its certificate; the client still owes the same',
    deductionBody,
  ),
  proposeWriteOff: byOfficer(
    'write_off/propose',
    'Propose to write off all that is outstanding; another officer confirms it',
    writeOffBody,
  ),
  confirmWriteOff: byOfficer('write_off/confirm', 'Confirm a write-off that another officer proposed', writeOffAnswer),
  dropWriteOff: byOfficer('write_off/drop', 'Drop a proposed write-off', writeOffAnswer),
  reverseEntry: withEntry('reverse', 'Reverse an entry of the ledger', reversalBody),
} as const;
