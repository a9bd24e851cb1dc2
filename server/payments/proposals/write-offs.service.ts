import { balanceOf } from '#contract/payments/balance.ts';
import type { WriteOffBody } from '#contract/payments/schema.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import { doOnce } from '#server/changes/change.ts';
import { endReminders } from '#server/collections/reminders.service.ts';
import { together } from '#server/db/together.ts';
import { postEntry, recordEntry } from '#server/journal/journal.service.ts';
import { type Account, openAccount } from '#server/payments/entries.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Context } from '#server/platform/work.ts';
import {
  keepConfirmed,
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
 * Proposes to write off all that is outstanding, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS;
 * STEP_NOT_ALLOWED if nothing is outstanding; WRITE_OFF_CHANGED if the officer saw another amount, PROPOSAL_OPEN;
 * NEW_OFFICER.
 */
export function proposeWriteOff(context: Context, tag: string, body: WriteOffBody) {
  return doOnce(context, { name: 'proposeWriteOff', input: { tag, body } }, async (work) => {
    const account = await openAccount(work, tag);
    const outstanding = requireOutstanding(account);
    const { id } = account.invoice;
    const [open] = await together(selectOpenProposal(work.change, id), requireStanding(work));
    if (open !== undefined) throw new AppError('PROPOSAL_OPEN');
    if (body.amount !== outstanding) throw new AppError('WRITE_OFF_CHANGED');
    placeProposal(work, account.invoice, { kind: 'writeOff', amount: outstanding, reason: body.reason });
  });
}

/**
 * Writes off the amount that another officer proposed, on a locked application. Throws STEP_NOT_ALLOWED;
 * WRITE_OFF_CHANGED.
 */
export async function confirmWriteOff(work: Changing, account: Account, proposal: OpenProposal): Promise<void> {
  if (proposal.amount !== requireOutstanding(account)) throw new AppError('WRITE_OFF_CHANGED');
  writeOff(work, account, proposal);
  await endReminders(work.change, account.invoice);
}

/** Writes off the proposed amount on an application that is locked and checked. */
export function writeOff(work: Changing, account: Account, proposal: OpenProposal): void {
  const { change, caller } = work;
  const { application, standing, invoice } = account;
  const { amount, reason } = proposal;
  const entry = postEntry(work, account, {
    kind: 'writeOff',
    amount,
    date: kampalaDate(caller.now),
    reason,
    rounded: balanceOf(application.advance, standing).owedToClient,
  });
  setOutstanding(change, invoice.id, 0);
  recordEntry(work, invoice, entry);
  keepConfirmed(work, invoice, proposal, entry.tag);
}

/** The outstanding amount, in minor units. Throws STEP_NOT_ALLOWED if nothing is outstanding. */
function requireOutstanding({ application, standing, invoice }: Account): number {
  const { outstanding } = balanceOf(application.advance, standing);
  if (invoice.status !== 'Disbursed' || outstanding === 0) throw new AppError('STEP_NOT_ALLOWED');
  return outstanding;
}
