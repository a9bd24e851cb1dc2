import { randomUUID } from 'node:crypto';
import { fromMinor, minorToNumeric } from '#contract/money.ts';
import { referenceKey } from '#contract/payments/reference-key.ts';
import { closingRefusalOf, dayStateOf, firstToDo } from '#contract/statements/closing.ts';
import type { LineDetails } from '#contract/statements/known-lines.ts';
import type { Rail } from '#contract/statements/layouts.ts';
import { referencesIn } from '#contract/statements/matching.ts';
import {
  type CountedLine,
  contradictedOf,
  type Difference,
  differencesOf,
  elsewhereOf,
  type Movement,
  sidesByDay,
  sumOfDay,
} from '#contract/statements/reconciliation.ts';
import type {
  ClosingBody,
  ExplanationBody,
  ReconciliationQuery,
  ReconciliationReply,
} from '#contract/statements/schema.ts';
import { addDays, kampalaDate } from '#contract/time/calendar.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import { doOnce, recordEvent } from '#server/changes/change.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import { lockRail } from '#server/payments/received/received.queries.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { selectCurrency } from '#server/statements/import.queries.ts';
import { requireOthers } from '#server/statements/matching.service.ts';
import { presentStatement } from '#server/statements/statements.presenter.ts';
import { selectByReference, selectStatements } from '#server/statements/waiting.queries.ts';
import { type CheckedTransfer, selectChecked } from '#server/transfers/checks/checks.queries.ts';
import { selectContradictions } from './contradictions.queries.ts';
import {
  type AccountDays,
  type CountedRow,
  type EndedUnpaid,
  insertClosed,
  insertExplanation,
  type Line,
  type OwnAccount,
  selectAccounts,
  selectClosed,
  selectCountedLines,
  selectCovered,
  selectEndedUnpaid,
  selectExplained,
  selectSides,
  selectTouched,
} from './reconciliation.queries.ts';

/**
 * Compares statements with the journal, and transfers with providers, day by day. Officers correct or explain each
 * difference, then close the day.
 */

const DAYS_SHOWN = 14;
const STATEMENTS_SHOWN = 50;

/** The recent days that are always compared, newest first. */
export function lastDays(today: string): string[] {
  return Array.from({ length: DAYS_SHOWN }, (_, before) => addDays(today, -1 - before));
}

/**
 * The accounts to compare, each with the days to compare: the recent ones, and every day on which a recent entry is
 * dated. An officer chooses an entry's date, so it could hide on an old day.
 */
export async function findLookedAt(connection: Connection, today: string): Promise<AccountDays[]> {
  const last = lastDays(today);
  const [accounts, touched] = await together(
    selectAccounts(connection),
    selectTouched(connection, addDays(today, -DAYS_SHOWN)),
  );
  const looked = accounts.map((account) => ({ ...account, days: new Set(last) }));
  for (const { day, ...account } of touched) {
    const isIt = (one: OwnAccount): boolean => one.rail === account.rail && one.currencyId === account.currencyId;
    const known = looked.find(isIt);
    const one = known ?? { ...account, days: new Set(last) };
    if (known === undefined) looked.push(one);
    if (day < today) one.days.add(day);
  }
  return looked.map((one) => ({ ...one, days: [...one.days].sort().reverse() }));
}

/** One day of an account, by default the first to do, and the state of the others. Throws UNKNOWN_REFERENCE. */
export function readReconciliation(
  { platform, caller }: Context,
  { rail, currency, day: asked, page, size }: ReconciliationQuery,
): Promise<ReconciliationReply> {
  const today = kampalaDate(caller.now);
  const last = lastDays(today);
  const read = async (snapshot: Connection): Promise<ReconciliationReply> => {
    const [currencyId, lookedAt] = await together(requireCurrency(snapshot, currency), findLookedAt(snapshot, today));
    const isIt = (one: OwnAccount): boolean => one.rail === rail && one.currencyId === currencyId;
    const listed = lookedAt.find(isIt)?.days ?? last;
    const days = asked === undefined ? listed : [...new Set([asked, ...listed])];
    const account = { rail, currency, currencyId, days };
    const [compared, covered] = await together(readDays(platform, snapshot, account), selectCovered(snapshot, account));
    const { sides, closed } = compared;
    const states = listed
      .map((one) => {
        const open = openOf(compared.at(one)).length;
        const isClosed = closed.some((other) => other.day === one);
        return { day: one, open, state: dayStateOf({ open, isClosed, hasStatement: covered.includes(one) }) };
      })
      .filter((one) => one.open > 0 || last.includes(one.day))
      .toReversed();
    const day = asked ?? firstToDo(states) ?? addDays(today, -1);
    const statements = await selectStatements(snapshot, { of: { rail, currencyId, day }, limit: STATEMENTS_SHOWN });
    const differences = compared.at(day);
    const open = openOf(differences);
    const explained = differences.filter((one) => one.explained !== undefined);
    const shown = [...open, ...explained].slice((page - 1) * size, page * size);
    const ofDay = sides.transfers.filter(({ date }) => date === day);
    return {
      rail,
      currency,
      day,
      byStatement: fromMinor(sumOfDay(sides.lines, day)),
      byJournal: fromMinor(sumOfDay(sides.entries, day)),
      closed: presentClosed(closed.find((one) => one.day === day)),
      transfers: { total: ofDay.length, unanswered: ofDay.filter(({ isUnanswered }) => isUnanswered).length },
      differences: shown.map((one) => presentDifference(one, caller.person.id)),
      total: differences.length,
      open: open.length,
      statements: statements.map((one) => presentStatement(one, caller.person.id)),
      closingRefusal: closingRefusalOf(closingFacts(compared, day, caller.person.id)),
      days: states,
    };
  };
  return platform.db.inTransaction(read, { isolation: 'repeatable read, read only' });
}

/** What decides whether an officer may close a day. */
function closingFacts({ closed, at }: Days, day: string, officerId: number) {
  const differences = at(day);
  return {
    isClosed: closed.some((one) => one.day === day),
    open: openOf(differences).length,
    hasExplained: differences.some(({ explained }) => explained?.byId === officerId),
  };
}

function presentClosed(closed: { readonly at: Date; readonly by: string } | undefined) {
  return closed === undefined ? null : { at: closed.at.toISOString(), by: closed.by };
}

function presentDifference(one: DayDifference, readerId: number): ReconciliationReply['differences'][number] {
  const { explained, there, here, days, recordedBy, imports, applications, lines, lineIds: _, ...difference } = one;
  return {
    ...difference,
    isOwn: recordedBy.includes(readerId),
    days: [...days],
    imports: imports.map(({ importedAt, says, ...from }) => ({
      ...from,
      importedAt: importedAt.toISOString(),
      says: presentWords(says),
    })),
    lines: lines.map(({ reference, ours, other }) => ({
      reference,
      ours: presentLine(ours),
      other: presentWords(other),
    })),
    applications: [...applications],
    there: there === null ? null : fromMinor(there),
    here: here === null ? null : fromMinor(here),
    explained: explained === undefined ? null : { reason: explained.reason, by: explained.by },
  };
}

function presentWords(said: LineDetails | null) {
  return said === null ? null : presentLine(said);
}

function presentLine({ date, amount, payerName, payerNumber, details }: LineDetails) {
  const payer = [payerName, payerNumber].filter((one) => one !== null).join(' ');
  return { date, amount: fromMinor(amount), payer, details };
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

async function readDays({ rails, clock }: Platform, connection: Connection, account: AccountDays): Promise<Days> {
  const [{ lines, entries }, transfers, ended, contradictions, counted, closed, explained] = await together(
    selectSides(connection, account),
    selectChecked(connection, { ...account, rails: rails.idsOf(account.rail) }),
    selectEndedUnpaid(connection, account),
    selectContradictions(connection, account, { withLineIds: account.days.length === 1 }),
    selectCountedLines(connection, account),
    selectClosed(connection, account),
    selectExplained(connection, account),
  );
  const sides = { lines: lines.map((line) => withEnders(line, ended)), entries, transfers };
  const [sidesOf, named] = [sidesByDay(sides), await withNames(connection, counted)];
  const today = kampalaDate(clock.now());
  const at = (day: string): DayDifference[] =>
    [
      ...differencesOf(sidesOf(day), day, closed.find((one) => one.day === day) ?? null),
      ...contradictedOf(contradictions, day),
      ...elsewhereOf(named, day),
    ]
      // A provider has until the end of the day to answer.
      .filter(({ kind }) => kind !== 'unsaid' || day < today)
      .map((found) => ({
        ...found,
        explained: explained.find((one) => one.day === day && one.difference === found.difference),
      }));
  return { sides, closed, at };
}

/** Adds the existing applications that each line names. */
async function withNames(connection: Connection, counted: readonly CountedRow[]): Promise<CountedLine[]> {
  const named = counted.map(({ details }) => referencesIn(details).sound);
  const found = await selectByReference(connection, named.flat());
  return counted.map(({ tag, invoiceNumber, ...row }, place) => ({
    ...row,
    on: { tag, invoiceNumber },
    names: found
      .filter(({ reference }) => named[place]?.includes(reference))
      .map((one) => ({ tag: one.tag, invoiceNumber: one.invoiceNumber })),
  }));
}

/** Adds the two officers who ended a payout as not paid: it has no entry, so a line about it contradicts them. */
function withEnders(line: Line, ended: readonly EndedUnpaid[]): Line {
  if (line.amount > 0 || ended.length === 0) return line;
  const { sound } = referencesIn(line.details);
  const isIt = ({ reference, number }: EndedUnpaid): boolean =>
    sound.includes(reference) || (number !== null && referenceKey(number) === referenceKey(line.reference));
  return { ...line, recordedBy: ended.filter(isIt).flatMap(({ recordedBy }) => recordedBy) };
}

/** The number of open differences by day, newest first, without days that have none. */
export async function countOpen(platform: Platform, connection: Connection, account: AccountDays) {
  const { at } = await readDays(platform, connection, account);
  return account.days.map((day) => ({ day, open: openOf(at(day)).length })).filter(({ open }) => open > 0);
}

function openOf(differences: readonly DayDifference[]): DayDifference[] {
  return differences.filter(({ explained }) => explained === undefined);
}

async function requireCurrency(connection: Connection, code: string): Promise<number> {
  const id = await selectCurrency(connection, code);
  if (id === undefined) throw fieldError('UNKNOWN_REFERENCE', 'currency');
  return id;
}

/**
 * Explains a difference as the officer saw it. Throws UNKNOWN_REFERENCE, NEW_OFFICER; DIFFERENCE_GONE; OWN_ENTRY for
 * the officers who recorded our side, OWN_BUSINESS.
 */
export function explainDifference(context: Context, body: ExplanationBody) {
  const { caller } = context;
  return doOnce(context, { name: 'explainDifference', input: body }, async (work) => {
    const { rail, day, difference, reason } = body;
    const { currencyId, days } = await lockDay(work, body);
    const found = openOf(days.at(day)).find((open) => open.difference === difference);
    if (found === undefined) throw new AppError('DIFFERENCE_GONE');
    if (found.recordedBy.includes(caller.person.id)) throw new AppError('OWN_ENTRY');
    await requireOthers(work.change, caller, { rail, currencyId, ...namedBy(days.sides, found) });
    const tag = randomUUID();
    insertExplanation(work.change, {
      tag,
      rail,
      currency_id: currencyId,
      day,
      difference,
      reason,
      explained_at: caller.now,
      explained_by: caller.person.id,
    });
    recordEvent(work, 'reconciliation.explained', ['statement', tag], { after: body });
  });
}

/** The references through which we find the applications of a difference. */
function namedBy({ lines, transfers }: DaySides, { reference, lineIds }: Difference) {
  const ids = new Set(lineIds);
  const own = lines.filter(({ id }) => ids.has(id));
  const keys = new Set([reference, ...own.map((line) => line.reference)].map(referenceKey));
  const isKey = (one: string | null): boolean => one !== null && keys.has(referenceKey(one));
  return {
    keys: [...keys],
    texts: lines.filter((line) => isKey(line.reference)).map(({ details }) => details),
    transfers: transfers
      .filter((one) => [one.reference, one.numberHere, one.numberThere].some(isKey))
      .map((one) => one.reference),
  };
}

/**
 * Closes a day of an account. Throws UNKNOWN_REFERENCE, NEW_OFFICER; BAD_REQUEST if the day is not over; DAY_CLOSED,
 * DIFFERENCES_OPEN; OWN_EXPLANATION for an officer who explained one of its differences.
 */
export function closeDay(context: Context, body: ClosingBody) {
  const { caller } = context;
  return doOnce(context, { name: 'closeDay', input: body }, async (work) => {
    const { rail, day } = body;
    if (day >= kampalaDate(caller.now)) throw fieldError('BAD_REQUEST', 'day', 'Close a day once it is over');
    const { currencyId, days } = await lockDay(work, body);
    const refusal = closingRefusalOf(closingFacts(days, day, caller.person.id));
    if (refusal !== null) throw new AppError(refusal);
    const [byStatement, byJournal] = [sumOfDay(days.sides.lines, day), sumOfDay(days.sides.entries, day)];
    const tag = randomUUID();
    insertClosed(work.change, {
      tag,
      rail,
      currency_id: currencyId,
      day,
      closed_at: caller.now,
      closed_by: caller.person.id,
      by_statement: minorToNumeric(byStatement),
      by_journal: minorToNumeric(byJournal),
    });
    const after = { ...body, byStatement, byJournal };
    recordEvent(work, 'reconciliation.closed', ['statement', tag], { after });
  });
}

/** Locks an account against imports and other officers, and reads a day of it. Throws UNKNOWN_REFERENCE, NEW_OFFICER. */
async function lockDay(
  work: Work,
  { rail, currency, day }: { readonly rail: Rail; readonly currency: string; readonly day: string },
): Promise<{ readonly currencyId: number; readonly days: Days }> {
  const { platform, change } = work;
  const [, currencyId] = await together(
    lockRail(change, rail),
    requireCurrency(change, currency),
    requireStanding(work),
  );
  return { currencyId, days: await readDays(platform, change, { rail, currency, currencyId, days: [day] }) };
}
