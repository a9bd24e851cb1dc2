import type { ReceiptProposalBody } from '#contract/payments/schema.ts';
import { railCodes } from '#contract/statements/layouts.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import { doOnce } from '#server/changes/change.ts';
import { together } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import { findCounted, refuseCounted } from '#server/payments/arrived/arrived.service.ts';
import { type Account, openAccount } from '#server/payments/entries.service.ts';
import { beginReceipt, receive } from '#server/payments/payments.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { keepConfirmed, type OpenProposal, placeProposal, selectOpenProposal } from './proposals.queries.ts';

/** Receipts that one officer may not record alone: one proposes, another confirms. */

/**
 * Proposes to record a payment to us, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS, NEW_OFFICER;
 * PROPOSAL_OPEN; and what recording it throws.
 */
export function proposeReceipt(platform: Platform, caller: SignedInCaller, tag: string, body: ReceiptProposalBody) {
  const { reason, ...receipt } = body;
  return doOnce(platform, caller, { name: 'proposeReceipt', input: { tag, body } }, async (change) => {
    const [account, , counted] = await together(
      openAccount(change, caller, tag),
      requireStanding(platform, change, caller),
      findCounted(change, receipt),
    );
    const { invoice } = account;
    if ((await selectOpenProposal(change, invoice.id)) !== undefined) throw new AppError('PROPOSAL_OPEN');
    refuseCounted({ ...receipt, applicationTag: invoice.tag }, counted);
    await beginReceipt(platform, change, caller, account, { kind: 'receipt', ...receipt });
    placeProposal(change, caller, invoice, { kind: 'receipt', amount: receipt.amount, reason, receipt });
  });
}

/** Records what another officer proposed, on a locked application. Throws what recording it throws. */
export async function confirmReceipt(
  platform: Platform,
  change: Change,
  caller: SignedInCaller,
  account: Account,
  proposal: OpenProposal,
): Promise<void> {
  const { amount, method, reference, referenceConfirmed, paidOn: date, payer } = proposal;
  const rail = railCodes.find((code) => code === method);
  // The constraint write_off_proposals_receipt.
  if (rail === undefined || reference === null || date === null || payer === null)
    throw new Error('a proposed receipt without its terms');
  const receipt = { method: rail, reference, referenceConfirmed, date, payer, amount, confirmed: true };
  refuseCounted({ ...receipt, applicationTag: account.invoice.tag }, await findCounted(change, receipt));
  const { tag } = await receive(platform, change, caller, account, { kind: 'receipt', ...receipt });
  keepConfirmed(change, caller, account.invoice, proposal, tag);
}
