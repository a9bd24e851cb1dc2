import { actionsAt, readingsAt } from '#contract/actions.ts';
import { made, success } from '#contract/fields.ts';
import {
  deductionBody,
  paymentsReply,
  proposalAnswer,
  receiptBody,
  receiptProposalBody,
  reversalBody,
  writeOffBody,
} from './schema.ts';

const byOfficer = actionsAt('/applications', 'payments.record', success);
const record = actionsAt('/applications', 'payments.record', made);
const withEntry = actionsAt('/payments', 'payments.record', made);
const proposeOfEntry = actionsAt('/payments', 'payments.record', success);
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
  proposeReceipt: byOfficer(
    'receipts/propose',
    'Propose to record a repayment that one officer may not record alone; another officer confirms it',
    receiptProposalBody,
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
  proposeReversal: proposeOfEntry(
    'reversal/propose',
    'Propose to reverse a payout that was made by hand and did not leave; another officer confirms it',
    reversalBody,
  ),
  confirmProposal: {
    ...byOfficer(
      'proposals/confirm',
      'Confirm a write-off, a reversal or a repayment that another officer proposed',
      proposalAnswer,
    ),
    aliases: [{ method: 'POST', path: '/applications/:tag/write_off/confirm' }],
  },
  dropProposal: {
    ...byOfficer('proposals/drop', 'Drop a proposed write-off, reversal or repayment', proposalAnswer),
    aliases: [{ method: 'POST', path: '/applications/:tag/write_off/drop' }],
  },
  reverseEntry: withEntry(
    'reverse',
    'Reverse a receipt or a deduction; to reverse a payout takes two officers',
    reversalBody,
  ),
} as const;
