import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { afterQuery, rowsAfter, success, tag } from '#contract/fields.ts';
import { batchBody, payoutBatches } from './batches.ts';
import { askedReply, askedTransfer, askingBody, endingAnswer, endingBody, openTransfer } from './schema.ts';

const byTag = z.strictObject({ tag });

/** Transfers over a provider's rail (docs/decisions/0047-rails.md). */
export const transferEndpoints = {
  openTransfers: endpoint({
    method: 'GET',
    path: '/transfers/open',
    summary: 'The payouts that are on their way, and late requests to pay; late ones first',
    query: afterQuery,
    reply: rowsAfter(openTransfer),
    needs: 'desk.view',
  }),
  askTransfers: endpoint({
    method: 'POST',
    path: '/transfers/ask',
    summary: 'Ask the provider how each transfer of a day ended, as far as that goes in ten seconds',
    body: askingBody,
    reply: askedReply,
    needs: 'payments.record',
  }),
  askTransfer: endpoint({
    method: 'POST',
    path: '/transfers/:tag/ask',
    summary: 'Ask the provider how a transfer ended',
    params: byTag,
    reply: askedTransfer,
    needs: 'payments.record',
  }),
  proposeEnding: endpoint({
    method: 'POST',
    path: '/transfers/:tag/ending/propose',
    summary: 'Say how a transfer ended that its provider does not tell, for another officer to confirm',
    params: byTag,
    body: endingBody,
    reply: success,
    needs: 'payments.record',
  }),
  confirmEnding: endpoint({
    method: 'POST',
    path: '/transfers/:tag/ending/confirm',
    summary: 'End a transfer as another officer proposed',
    params: byTag,
    body: endingAnswer,
    reply: success,
    needs: 'payments.record',
  }),
  dropEnding: endpoint({
    method: 'POST',
    path: '/transfers/:tag/ending/drop',
    summary: 'Drop the proposal to end a transfer by hand',
    params: byTag,
    body: endingAnswer,
    reply: success,
    needs: 'payments.record',
  }),
  payoutBatches: endpoint({
    method: 'GET',
    path: '/payout_batches',
    summary: 'What waits for a file for the bank, and the newest files',
    reply: payoutBatches,
    needs: 'desk.view',
  }),
  makePayoutBatch: endpoint({
    method: 'POST',
    path: '/payout_batches',
    summary: 'Take the released payouts of a currency into a file for the bank',
    body: batchBody,
    reply: success.extend({ data: z.strictObject({ tag }) }),
    needs: 'payments.record',
  }),
  payoutBatchFile: endpoint({
    method: 'GET',
    path: '/payout_batches/:tag/file.csv',
    summary: 'The file of a batch for the bank',
    params: z.strictObject({ tag }),
    file: true,
    reply: z.unknown(),
    needs: 'payments.record',
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
