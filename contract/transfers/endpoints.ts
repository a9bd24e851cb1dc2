import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { success } from '#contract/fields.ts';
import { openTransfer } from './schema.ts';

/** Transfers over a provider's rail (docs/decisions/0047-rails.md). */
export const transferEndpoints = {
  openTransfers: endpoint({
    method: 'GET',
    path: '/transfers/open',
    summary: 'The payouts that are on their way, late ones first',
    reply: z.array(openTransfer),
    needs: 'desk.view',
  }),
  railCallback: endpoint({
    method: 'PUT',
    path: '/rails/:rail/callback',
    aliases: [{ method: 'POST', path: '/rails/:rail/callback' }],
    summary: 'A provider says that a transfer has ended: a hint to ask it, and nothing more',
    params: z.strictObject({ rail: z.string().max(30) }),
    body: z.unknown(),
    maximumBytes: 16 * 1024,
    reply: success,
    needs: 'public',
  }),
} as const;
