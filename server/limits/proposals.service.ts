import type { WaitingProposal } from '#contract/limits/schema.ts';
import { AppError } from '#server/calls/app-error.ts';
import { doOnce, recordEvent } from '#server/changes/change.ts';
import type { Change } from '#server/db/transaction.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { lockPeople, selectOfficersAmong } from '#server/sessions/officers.ts';
import { presentWaiting } from './limits.presenter.ts';
import { lockClient } from './limits.queries.ts';
import { limitInForce, requireBelowHighest, storeLimit } from './limits.service.ts';
import {
  closeProposal,
  type ProposalRow,
  proposalExists,
  selectProposal,
  selectProposals,
} from './proposals.queries.ts';

/** Limits proposed by one officer, for another to confirm or decline (docs/decisions/0014). */

/** The open proposals, oldest first. */
export async function listProposals(platform: Platform): Promise<WaitingProposal[]> {
  const rows = await selectProposals(platform.db);
  return rows.map((row) => presentWaiting(row, limitInForce(platform, row)));
}

/**
 * Confirms a proposal, which sets the limit; once per Idempotency-Key. Throws NOT_FOUND, PROPOSAL_CLOSED, OWN_BUSINESS;
 * OWN_PROPOSAL for its proposer; NEW_OFFICER; PROPOSAL_VOID if the proposer is no longer an officer or the limit has
 * changed; LIMIT_TOO_HIGH.
 */
export function confirmLimit(context: Context, tag: string) {
  return answerProposal(context, { name: 'confirmLimit', tag }, async (work, proposal) => {
    const { platform, change, caller } = work;
    if (proposal.proposedBy === caller.person.id) throw new AppError('OWN_PROPOSAL');
    await requireStanding(work);
    const before = limitInForce(platform, proposal);
    if (!proposal.byOfficer || before !== proposal.replaces) throw new AppError('PROPOSAL_VOID');
    requireBelowHighest(platform, proposal.currency, proposal.amount);
    await closeProposal(change, { ...proposal, outcome: 'confirmed', at: caller.now, by: caller.person.id });
    const { officerTag: proposedBy, reason } = proposal;
    await storeLimit(work, proposal, { before, after: proposal.amount, audit: { reason, proposedBy } });
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
    const { change, caller } = work;
    const seen = await requireOpen(change, tag);
    lockPeople(change, [caller.person.id, seen.proposedBy]);
    const [me] = await selectOfficersAmong(change, [caller.person.id]);
    if (me === undefined) throw new AppError('FORBIDDEN');
    if (me.businessId === seen.businessId) throw new AppError('OWN_BUSINESS');
    await lockClient(change, seen.businessId);
    await answer(work, await requireOpen(change, tag));
  });
}

async function requireOpen(change: Change, tag: string): Promise<ProposalRow> {
  const proposal = await selectProposal(change, tag);
  if (proposal !== undefined) return proposal;
  throw new AppError((await proposalExists(change, tag)) ? 'PROPOSAL_CLOSED' : 'NOT_FOUND');
}
