import type { WriteOffBody } from '#contract/payments/schema.ts';
import { decideWriteOff, refusalsToProposeWriteOff } from '#contract/payments/write-off.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { orRefuse, refuseFirst } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import { doOnce } from '#server/changes/change.ts';
import { endReminders } from '#server/collections/reminders.service.ts';
import { gather } from '#server/db/together.ts';
import { postEntry, recordEntry } from '#server/journal/journal.service.ts';
import { type Account, openAccount } from '#server/payments/entries.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Context } from '#server/platform/work.ts';
import {
  markConfirmed,
  type OpenProposal,
  placeProposal,
  selectOpenProposal,
  setOutstanding,
} from './proposals.queries.ts';

/**
 * Write-offs (docs/decisions/0042-double-entry.md): one officer proposes to give up what is outstanding, another
 * confirms. The application stays paid out; later payments are recoveries.
 */

/**
 * Proposes to write off all that is outstanding, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS, NEW_OFFICER,
 * and the first refusal of {@link refusalsToProposeWriteOff}.
 */
export function proposeWriteOff(context: Context, tag: string, body: WriteOffBody) {
  return doOnce(context, { name: 'proposeWriteOff', input: { tag, body } }, async (work) => {
    const { account } = await gather({ account: openAccount(work, tag), standing: requireStanding(work) });
    const open = await selectOpenProposal(work.change, account.invoice.id);
    refuseFirst(refusalsToProposeWriteOff({ account, open }, body.amount));
    placeProposal(work, account.invoice, { kind: 'writeOff', ...body });
  });
}

/**
 * Writes off the amount that another officer proposed, on a locked application. Throws the first refusal of
 * {@link decideWriteOff}.
 */
export async function confirmWriteOff(work: Changing, account: Account, proposal: OpenProposal): Promise<void> {
  writeOff(work, account, proposal);
  await endReminders(work.change, account.invoice);
}

/** Like {@link confirmWriteOff}, but leaves the reminders. */
export function writeOff(work: Changing, account: Account, proposal: OpenProposal): void {
  const { invoice } = account;
  const decision = orRefuse(decideWriteOff({ account, today: kampalaDate(work.caller.now) }, proposal));
  const entry = postEntry(work, account, decision);
  setOutstanding(work.change, invoice.id, 0);
  recordEntry(work, invoice, entry);
  markConfirmed(work, invoice, proposal, entry.tag);
}
