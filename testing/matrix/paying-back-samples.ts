import { PAY_NOW } from '#server/requests-to-pay/requests.harness.ts';
import { anybodys, owned, unasked, visible } from './matrix-answers.ts';
import { byCase, byInvoice } from './matrix-requests.ts';
import type { Sample } from './matrix-rows.ts';

/** The calls of the matrix about paying back, also by phone. */
export const payingBackSamples = {
  repayment: { who: 'clientOrStaff', request: byCase('Disbursed'), ...visible },
  tellBuyerLate: {
    who: 'client',
    request: byCase('Disbursed', { date: '2027-01-10', reason: 'The buyer pays in January' }),
    ...owned,
  },
  addCollectionEntry: { who: 'staff', request: byCase('Disbursed', { kind: 'note', note: 'Call again' }), ...anybodys },
  payNow: { who: 'clientOrStaff', request: byInvoice, ...visible },
  askToPay: { who: 'client', request: byCase('Disbursed', PAY_NOW), ...unasked },
} satisfies Readonly<Record<string, Sample>>;
