import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { noBody, success, tag } from '#contract/fields.ts';
import { acceptOfferBody, counterOfferBody, extensionBody, extensionReply, offerReply } from './schema.ts';

const params = z.strictObject({ tag });

/** Counter-offers (docs/decisions/0045-offers.md), and more time to pay back (0046-paying-back.md). The tag is the invoice's or the application's. */
export const offerEndpoints = {
  counterOffer: endpoint({
    method: 'POST',
    path: '/desk/cases/:tag/counter_offer',
    summary: 'Offer a lower advance or another financing period; the clock is paused',
    params,
    body: counterOfferBody,
    reply: success,
    needs: 'desk.decide',
  }),
  recallOffer: endpoint({
    method: 'POST',
    path: '/desk/cases/:tag/recall_offer',
    summary: 'Withdraw a counter-offer; the clock runs again',
    params,
    body: noBody,
    reply: success,
    needs: 'desk.decide',
  }),
  loadOffer: endpoint({
    method: 'GET',
    path: '/applications/:tag/offer',
    summary: 'The open counter-offer beside what was asked for, with its key facts',
    params,
    reply: offerReply,
    needs: 'invoices.view',
  }),
  acceptOffer: endpoint({
    method: 'POST',
    path: '/applications/:tag/accept_offer',
    summary: 'Accept a counter-offer by its key facts',
    params,
    body: acceptOfferBody,
    reply: success,
    needs: 'applications.submit',
  }),
  declineOffer: endpoint({
    method: 'POST',
    path: '/applications/:tag/decline_offer',
    summary: 'Let a counter-offer go, which ends the application',
    params,
    body: noBody,
    reply: success,
    needs: 'applications.submit',
  }),
  loadExtension: endpoint({
    method: 'GET',
    path: '/applications/:tag/extension',
    summary: 'Whether there is more time to pay back: what was asked for or offered, and what it would cost',
    params,
    reply: extensionReply,
    needs: 'invoices.view',
  }),
  askExtension: endpoint({
    method: 'POST',
    path: '/applications/:tag/ask_extension',
    summary: 'Ask for more time to pay back',
    params,
    body: extensionBody,
    reply: success,
    needs: 'applications.submit',
  }),
  acceptExtension: endpoint({
    method: 'POST',
    path: '/applications/:tag/accept_extension',
    summary: 'Accept more time by its key facts; the fee is owed and the due date moves',
    params,
    body: acceptOfferBody,
    reply: success,
    needs: 'applications.submit',
  }),
  offerExtension: endpoint({
    method: 'POST',
    path: '/desk/cases/:tag/offer_extension',
    summary: 'Offer more time to pay back; another officer agrees before the client sees it',
    params,
    body: extensionBody,
    reply: success,
    needs: 'desk.decide',
  }),
  agreeExtension: endpoint({
    method: 'POST',
    path: '/desk/cases/:tag/agree_extension',
    summary: 'Agree to another officer’s offer of more time by its key facts; the client may accept it then',
    params,
    body: acceptOfferBody,
    reply: success,
    needs: 'desk.decide',
  }),
  withdrawExtension: endpoint({
    method: 'POST',
    path: '/desk/cases/:tag/withdraw_extension',
    summary: 'Refuse what was asked for, or withdraw an offer of more time',
    params,
    body: noBody,
    reply: success,
    needs: 'desk.decide',
  }),
} as const;
