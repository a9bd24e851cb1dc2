import { randomUUID } from 'node:crypto';
import { fromMinor, minorToNumeric } from '#contract/money.ts';
import { referenceKey } from '#contract/payments/reference-key.ts';
import type { Rail } from '#contract/statements/layouts.ts';
import { referencesIn } from '#contract/statements/matching.ts';
import {
  contradictedOf,
  type Difference,
  differencesOf,
  type Movement,
  sumOfDay,
} from '#contract/statements/reconciliation.ts';
import type {
  ClosingBody,
  ExplanationBody,
  ReconciliationQuery,
  ReconciliationReply,
} from '#contract/statements/schema.ts';
import { addDays, daysBetween, kampalaDate } from '#contract/time/calendar.ts';
import { type Change, changeOnce, recordEvent } from '#server/db/change.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import { AppError, fieldError } from '#server/http/app-error.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import { holdRail } from '#server/payments/arrived/arrived.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform.ts';
import { selectCurrency } from '#server/statements/import.queries.ts';
import { requireOthers } from '#server/statements/matching.service.ts';
import { type CheckedTransfer, findChecked } from '#server/transfers/checks/checks.service.ts';
import {
  type EndedUnpaid,
  insertClosed,
  insertExplanation,
  type Line,
  type Period,
  selectClosed,
  selectContradictions,
  selectEndedUnpaid,
  selectExplained,
  selectSides,
} from './reconciliation.queries.ts';

/** Statement against journal and transfers against providers, day by day: every difference is mended or explained, and then the day is closed. */

export const DAYS_SHOWN = 14;

/** A day of an account, yesterday if none is named, and how the last days stand. Throws UNKNOWN_REFERENCE. */
export function readReconciliation(
  platform: Platform,
  caller: SignedInCaller,
  { rail, currency, day: asked }: ReconciliationQuery,
): Promise<ReconciliationReply> {
  const yesterday = addDays(kampalaDate(caller.now), -1);
  const day = asked ?? yesterday;
  const listed = Array.from({ length: DAYS_SHOWN }, (_, before) => addDays(yesterday, -before));
  const read = async (snapshot: Connection): Promise<ReconciliationReply> => {
    const account = { rail, currency, currencyId: await requireCurrency(snapshot, currency) };
    const from = addDays(yesterday, 1 - DAYS_SHOWN);
    const days = await readDays(platform, snapshot, {
      ...account,
      from: day < from ? day : from,
      until: day > yesterday ? day : yesterday,
    });
    const { sides, closed } = days;
    const shown = days.at(day);
    const ofDay = sides.transfers.filter(({ date }) => date === day);
    return {
      ...{ rail, currency, day },
      byStatement: fromMinor(sumOfDay(sides.lines, day)),
      byJournal: fromMinor(sumOfDay(sides.entries, day)),
      closed: presentClosed(closed.find((one) => one.day === day)),
      transfers: { total: ofDay.length, unanswered: ofDay.filter(({ isUnanswered }) => isUnanswered).length },
      differences: shown.map(({ explained, there, here, days: on, recordedBy, imports, ...difference }) => ({
        ...difference,
        isOwn: recordedBy.includes(caller.person.id),
        days: [...on],
        imports: imports.map((one) => ({ ...one, importedAt: one.importedAt.toISOString() })),
        there: there === null ? null : fromMinor(there),
        here: here === null ? null : fromMinor(here),
        explained: explained === undefined ? null : { reason: explained.reason, by: explained.by },
      })),
      days: listed.map((one) => ({
        day: one,
        open: openOf(days.at(one)).length,
        isClosed: closed.some(({ day: closedDay }) => closedDay === one),
      })),
    };
  };
  return platform.db.inTransaction(read, { isolation: 'repeatable read, read only' });
}

function presentClosed(closed: { readonly at: Date; readonly by: string } | undefined) {
  return closed === undefined ? null : { at: closed.at.toISOString(), by: closed.by };
}

type Explained = Awaited<ReturnType<typeof selectExplained>>[number];
type DayDifference = Difference & { readonly explained: Explained | undefined };

interface DaySides {
  readonly lines: readonly Line[];
  readonly entries: readonly Movement[];
  readonly transfers: readonly CheckedTransfer[];
}

interface Days {
  readonly sides: DaySides;
  readonly closed: Awaited<ReturnType<typeof selectClosed>>;
  readonly at: (day: string) => DayDifference[];
}

async function readDays({ rails, clock }: Platform, connection: Connection, period: Period): Promise<Days> {
  const [{ lines, entries }, transfers, ended, contradictions, closed, explained] = await together(
    selectSides(connection, period),
    findChecked(connection, { ...period, rails: rails.idsOf(period.rail) }),
    selectEndedUnpaid(connection, period),
    selectContradictions(connection, period),
    selectClosed(connection, period),
    selectExplained(connection, period),
  );
  const sides = { lines: lines.map((line) => withEnders(line, ended)), entries, transfers };
  const today = kampalaDate(clock.now());
  const at = (day: string): DayDifference[] =>
    [
      ...differencesOf(sides, day, closed.find((one) => one.day === day) ?? null),
      ...contradictedOf(contradictions, day),
    ]
      // What is sent today may be said until the day is over.
      .filter(({ kind }) => kind !== 'unsaid' || day < today)
      .map((found) => ({
        ...found,
        explained: explained.find((one) => one.day === day && one.difference === found.difference),
      }));
  return { sides, closed, at };
}

/** What two officers ended as not paid has no entry: a line of it is against their word. */
function withEnders(line: Line, ended: readonly EndedUnpaid[]): Line {
  if (line.amount > 0 || ended.length === 0) return line;
  const { sound } = referencesIn(line.details);
  const isIt = ({ reference, number }: EndedUnpaid): boolean =>
    sound.includes(reference) || (number !== null && referenceKey(number) === referenceKey(line.reference));
  return { ...line, recordedBy: ended.filter(isIt).flatMap(({ recordedBy }) => recordedBy) };
}

/** How many differences are open on each day of a period that has any. */
export async function countOpen(
  platform: Platform,
  connection: Connection,
  period: Period,
): Promise<{ readonly day: string; readonly open: number }[]> {
  const days = await readDays(platform, connection, period);
  const count = daysBetween(period.from, period.until) + 1;
  return Array.from({ length: count }, (_, after) => addDays(period.from, after))
    .map((day) => ({ day, open: openOf(days.at(day)).length }))
    .filter(({ open }) => open > 0);
}

function openOf(differences: readonly DayDifference[]): DayDifference[] {
  return differences.filter(({ explained }) => explained === undefined);
}

async function requireCurrency(connection: Connection, code: string): Promise<number> {
  const id = await selectCurrency(connection, code);
  if (id === undefined) throw fieldError('UNKNOWN_REFERENCE', 'currency');
  return id;
}

interface Done {
  readonly success: true;
}

/**
 * Explains a difference as the officer saw it. Throws UNKNOWN_REFERENCE, NEW_OFFICER; DIFFERENCE_GONE; OWN_ENTRY for whose word it is,
 * OWN_BUSINESS.
 */
export function explainDifference(platform: Platform, caller: SignedInCaller, body: ExplanationBody): Promise<Done> {
  return changeOnce(platform, caller, { name: 'explainDifference', input: body }, async (change) => {
    const { rail, day, difference, reason } = body;
    const { currencyId, days } = await holdDay(platform, change, caller, body);
    const found = openOf(days.at(day)).find((open) => open.difference === difference);
    if (found === undefined) throw new AppError('DIFFERENCE_GONE');
    if (found.recordedBy.includes(caller.person.id)) throw new AppError('OWN_ENTRY');
    await requireOthers(change, caller, { rail, currencyId, ...namedBy(days.sides, found) });
    const tag = randomUUID();
    insertExplanation(change, {
      ...{ tag, rail, currency_id: currencyId, day, difference, reason },
      ...{ explained_at: caller.now, explained_by: caller.person.id },
    });
    record(change, caller, { tag, what: 'explained', after: body });
    return { success: true as const };
  });
}

/** By what the applications of a difference are found. */
function namedBy({ lines, transfers }: DaySides, { reference }: Difference) {
  const key = referenceKey(reference);
  const isKey = (one: string | null): boolean => one !== null && referenceKey(one) === key;
  return {
    key,
    texts: lines.filter((line) => isKey(line.reference)).map(({ details }) => details),
    transfers: transfers
      .filter((one) => [one.reference, one.numberHere, one.numberThere].some(isKey))
      .map((one) => one.reference),
  };
}

/**
 * Closes a day of an account. Throws UNKNOWN_REFERENCE, NEW_OFFICER; BAD_REQUEST for a day that is not over; DAY_CLOSED, DIFFERENCES_OPEN;
 * OWN_EXPLANATION for an officer who explained one of its differences.
 */
export function closeDay(platform: Platform, caller: SignedInCaller, body: ClosingBody): Promise<Done> {
  return changeOnce(platform, caller, { name: 'closeDay', input: body }, async (change) => {
    const { rail, day } = body;
    if (day >= kampalaDate(caller.now)) throw fieldError('BAD_REQUEST', 'day', 'Close a day once it is over');
    const { currencyId, days } = await holdDay(platform, change, caller, body);
    if (days.closed.length > 0) throw new AppError('DAY_CLOSED');
    const differences = days.at(day);
    if (openOf(differences).length > 0) throw new AppError('DIFFERENCES_OPEN');
    if (differences.some(({ explained }) => explained?.byId === caller.person.id))
      throw new AppError('OWN_EXPLANATION');
    const [byStatement, byJournal] = [sumOfDay(days.sides.lines, day), sumOfDay(days.sides.entries, day)];
    const tag = randomUUID();
    insertClosed(change, {
      ...{ tag, rail, currency_id: currencyId, day, closed_at: caller.now, closed_by: caller.person.id },
      ...{ by_statement: minorToNumeric(byStatement), by_journal: minorToNumeric(byJournal) },
    });
    record(change, caller, { tag, what: 'closed', after: { ...body, byStatement, byJournal } });
    return { success: true as const };
  });
}

/** A day of an account whose imports wait meanwhile; of two officers one comes first, and none is new. */
async function holdDay(
  platform: Platform,
  change: Change,
  caller: SignedInCaller,
  { rail, currency, day }: { readonly rail: Rail; readonly currency: string; readonly day: string },
): Promise<{ readonly currencyId: number; readonly days: Days }> {
  const [, currencyId] = await together(
    holdRail(change, rail, 'alone'),
    requireCurrency(change, currency),
    requireStanding(platform, change, caller),
  );
  return { currencyId, days: await readDays(platform, change, { rail, currency, currencyId, from: day, until: day }) };
}

function record(
  change: Change,
  caller: SignedInCaller,
  { tag, what, after }: { readonly tag: string; readonly what: string; readonly after: unknown },
): void {
  recordEvent(change, caller, {
    action: `reconciliation.${what}`,
    subjectType: 'statement',
    subjectTag: tag,
    after,
  });
}
