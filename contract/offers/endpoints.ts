import { actionsAt, readingsAt } from '#contract/actions.ts';
import { noBody, success } from '#contract/fields.ts';
import { acceptOfferBody, counterOfferBody, extensionBody, extensionReply, offerReply } from './schema.ts';

const byOfficer = actionsAt('/desk/cases', 'desk.decide', success);
const byClient = actionsAt('/applications', 'applications.submit', success);
const ofApplication = readingsAt('/applications', 'invoices.view');

/** Counter-offers (docs/decisions/0045-offers.md), and more time to pay back (0046-paying-back.md). The tag is the invoice's or the application's. */
export const offerEndpoints = {
  counterOffer: byOfficer(
    'counter_offer',
    'Offer a lower advance or another financing period; the clock is paused',
    counterOfferBody,
  ),
  recallOffer: byOfficer('recall_offer', 'Withdraw a counter-offer; the clock runs again', noBody),
  loadOffer: ofApplication('offer', 'The open counter-offer beside what was asked for, with its key facts', offerReply),
  acceptOffer: byClient('accept_offer', 'Accept a counter-offer by its key facts', acceptOfferBody),
  declineOffer: byClient('decline_offer', 'Let a counter-offer go, which ends the application', noBody),
  loadExtension: ofApplication(
    'extension',
    'Whether there is more time to pay back: what was asked for or offered, and what it would cost',
    extensionReply,
  ),
  askExtension: byClient('ask_extension', 'Ask for more time to pay back', extensionBody),
  acceptExtension: byClient(
    'accept_extension',
    'Accept more time by its key facts; the fee is owed and the due date moves',
    acceptOfferBody,
  ),
  offerExtension: byOfficer(
    'offer_extension',
    'Offer more time to pay back; another officer agrees before the client sees it',
    extensionBody,
  ),
  agreeExtension: byOfficer(
    'agree_extension',
    'Agree to another officer’s offer of more time by its key facts; the client may accept it then',
    acceptOfferBody,
  ),
  withdrawExtension: byOfficer(
    'withdraw_extension',
    'Refuse what was asked for, or withdraw an offer of more time',
    noBody,
  ),
} as const;
