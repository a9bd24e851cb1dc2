import { endpoint } from '#contract/endpoint.ts';
import { byTag, made } from '#contract/fields.ts';
import { payNowReply, requestForm } from './schema.ts';

/** Requests to pay on a client's phone. The tag is the invoice's or the application's. */
export const requestEndpoints = {
  payNow: endpoint({
    method: 'GET',
    path: '/applications/:tag/pay_now',
    summary: 'What a client may pay by phone now, from which phones, and what became of the requests so far',
    params: byTag,
    reply: payNowReply,
    needs: 'invoices.view',
  }),
  askToPay: endpoint({
    method: 'POST',
    path: '/applications/:tag/pay_now',
    summary: 'Have a phone asked to pay back an application, or a part of it',
    params: byTag,
    body: requestForm,
    reply: made,
    needs: 'applications.submit',
  }),
} as const;
