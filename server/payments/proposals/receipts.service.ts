import type { ReceiptProposalBody } from '#contract/payments/schema.ts';
import { railCodes } from '#contract/statements/layouts.ts';
import { AppError } from '#server/calls/app-error.ts';
import { doOnce } from '#server/changes/change.ts';
import { together } from '#server/db/together.ts';
import { findCounted, refuseCounted } from '#server/payments/arrived/arrived.service.ts';
import { type Account, openAccount } from '#server/payments/entries.service.ts';
import { beginReceipt, receive } from '#server/payments/payments.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { keepConfirmed, type OpenProposal, placeProposal, selectOpenProposal } from './proposals.queries.ts';

/** Receipts that one officer may not record alone: one proposes, another confirms. */

/**
 * Proposes to record a payment to us, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS, NEW_OFFICER;
 * PROPOSAL_OPEN; and what recording it throws.
 */
export function proposeReceipt(context: Context, tag: string, body: ReceiptProposalBody) {
  const { reason, ...receipt } = body;
  return doOnce(context, { name: 'proposeReceipt', input: { tag, body } }, async (work) => {
    const [account, , counted] = await together(
      openAccount(work, tag),
      requireStanding(work),
      findCounted(work.change, receipt),
    );
    const { invoice } = account;
    if ((await selectOpenProposal(work.change, invoice.id)) !== undefined) throw new AppError('PROPOSAL_OPEN');
    refuseCounted({ ...receipt, applicationTag: invoice.tag }, counted);
    await beginReceipt(work, account, { kind: 'receipt', ...receipt });
    placeProposal(work, invoice, { kind: 'receipt', amount: receipt.amount, reason, receipt });
  });
}

/** Records what another officer proposed, on a locked application. Throws what recording it throws. */
export async function confirmReceipt(work: Work, account: Account, proposal: OpenProposal): Promise<void> {
  const { amount, method, reference, referenceConfirmed, paidOn: date, payer } = proposal;
  const rail = railCodes.find((code) => code === method);
  // The constraint write_off_proposals_receipt.
  if (rail === undefined || reference === null || date === null || payer === null)
    throw new Error('a proposed receipt without its terms');
  const receipt = { method: rail, reference, referenceConfirmed, date, payer, amount, confirmed: true };
  refuseCounted({ ...receipt, applicationTag: account.invoice.tag }, await findCounted(work.change, receipt));
  const { tag } = await receive(work, account, { kind: 'receipt', ...receipt });
  keepConfirmed(work, account.invoice, proposal, tag);
}
