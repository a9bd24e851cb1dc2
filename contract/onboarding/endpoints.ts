import { z } from 'zod';
import { actionsAt } from '#contract/actions.ts';
import { endpoint } from '#contract/endpoint.ts';
import { made, pageBody, success } from '#contract/fields.ts';
import { updated } from '#contract/people/endpoints.ts';
import { updatePersonBody } from '#contract/people/schema.ts';
import {
  activationForm,
  activationReply,
  addBuyerBody,
  buyerRequestForm,
  buyerRequestRow,
  onboardingCounts,
  ownBuyerRequest,
  refuseBuyerForm,
  walletForm,
} from './schema.ts';

const withRequest = actionsAt('/buyer_requests', 'businesses.edit', success);

/** Newcomers' details, and buyers that clients ask for (docs/decisions/0032-onboarding.md). */
export const onboardingEndpoints = {
  activation: endpoint({
    method: 'GET',
    path: '/users/activation',
    summary: "How the caller's activation stands, and what they said of their business",
    reply: activationReply,
    needs: 'session',
  }),
  stateDetails: endpoint({
    method: 'POST',
    path: '/users/activation',
    summary: 'Say who one is and for which business, while one waits for activation',
    body: activationForm,
    reply: success,
    needs: 'session',
  }),
  stateWallet: endpoint({
    method: 'POST',
    path: '/users/activation/wallet',
    summary: "Say that cash goes to the mobile money of one's own number, while one waits for activation",
    body: walletForm,
    reply: success,
    needs: 'session',
  }),
  updatePerson: endpoint({
    method: 'POST',
    path: '/persons/update_minimal_business',
    summary: 'Update a person and their business; activates one who waits for it',
    body: updatePersonBody,
    reply: updated,
    needs: 'people.update',
  }),
  onboardingCounts: endpoint({
    method: 'GET',
    path: '/onboarding/counts',
    summary: 'How many people wait for activation, and how many buyers are to be added',
    reply: onboardingCounts,
    needs: 'people.list',
  }),
  ownBuyerRequests: endpoint({
    method: 'GET',
    path: '/buyer_requests',
    summary: "The buyers that the caller's business asked for lately",
    reply: z.array(ownBuyerRequest),
    needs: 'invoices.edit',
  }),
  requestBuyer: endpoint({
    method: 'POST',
    path: '/buyer_requests',
    summary: 'Ask for a buyer that is not offered',
    body: buyerRequestForm,
    reply: made,
    needs: 'invoices.edit',
  }),
  listBuyerRequests: endpoint({
    method: 'POST',
    path: '/buyer_requests/paged',
    summary: 'A page of the buyers that clients ask for, oldest first',
    body: pageBody,
    reply: z.array(buyerRequestRow),
    needs: 'businesses.list',
    changes: false,
  }),
  addBuyer: withRequest(
    'add',
    'Add the buyer that was asked for: a new business, or one that is there already',
    addBuyerBody,
  ),
  refuseBuyer: withRequest('refuse', 'Refuse a buyer that was asked for, with a reason', refuseBuyerForm),
} as const;
