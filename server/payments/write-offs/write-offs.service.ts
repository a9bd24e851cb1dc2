import { minorToNumeric } from '#contract/money.ts';
import { balanceOf } from '#contract/payments/balance.ts';
import type { WriteOffAnswer, WriteOffBody } from '#contract/payments/schema.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { endReminders } from '#server/collections/reminders.service.ts';
import { type Change, recordEvent } from '#server/db/change.ts';
import { together } from '#server/db/together.ts';
import { AppError } from '#server/http/app-error.ts';
import { doOnce } from '#server/http/done.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import { isSameTag } from '#server/invoices/invoices.service.ts';
import { postEntry, recordEntry } from '#server/journal/journal.service.ts';
import { type Account, openAccount } from '#server/payments/entries.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform.ts';
import {
  dropProposal,
  endProposal,
  insertProposal,
  type OpenProposal,
  selectOpenProposal,
  setOutstanding,
} from './write-offs.queries.ts';

/**
 * Write-offs (docs/decisions/0042-double-entry.md): one officer proposes to give up what is outstanding, another
 * confirms. The application stays paid out; later payments are recoveries.
 */

export { isOpenProposal, selectOpenProposal as findOpenProposal } from './write-offs.queries.ts';

/**
 * Proposes to write off all that is outstanding, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS;
 * STEP_NOT_ALLOWED if nothing is outstanding; WRITE_OFF_CHANGED if the officer saw another amount, WRITE_OFF_PROPOSED;
 * NEW_OFFICER.
 */
export function proposeWriteOff(platform: Platform, caller: SignedInCaller, tag: string, body: WriteOffBody) {
  return doOnce(platform, caller, { name: 'proposeWriteOff', input: { tag, body } }, async (change) => {
    const { account, open, outstanding } = await openLoss(platform, change, caller, tag);
    if (open !== undefined) throw new AppError('WRITE_OFF_PROPOSED');
    if (body.amount !== outstanding) throw new AppError('WRITE_OFF_CHANGED');
    placeProposal(change, caller, account, { outstanding, reason: body.reason });
  });
}

/** Proposes on a locked and checked application. */
export function placeProposal(
  change: Change,
  caller: SignedInCaller,
  account: Account,
  { outstanding, reason }: { readonly outstanding: number; readonly reason: string },
): void {
  insertProposal(change, {
    ...{ invoice_id: account.invoice.id, amount: minorToNumeric(outstanding), reason },
    ...{ proposed_at: caller.now, proposed_by: caller.person.id },
  });
  const after = { amount: outstanding, reason };
  recordEvent(change, caller, 'writeOff.proposed', ['invoice', account.invoice.tag], { after });
}

/**
 * Confirms another officer's proposal, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS; STEP_NOT_ALLOWED,
 * WRITE_OFF_CLOSED; OWN_WRITE_OFF for the proposer; WRITE_OFF_CHANGED if something was paid since; NEW_OFFICER.
 */
export function confirmWriteOff(platform: Platform, caller: SignedInCaller, tag: string, body: WriteOffAnswer) {
  return doOnce(platform, caller, { name: 'confirmWriteOff', input: { tag, body } }, async (change) => {
    const { account, open, outstanding } = await openLoss(platform, change, caller, tag);
    const proposal = requireOpen(open, body);
    if (proposal.proposedBy === caller.person.id) throw new AppError('OWN_WRITE_OFF');
    if (proposal.amount !== outstanding) throw new AppError('WRITE_OFF_CHANGED');
    writeOff(change, caller, account, proposal);
    await endReminders(change, account.invoice);
  });
}

/** Writes off what was proposed on a locked and checked application. */
export function writeOff(
  change: Change,
  caller: SignedInCaller,
  account: Account,
  { id, amount, reason }: Pick<OpenProposal, 'id' | 'amount' | 'reason'>,
): void {
  const { application, standing, invoice } = account;
  const entry = postEntry(change, caller, account, standing, {
    ...{ kind: 'writeOff', amount, date: kampalaDate(caller.now), reason },
    rounded: balanceOf(application.advance, standing).owedToClient,
  });
  endProposal(change, id, { confirmed_at: caller.now, confirmed_by: caller.person.id });
  setOutstanding(change, invoice.id, 0);
  recordEntry(change, caller, invoice, entry);
  recordEvent(change, caller, 'writeOff.confirmed', ['invoice', invoice.tag], { after: { amount, entry: entry.tag } });
}

/** Drops a proposal, even one's own. Throws NOT_FOUND, OWN_BUSINESS and WRITE_OFF_CLOSED. */
export function dropWriteOff(platform: Platform, caller: SignedInCaller, tag: string, body: WriteOffAnswer) {
  return doOnce(platform, caller, { name: 'dropWriteOff', input: { tag, body } }, async (change) => {
    const account = await openAccount(change, caller, tag);
    const proposal = requireOpen(await selectOpenProposal(change, account.invoice.id), body);
    dropProposal(change, caller, account.invoice, proposal);
  });
}

interface Loss {
  readonly account: Account;
  readonly open: OpenProposal | undefined;
  /** Minor units. */
  readonly outstanding: number;
}

/** Locks an application with something outstanding. */
async function openLoss(platform: Platform, change: Change, caller: SignedInCaller, tag: string): Promise<Loss> {
  const account = await openAccount(change, caller, tag);
  const { outstanding } = balanceOf(account.application.advance, account.standing);
  if (account.invoice.status !== 'Disbursed' || outstanding === 0) throw new AppError('STEP_NOT_ALLOWED');
  const [open] = await together(
    selectOpenProposal(change, account.invoice.id),
    requireStanding(platform, change, caller),
  );
  return { account, open, outstanding };
}

function requireOpen(open: OpenProposal | undefined, { proposalTag }: WriteOffAnswer): OpenProposal {
  if (open === undefined || !isSameTag(proposalTag, open.tag)) throw new AppError('WRITE_OFF_CLOSED');
  return open;
}
