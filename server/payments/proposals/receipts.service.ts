import { isOnlyProposal } from '#contract/payments/proposals.ts';
import { decideReceipt } from '#contract/payments/receipt.ts';
import type { ReceiptProposalBody } from '#contract/payments/schema.ts';
import { refusalsBy } from '#contract/refusals/refusal.ts';
import { railCodes } from '#contract/statements/layouts.ts';
import { orRefuse, refuseFirst } from '#server/calls/app-error.ts';
import { doOnce } from '#server/changes/change.ts';
import { gather } from '#server/db/together.ts';
import { findDerivation } from '#server/payments/derived/derived.service.ts';
import { type Account, findEntryFacts, openAccount } from '#server/payments/entries.service.ts';
import { writeReceipt } from '#server/payments/payments.service.ts';
import { findCounted } from '#server/payments/received/received.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { markConfirmed, type OpenProposal, placeProposal, selectOpenProposal } from './proposals.queries.ts';

/** Receipts that one officer may not record alone: one proposes, another confirms. */

/**
 * Proposes to record a payment to us, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS, NEW_OFFICER;
 * PROPOSAL_OPEN; and what recording it throws.
 */
export function proposeReceipt(context: Context, tag: string, body: ReceiptProposalBody) {
  const { reason, ...receipt } = body;
  return doOnce(context, { name: 'proposeReceipt', input: { tag, body } }, async (work) => {
    const { account, counted } = await gather({
      account: openAccount(work, tag),
      standing: requireStanding(work),
      counted: findCounted(work.change, receipt),
    });
    const { open, derivation } = await gather({
      open: selectOpenProposal(work.change, account.invoice.id),
      derivation: findDerivation(work.change, account, work.caller.now),
    });
    refuseFirst(refusalsBy([isOnlyProposal], { open }));
    orRefuse(decideReceipt({ account, counted, derivation }, { kind: 'receipt', ...receipt }));
    placeProposal(work, account.invoice, { kind: 'receipt', amount: receipt.amount, reason, receipt });
  });
}

/** Records a receipt that another officer proposed, on a locked application. Throws what recording it throws. */
export async function confirmReceipt(work: Work, account: Account, proposal: OpenProposal): Promise<void> {
  const { amount, method, reference, referenceConfirmed, paidOn: date, payer } = proposal;
  const rail = railCodes.find((code) => code === method);
  // Never null, by the constraint write_off_proposals_receipt.
  if (rail === undefined || reference === null || date === null || payer === null)
    throw new Error('a proposed receipt without its terms');
  const receipt = { method: rail, reference, referenceConfirmed, date, payer, amount, confirmed: true };
  const { facts, ...found } = await gather({
    counted: findCounted(work.change, receipt),
    derivation: findDerivation(work.change, account, work.caller.now),
    facts: findEntryFacts(work, account.invoice, 'receipt'),
  });
  const decision = orRefuse(decideReceipt({ account, ...found }, { kind: 'receipt', ...receipt }));
  const { tag } = await writeReceipt(work, account, { decision, facts });
  markConfirmed(work, account.invoice, proposal, tag);
}
