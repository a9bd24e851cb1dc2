import { decideAnswer } from '#contract/payments/proposals.ts';
import type { ProposalAnswer } from '#contract/payments/schema.ts';
import { orRefuse } from '#server/calls/app-error.ts';
import { systemActor } from '#server/calls/caller.ts';
import { doOnce } from '#server/changes/change.ts';
import { gather } from '#server/db/together.ts';
import { openAccount, openForKasente } from '#server/payments/entries.service.ts';
import { confirmReversal } from '#server/payments/reversals.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { lockPeople, selectOfficersAmong } from '#server/sessions/officers.ts';
import { dropProposal, selectDecided, selectOpenProposal } from './proposals.queries.ts';
import { confirmReceipt } from './receipts.service.ts';
import { confirmWriteOff } from './write-offs.service.ts';

/**
 * Where money or a debt disappears, one officer proposes and another confirms, and neither may be new
 * (docs/decisions/0033-officers-who-cheat.md). A later entry that makes a proposal moot drops it.
 */

/**
 * Confirms another officer's proposal, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS, NEW_OFFICER; the first
 * refusal of {@link decideAnswer}; and what the proposed step throws.
 */
export function confirmProposal(context: Context, tag: string, body: ProposalAnswer) {
  return doOnce(context, { name: 'confirmProposal', input: { tag, body } }, async (work) => {
    const { account, ...facts } = await openProposal(work, tag);
    const proposal = orRefuse(decideAnswer({ ...facts, ...body }, 'confirm'));
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
    const { account, ...facts } = await openProposal(work, tag);
    dropProposal(work, account.invoice, orRefuse(decideAnswer({ ...facts, ...body }, 'drop')));
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

/** Locks an application, its open proposal's proposer and the caller. Throws NOT_FOUND, OWN_BUSINESS, NEW_OFFICER. */
async function openProposal(work: Work, tag: string) {
  const { change, caller } = work;
  const me = caller.person.id;
  const account = await openAccount(work, tag);
  const open = await selectOpenProposal(change, account.invoice.id);
  if (open !== undefined) lockPeople(change, [me, open.proposedBy]);
  const { officers } = await gather({
    standing: requireStanding(work),
    officers: open === undefined ? [] : selectOfficersAmong(change, [open.proposedBy]),
  });
  return { account, open, me, isProposerOfficer: officers.length > 0 };
}
