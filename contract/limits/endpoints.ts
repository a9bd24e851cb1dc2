import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { success, tag } from '#contract/fields.ts';
import { earnedRaise, fundingLimit, raisesBody, setLimitBody } from '#contract/limits/schema.ts';

const byTag = z.strictObject({ tag });

/** Funding limits of clients, a currency each. */
export const limitEndpoints = {
  ownLimits: endpoint({
    method: 'GET',
    path: '/limits/own',
    summary: 'The limits of the caller’s own business, what is used of them and what would raise them',
    reply: z.array(fundingLimit),
    needs: 'limits.own',
  }),
  businessLimits: endpoint({
    method: 'GET',
    path: '/businesses/:tag/limits',
    summary: 'The limits of a client',
    params: byTag,
    reply: z.array(fundingLimit),
    needs: 'limits.all',
  }),
  setLimit: endpoint({
    method: 'POST',
    path: '/businesses/:tag/limits',
    summary: 'Set a client’s limit in one currency',
    params: byTag,
    body: setLimitBody,
    reply: success,
    needs: 'limits.set',
  }),
  earnedRaises: endpoint({
    method: 'POST',
    path: '/limits/earned',
    summary: 'A page of clients who have earned a higher limit by the rule of growth',
    body: raisesBody,
    reply: z.array(earnedRaise),
    needs: 'limits.all',
    changes: false,
  }),
} as const;
