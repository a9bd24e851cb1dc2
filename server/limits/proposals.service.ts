import { refusalsToConfirm } from '#contract/limits/limit-change.ts';
import type { WaitingProposal } from '#contract/limits/schema.ts';
import { AppError, refuseFirst } from '#server/calls/app-error.ts';
import { doOnce, recordEvent } from '#server/changes/change.ts';
import { gather } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import { findNewUntil } from '#server/people/standing/standing.service.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { presentWaiting } from './limits.presenter.ts';
import { lockClient } from './limits.queries.ts';
import { proposalFacts, requireOfficer, storeLimit } from './limits.service.ts';
import {
  closeProposal,
  type ProposalRow,
  proposalExists,
  selectProposal,
  selectProposals,
} from './proposals.queries.ts';

/** Limits proposed by one officer, for another to confirm or decline (docs/decisions/0014). */

/** The open proposals, oldest first. */
export async function listProposals(context: Context): Promise<WaitingProposal[]> {
  const { db } = context.platform;
  const { rows, newUntil } = await gather({ rows: selectProposals(db), newUntil: findNewUntil(context, db) });
  return rows.map((row) => presentWaiting(row, proposalFacts(context, row, newUntil)));
}

/**
 * Confirms a proposal, which sets the limit, by `refusalsToConfirm` (contract/limits/limit-change.ts); once per
 * Idempotency-Key. Also throws NOT_FOUND, PROPOSAL_CLOSED, FORBIDDEN, OWN_BUSINESS.
 */
export function confirmLimit(context: Context, tag: string) {
  return answerProposal(context, { name: 'confirmLimit', tag }, async (work, proposal) => {
    const { change, caller } = work;
    const facts = proposalFacts(work, proposal, await findNewUntil(work, change));
    refuseFirst(refusalsToConfirm(facts));
    await closeProposal(change, { ...proposal, outcome: 'confirmed', at: caller.now, by: caller.person.id });
    const { officerTag: proposedBy, reason, amount: after } = proposal;
    await storeLimit(work, proposal, { before: facts.current, after, audit: { reason, proposedBy } });
  });
}

/**
 * Declines a proposal, including one's own; once per Idempotency-Key. Throws NOT_FOUND, PROPOSAL_CLOSED, OWN_BUSINESS.
 */
export function declineLimit(context: Context, tag: string) {
  return answerProposal(context, { name: 'declineLimit', tag }, async (work, proposal) => {
    const { change, caller } = work;
    await closeProposal(change, { ...proposal, outcome: 'declined', at: caller.now, by: caller.person.id });
    const { currency, amount, businessTag } = proposal;
    recordEvent(work, 'limit.declined', ['business', businessTag], {
      before: { currency, proposed: amount },
    });
  });
}

/** Closes a proposal: locks people, then the client, then reads the proposal again. */
function answerProposal(
  context: Context,
  { name, tag }: { readonly name: string; readonly tag: string },
  answer: (work: Work, proposal: ProposalRow) => Promise<void>,
) {
  return doOnce(context, { name, input: tag }, async (work) => {
    const { change } = work;
    const seen = await requireOpen(change, tag);
    await requireOfficer(work, seen.businessId, [seen.proposedBy]);
    await lockClient(change, seen.businessId);
    await answer(work, await requireOpen(change, tag));
  });
}

async function requireOpen(change: Change, tag: string): Promise<ProposalRow> {
  const proposal = await selectProposal(change, tag);
  if (proposal !== undefined) return proposal;
  throw new AppError((await proposalExists(change, tag)) ? 'PROPOSAL_CLOSED' : 'NOT_FOUND');
}
