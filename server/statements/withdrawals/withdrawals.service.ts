import { randomUUID } from 'node:crypto';
import type { Refusal } from '#contract/refusals/refusal.ts';
import type { WithdrawalAnswer, WithdrawalBody, WithdrawalReply } from '#contract/statements/schema.ts';
import {
  confirmationRefusals,
  consequencesOf,
  dropRefusals,
  obstaclesOf,
  proposalRefusals,
  type WithdrawalFacts,
} from '#contract/statements/withdrawal.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { AppError, orNotFound } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import { doOnce, recordEvent } from '#server/changes/change.ts';
import { together } from '#server/db/together.ts';
import { postArrivalReversal } from '#server/journal/journal.service.ts';
import { lockRail } from '#server/payments/received/received.queries.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { lockPeople, selectOfficersAmong } from '#server/sessions/officers.ts';
import { requireOthers } from '#server/statements/matching.service.ts';
import { findUses } from './uses.queries.ts';
import { notifyOfWithdrawal } from './withdrawals.messages.ts';
import {
  endWithdrawal,
  insertWithdrawal,
  lockLines,
  type StatementRow,
  selectArrivals,
  selectNames,
  selectStatement,
  selectWithdrawal,
  type WithdrawalRow,
} from './withdrawals.queries.ts';

/**
 * Withdraws a statement that was imported by mistake: one officer proposes it, another confirms. First, officers undo
 * whatever depends on its lines, such as repayments, with the usual steps.
 */

/** The reasons that stop a statement's withdrawal, and its consequences. Throws NOT_FOUND. */
export function readWithdrawal({ db }: Platform, tag: string): Promise<WithdrawalReply> {
  return db.inTransaction(
    async (snapshot) => {
      const uses = await findUses(snapshot, orNotFound(await selectStatement(snapshot, tag)));
      return {
        obstacles: obstaclesOf(uses).map(({ first, ...one }) => ({ ...one, first: [...first] })),
        consequences: consequencesOf(uses).map(({ first, ...one }) => ({ ...one, first: [...first] })),
      };
    },
    { isolation: 'repeatable read, read only' },
  );
}

/** Proposes to withdraw a statement. Throws NOT_FOUND, NEW_OFFICER, OWN_BUSINESS and {@link proposalRefusals}. */
export function proposeWithdrawal(context: Context, tag: string, body: WithdrawalBody) {
  return doOnce(context, { name: 'proposeWithdrawal', input: { tag, body } }, async (work) => {
    const { statement, facts } = await lockStatement(work, tag);
    refuse(proposalRefusals(facts));
    const { reason } = body;
    const proposal = randomUUID();
    insertWithdrawal(work.change, {
      tag: proposal,
      statement_id: statement.id,
      reason,
      proposed_at: context.caller.now,
      proposed_by: context.caller.person.id,
    });
    record(work, statement, 'withdrawalProposed', { proposal, reason });
    await notifyOfWithdrawal(work, { statement, reason, what: 'proposed' });
  });
}

/**
 * Withdraws a statement as another officer proposed: its arrivals are reversed, and its lines no longer count. Throws
 * NOT_FOUND, NEW_OFFICER, OWN_BUSINESS and {@link confirmationRefusals}.
 */
export function confirmWithdrawal(context: Context, tag: string, { withdrawalTag }: WithdrawalAnswer) {
  const { caller } = context;
  return doOnce(context, { name: 'confirmWithdrawal', input: { tag, withdrawalTag } }, async (work) => {
    const { statement, withdrawal, facts } = await lockStatement(work, tag);
    refuse(confirmationRefusals({ ...facts, tag: withdrawalTag, officerId: caller.person.id }));
    const { id, tag: proposal, reason } = orNotFound(withdrawal);
    const lines = await reverseArrivals(work, statement, { proposal, reason });
    endWithdrawal(work.change, id, { confirmed_at: caller.now, confirmed_by: caller.person.id });
    record(work, statement, 'withdrawn', { proposal, reason, lines });
    await notifyOfWithdrawal(work, { statement, reason, what: 'confirmed' });
  });
}

/** Drops a proposal, even one's own. Throws NOT_FOUND, NEW_OFFICER, OWN_BUSINESS, PROPOSAL_CLOSED. */
export function dropWithdrawal(context: Context, tag: string, { withdrawalTag }: WithdrawalAnswer) {
  return doOnce(context, { name: 'dropWithdrawal', input: { tag, withdrawalTag } }, async (work) => {
    const { statement, withdrawal, facts } = await lockStatement(work, tag);
    refuse(dropRefusals({ ...facts, tag: withdrawalTag }));
    const { id, tag: proposal } = orNotFound(withdrawal);
    endWithdrawal(work.change, id, { dropped_at: context.caller.now, dropped_by: context.caller.person.id });
    record(work, statement, 'withdrawalDropped', { proposal });
  });
}

interface LockedStatement {
  readonly statement: StatementRow;
  readonly withdrawal: WithdrawalRow | undefined;
  readonly facts: WithdrawalFacts;
}

/**
 * Locks a statement with its lines, and gathers the facts that decide its withdrawal. Refuses new officers, and
 * officers of a business that a line concerns. Locks people, the rail, then lines, like imports and requests to pay.
 */
async function lockStatement(work: Work, tag: string): Promise<LockedStatement> {
  const { change, caller } = work;
  const statement = orNotFound(await selectStatement(change, tag));
  const { id, rail, currencyId } = statement;
  const seen = await selectWithdrawal(change, id);
  if (seen !== undefined) lockPeople(change, [caller.person.id, seen.proposedBy]);
  await together(requireStanding(work), lockRail(change, rail));
  await lockLines(change, id);
  // Read after the locks: another officer may have closed or made a proposal, or credited a line.
  const [withdrawal, uses, names] = await together(
    selectWithdrawal(change, id),
    findUses(change, statement),
    selectNames(change, id),
  );
  await requireOthers(change, caller, { rail, currencyId, ...names, transfers: [] });
  const officers = withdrawal === undefined ? [] : await selectOfficersAmong(change, [withdrawal.proposedBy]);
  return { statement, withdrawal, facts: { withdrawal, isProposerOfficer: officers.length > 0, uses } };
}

function refuse([first]: readonly Refusal[]): void {
  if (first !== undefined) throw new AppError(first.code, first);
}

/** Reverses the arrivals of a statement, and records the withdrawal of each line. Returns the number of lines. */
async function reverseArrivals(
  work: Changing,
  { id: statementId, rail, currencyId }: StatementRow,
  { proposal, reason }: { readonly proposal: string; readonly reason: string },
): Promise<number> {
  const { change, caller } = work;
  const lines = await selectArrivals(change, statementId, kampalaDate(caller.now));
  for (const { id, tag, arrival } of lines) {
    const line = { id, tag, rail, currencyId };
    const entry = arrival === null ? null : postArrivalReversal(work, line, { ...arrival, reason });
    recordEvent(work, 'statementLine.withdrawn', ['statementLine', tag], { after: { proposal, entry } });
  }
  return lines.length;
}

function record(work: Changing, { tag }: StatementRow, what: string, after: unknown): void {
  recordEvent(work, `statement.${what}`, ['statement', tag], { after });
}
