import { actionsAt, readingsAt } from '#contract/actions.ts';
import { success } from '#contract/fields.ts';
import { buyerLateBody, collectionBody, repaymentReply } from './schema.ts';

const byOfficer = actionsAt('/desk/cases', 'desk.decide', success);
const byClient = actionsAt('/applications', 'applications.submit', success);
const ofApplication = readingsAt('/applications', 'invoices.view');

/** How an advance is paid back, and what officers do if it is late. The tag is the invoice's or the application's. */
export const collectionEndpoints = {
  repayment: ofApplication(
    'repayment',
    'How to pay back an application: amount, date, accounts and reference; for staff what was said and done',
    repaymentReply,
  ),
  tellBuyerLate: byClient('buyer_late', 'Say before the due date that one’s buyer will pay late', buyerLateBody),
  addCollectionEntry: byOfficer(
    'collection',
    'Put a contact, a promise to pay, a note or a dispute of the buyer on record',
    collectionBody,
  ),
} as const;
