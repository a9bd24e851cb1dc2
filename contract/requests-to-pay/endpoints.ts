import { actionsAt, readingsAt } from '#contract/actions.ts';
import { made } from '#contract/fields.ts';
import { payNowReply, requestForm } from './schema.ts';

const byClient = actionsAt('/applications', 'applications.submit', made);
const ofApplication = readingsAt('/applications', 'invoices.view');

/** Requests to pay on a client's phone. The tag is the invoice's or the application's. */
export const requestEndpoints = {
  payNow: ofApplication(
    'pay_now',
    'What a client may pay by phone now, from which phones, and what became of the requests so far',
    payNowReply,
  ),
  askToPay: byClient('pay_now', 'Have a phone asked to pay back an application, or a part of it', requestForm),
} as const;
