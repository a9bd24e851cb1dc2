import { randomUUID } from 'node:crypto';
import { FUTURE_DATE } from '#contract/invoices/schema.ts';
import { minorToNumeric } from '#contract/money.ts';
import { referenceKey } from '#contract/payments/reference-key.ts';
import { refusalOfUsedReference } from '#contract/payouts/paid-before.ts';
import { refusalsBy } from '#contract/refusals/refusal.ts';
import type { ReturnAnswer, ReturnBody, ReturnedBody, ReturnRefusal } from '#contract/statements/schema.ts';
import { isAfter, kampalaDate } from '#contract/time/calendar.ts';
import { AppError, fieldError, orNotFound, refuseFirst } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import { doOnce, recordEvent } from '#server/changes/change.ts';
import { together } from '#server/db/together.ts';
import { postOutside } from '#server/journal/journal.service.ts';
import { findPaidUnder } from '#server/payments/paid-out.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { requireOthers } from './matching.service.ts';
import { endReturn, insertReturn, type OpenReturn, selectOpenReturns } from './returns.queries.ts';
import { lockWaiting, type WaitingLine } from './waiting.queries.ts';

/** Returns money to its sender: one officer proposes it, and another confirms that it was sent. */

/**
 * Proposes to send back all or part of what is left of a line. Throws NOT_FOUND, OWN_BUSINESS, NEW_OFFICER,
 * RETURN_OPEN, RECEIVED_CHANGED.
 */
export function proposeReturn(context: Context, tag: string, body: ReturnBody) {
  return doOnce(context, { name: 'proposeReturn', input: { tag, body } }, async (work) => {
    const { line, open } = await lockLine(work, tag);
    if (open !== undefined) throw new AppError('RETURN_OPEN');
    if (body.amount > line.left) throw fieldError('RECEIVED_CHANGED', 'amount');
    const proposal = randomUUID();
    insertReturn(work.change, {
      tag: proposal,
      line_id: line.id,
      amount: minorToNumeric(body.amount),
      reason: body.reason,
      proposed_at: context.caller.now,
      proposed_by: context.caller.person.id,
    });
    record(work, tag, 'returnProposed', { proposal, ...body });
  });
}

/**
 * Records that money was sent back as another officer proposed. Throws NOT_FOUND, OWN_BUSINESS, RETURN_CLOSED,
 * NEW_OFFICER; OWN_RETURN, OWN_STATEMENT for the importer; BAD_REQUEST for a date in the future, DATE_TOO_EARLY for one
 * before the money arrived; RECEIVED_CHANGED; REFERENCE_PAID.
 */
export function confirmReturn(context: Context, tag: string, body: ReturnedBody) {
  const { caller } = context;
  return doOnce(context, { name: 'confirmReturn', input: { tag, body } }, async (work) => {
    const { change } = work;
    const { line, open } = await lockLine(work, tag);
    const proposal = requireOpen(open, body);
    const { id, amount, reason } = proposal;
    const refusal = returnRefusalOf(line, proposal, caller.person.id);
    if (refusal !== null) throw new AppError(refusal);
    if (isAfter(body.date, kampalaDate(caller.now))) throw fieldError('BAD_REQUEST', 'date', FUTURE_DATE);
    if (body.date < line.date) throw fieldError('DATE_TOO_EARLY', 'date');
    if (amount > line.left) throw new AppError('RECEIVED_CHANGED');
    const { date, reference } = body;
    refuseFirst(refusalsBy([refusalOfUsedReference], await findPaidUnder(change, line.rail, reference)));
    const entry = postOutside(work, line, { kind: 'returned', amount, date, reference, reason });
    endReturn(change, id, { confirmed_at: caller.now, confirmed_by: caller.person.id, entry_tag: entry.tag });
    record(work, tag, 'returned', { proposal: body.returnTag, entry });
  });
}

/** Why an officer may not confirm a return: they proposed it, or imported its statement. */
export function returnRefusalOf(
  { importedBy }: Pick<WaitingLine, 'importedBy'>,
  { proposedBy }: Pick<OpenReturn, 'proposedBy'>,
  personId: number,
): ReturnRefusal | null {
  if (proposedBy === personId) return 'OWN_RETURN';
  return importedBy === personId ? 'OWN_STATEMENT' : null;
}

/** Drops a proposal. Throws NOT_FOUND, OWN_BUSINESS, NEW_OFFICER, RETURN_CLOSED. */
export function dropReturn(context: Context, tag: string, answer: ReturnAnswer) {
  return doOnce(context, { name: 'dropReturn', input: { tag, answer } }, async (work) => {
    const { open } = await lockLine(work, tag);
    const { id } = requireOpen(open, answer);
    endReturn(work.change, id, { dropped_at: context.caller.now, dropped_by: context.caller.person.id });
    record(work, tag, 'returnDropped', { proposal: answer.returnTag });
  });
}

/** Locks a line. Refuses new officers, and officers of a business that the line concerns. */
async function lockLine(work: Work, tag: string) {
  const line = orNotFound(await lockWaiting(work.change, tag));
  const [[open]] = await together(
    selectOpenReturns(work.change, [line.id]),
    requireStanding(work),
    requireOthersOf(work, line),
  );
  return { line, open };
}

/** Throws OWN_BUSINESS if the line names, or was credited to, an application that the caller may not act on. */
function requireOthersOf({ change, caller }: Changing, line: WaitingLine): Promise<void> {
  const { rail, currencyId, providerId, details } = line;
  const names = { rail, currencyId, keys: [referenceKey(providerId)], transfers: [] };
  return requireOthers(change, caller, { ...names, texts: [details] });
}

/** The proposal that the caller refers to, if it is still open. */
function requireOpen(open: OpenReturn | undefined, { returnTag }: ReturnAnswer): OpenReturn {
  if (open === undefined || open.tag.toLowerCase() !== returnTag.toLowerCase()) throw new AppError('RETURN_CLOSED');
  return open;
}

function record(work: Changing, tag: string, what: string, after: unknown): void {
  recordEvent(work, `statementLine.${what}`, ['statementLine', tag.toLowerCase()], { after });
}
