import { z } from 'zod';
import { actionsAt } from '#contract/actions.ts';
import { endpoint } from '#contract/endpoint.ts';
import { byTag, made, success } from '#contract/fields.ts';
import { batchBody, payoutBatches } from './batches.ts';
import { askedReply, askedTransfer, askingBody, endingAnswer, endingBody } from './schema.ts';

const withTransfer = actionsAt('/transfers', 'payments.record', success);

/** Transfers over a provider's rail (docs/decisions/0047-rails.md). */
export const transferEndpoints = {
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
  proposeEnding: withTransfer(
    'ending/propose',
    'Say how a transfer ended that its provider does not tell, for another officer to confirm',
    endingBody,
  ),
  confirmEnding: withTransfer('ending/confirm', 'End a transfer as another officer proposed', endingAnswer),
  dropEnding: withTransfer('ending/drop', 'Drop the proposal to end a transfer by hand', endingAnswer),
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
    reply: made,
    needs: 'payments.record',
  }),
  payoutBatchFile: endpoint({
    method: 'GET',
    path: '/payout_batches/:tag/file.csv',
    summary: 'The file of a batch for the bank',
    params: byTag,
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
    anyBodyType: true,
    maximumBytes: 16 * 1024,
    reply: success,
    needs: 'public',
  }),
} as const;
