import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { byTag, pageBody, success } from '#contract/fields.ts';
import { businessLimit, earnedRaise, fundingLimit, setLimitBody, waitingProposal } from './schema.ts';

/** The funding limits of clients, one for each currency. */
export const limitEndpoints = {
  ownLimits: endpoint({
    method: 'GET',
    path: '/limits/own',
    summary: 'The limits of the caller’s own business, what they can use of them and what would raise them',
    reply: z.array(fundingLimit),
    needs: 'limits.own',
  }),
  businessLimits: endpoint({
    method: 'GET',
    path: '/businesses/:tag/limits',
    summary: 'The limits of a client, what is out and what they can use',
    params: byTag,
    reply: z.array(businessLimit),
    needs: 'limits.all',
  }),
  setLimit: endpoint({
    method: 'POST',
    path: '/businesses/:tag/limits',
    summary: 'Set a client’s limit in one currency, or propose it where another officer has to confirm it',
    params: byTag,
    body: setLimitBody,
    reply: success.extend({ proposed: z.boolean() }),
    needs: 'limits.set',
  }),
  limitProposals: endpoint({
    method: 'GET',
    path: '/limits/proposals',
    summary: 'The limits that wait for another officer to confirm them, the oldest first',
    reply: z.array(waitingProposal),
    needs: 'limits.all',
  }),
  confirmLimit: endpoint({
    method: 'POST',
    path: '/limits/proposals/:tag/confirm',
    summary: 'Confirm a limit that another officer proposed',
    params: byTag,
    reply: success,
    needs: 'limits.set',
  }),
  declineLimit: endpoint({
    method: 'POST',
    path: '/limits/proposals/:tag/decline',
    summary: 'Decline a limit that was proposed',
    params: byTag,
    reply: success,
    needs: 'limits.set',
  }),
  earnedRaises: endpoint({
    method: 'POST',
    path: '/limits/earned',
    summary: 'A page of clients who have earned a higher limit by the rule of growth',
    body: pageBody,
    reply: z.array(earnedRaise),
    needs: 'limits.all',
    changes: false,
  }),
} as const;
