import type { ProposalAnswer } from '#contract/payments/schema.ts';
import { isSameTag } from '#contract/tags.ts';
import { AppError } from '#server/calls/app-error.ts';
import { systemActor } from '#server/calls/caller.ts';
import { doOnce } from '#server/changes/change.ts';

import { type Account, openAccount, openForKasente } from '#server/payments/entries.service.ts';
import { confirmReversal } from '#server/payments/reversals.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { lockPeople, selectOfficersAmong } from '#server/sessions/officers.ts';
import { dropProposal, type OpenProposal, selectDecided, selectOpenProposal } from './proposals.queries.ts';
import { confirmReceipt } from './receipts.service.ts';
import { confirmWriteOff } from './write-offs.service.ts';

/**
 * Where money or a debt disappears, one officer proposes and another confirms, and neither may be new
 * (docs/decisions/0033-officers-who-cheat.md). A later entry that makes a proposal moot drops it.
 */

/**
 * Confirms another officer's proposal, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS, NEW_OFFICER;
 * PROPOSAL_CLOSED; OWN_PROPOSAL for the proposer; PROPOSAL_VOID if the proposer is no longer an officer; and what the
 * proposed step throws.
 */
export function confirmProposal(context: Context, tag: string, body: ProposalAnswer) {
  return doOnce(context, { name: 'confirmProposal', input: { tag, body } }, async (work) => {
    const { account, proposal } = await openProposal(work, tag, body);
    if (proposal.proposedBy === context.caller.person.id) throw new AppError('OWN_PROPOSAL');
    const [proposer] = await selectOfficersAmong(work.change, [proposal.proposedBy]);
    if (proposer === undefined) throw new AppError('PROPOSAL_VOID');
    switch (proposal.kind) {
      case 'writeOff':
        return confirmWriteOff(work, account, proposal);
      case 'reversal':
        return confirmReversal(work, account, proposal);
      case 'receipt':
        return confirmReceipt(work, account, proposal);
    }
  });
}

/** Drops a proposal, even one's own. Throws NOT_FOUND, OWN_BUSINESS, NEW_OFFICER and PROPOSAL_CLOSED. */
export function withdrawProposal(context: Context, tag: string, body: ProposalAnswer) {
  return doOnce(context, { name: 'dropProposal', input: { tag, body } }, async (work) => {
    const { account, proposal } = await openProposal(work, tag, body);
    dropProposal(work, account.invoice, proposal);
  });
}

/** Drops the proposals that a statement or a provider has settled. */
export async function dropDecided(platform: Platform): Promise<void> {
  const caller = systemActor('decided proposals', platform.clock.now());
  for (const { tag, id } of await selectDecided(platform.db))
    await platform.db.inTransaction(async (change) => {
      const { invoice } = await openForKasente(change, tag);
      const open = await selectOpenProposal(change, invoice.id);
      if (open?.id === id) dropProposal({ change, caller }, invoice, open);
    });
}

interface Proposed {
  readonly account: Account;
  readonly proposal: OpenProposal;
}

/** Locks an application, the proposal that the caller refers to, and its proposer. */
async function openProposal(work: Work, tag: string, { proposalTag }: ProposalAnswer): Promise<Proposed> {
  const { change, caller } = work;
  const account = await openAccount(work, tag);
  const proposal = await selectOpenProposal(change, account.invoice.id);
  if (proposal !== undefined) lockPeople(change, [caller.person.id, proposal.proposedBy]);
  await requireStanding(work);
  if (proposal === undefined || !isSameTag(proposalTag, proposal.tag)) throw new AppError('PROPOSAL_CLOSED');
  return { account, proposal };
}
