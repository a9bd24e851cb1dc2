import { createHash } from 'node:crypto';
import { minorToNumeric } from '#contract/money.ts';
import { compareLines, keysOfLines } from '#contract/statements/known-lines.ts';
import { type StatementLine, sumsOfLines } from '#contract/statements/read-statement.ts';
import {
  type Imported,
  MAXIMUM_CONTRADICTING,
  MAXIMUM_LACKING,
  type StatementQuery,
  UNTIL_TO_COME,
} from '#contract/statements/schema.ts';
import type { Fault } from '#contract/statements/table.ts';
import { isAfter, kampalaDate, sayDate } from '#contract/time/calendar.ts';
import { fieldError } from '#server/calls/app-error.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import { recordEvent, recordEvents } from '#server/changes/change.ts';
import { together } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import { postArrivals } from '#server/journal/journal.service.ts';
import { lockRail } from '#server/payments/received/received.queries.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { insertRepeats } from '#server/statements/counted-once/repeats.queries.ts';
import { readStatementFile } from '#server/statements/files/statement-file.ts';
import { addMatchingJob } from '#server/statements/matching/after-import.jobs.ts';
import {
  type InsertedLine,
  insertContradictingLines,
  insertContradictions,
  insertKnown,
  insertLines,
  insertStatement,
  type OwnReceipt,
  selectCurrency,
  selectKnownLines,
  selectOwnReceipts,
  selectWorstDay,
} from './import.queries.ts';

/**
 * Imports a statement: the whole file or nothing. Each line counts once, so a file may be imported again or overlap
 * others. If an earlier import has a line with other details, the earlier version stays, and the line shows as a
 * difference of its day. Incoming money goes into suspense unless an officer has already recorded it; a job then
 * credits each line that names an application ({@link followImports}). Throws NEW_OFFICER; BAD_REQUEST if the last day
 * is in the future, STATEMENT_UNREADABLE with the place in the file, UNKNOWN_REFERENCE, STATEMENTS_CONTRADICT.
 */
export async function importStatement(context: Context, query: StatementQuery, file: Buffer): Promise<Imported> {
  if (isAfter(query.until, kampalaDate(context.caller.now))) throw fieldError('BAD_REQUEST', 'until', UNTIL_TO_COME);
  const read = await readStatementFile(file, query);
  if ('why' in read) throw unreadable(read);
  const source = { ...query, sha256: createHash('sha256').update(file).digest(), lines: read.lines };
  const { fresh, ...taken } = await context.platform.db.inTransaction((change) => take({ ...context, change }, source));
  const lines = read.lines.length;
  return { ...taken, lines, before: lines - fresh - taken.contradicting, left: read.left };
}

function unreadable({ line, column, why }: Fault): Error {
  return fieldError('STATEMENT_UNREADABLE', 'file', `Line ${line}${column === undefined ? '' : `, ${column}`}: ${why}`);
}

interface Source extends StatementQuery {
  readonly sha256: Buffer;
  readonly lines: readonly StatementLine[];
}

interface Taken extends Omit<Imported, 'lines' | 'before' | 'left'> {
  /** The number of lines that no earlier import had. */
  readonly fresh: number;
}

async function take(work: Work, source: Source): Promise<Taken> {
  const { platform, change, caller } = work;
  const { rail, currency, account, from, until, lines } = source;
  const known = keysOfLines(rail, lines);
  const [, , currencyId] = await together(
    requireStanding(work),
    lockRail(change, rail),
    selectCurrency(change, currency),
  );
  if (currencyId === undefined) throw fieldError('UNKNOWN_REFERENCE', 'currency');
  // Read after the lock: by then an earlier import of the same lines has ended.
  const [before, receipts] = await together(
    selectKnownLines(change, { rail, currencyId, keys: known, lines }),
    selectOwnReceipts(change, { rail, currencyId, keys: known }),
  );
  const { fresh, repeats, contradicting, keys } = compareLines(rail, lines, before);
  const counts = { fresh: fresh.length, contradicting: contradicting.length };
  const statement = await insertStatement(change, {
    ...columnsOf(caller, source, fresh.length),
    currency_id: currencyId,
  });
  if (statement === undefined) return { ...counts, tag: null, sent: 0, known: 0, repeats: 0, toMatch: 0 };
  const { id, tag } = statement;
  recordEvent(work, 'statement.imported', ['statement', tag], {
    after: {
      rail,
      currency,
      account,
      from,
      until,
      sha256: source.sha256.toString('hex'),
      lines: lines.length,
      newLines: fresh.length,
      contradicting: contradicting.length,
    },
  });
  const kept = { id, rail, currencyId };
  const inserted = await insertLines(change, kept, fresh);
  const lacking = await insertContradictions(change, id, keys);
  await insertContradictingLines(change, kept, contradicting);
  if (lacking + contradicting.length > 0) await refuseTooMany(change, id, lacking);
  const own = Map.groupBy(receipts, ({ key }) => key);
  const doubtful = repeats.filter(({ key }) => !own.has(key));
  const other = new Map((await insertRepeats(change, kept, doubtful)).map(({ key, of }) => [key, of]));
  const entering = inserted.map((line) => enteringOf(line, own.get(line.key) ?? [], other.get(line.key)));
  enterLines(work, tag, entering);
  await addMatchingJob(platform, change, tag);
  const { sent = [], known: proven = [], arrived = [] } = Object.groupBy(entering, ({ became }) => became);
  return {
    ...counts,
    tag,
    repeats: doubtful.length,
    sent: sent.length,
    known: proven.length,
    toMatch: arrived.length,
  };
}

/**
 * Limits how many of an officer's statements may contradict others on one day, so that mistakes or forgeries cannot
 * make the day unreadable. Throws STATEMENTS_CONTRADICT with the limit and what to do.
 */
async function refuseTooMany(change: Change, statementId: number, lacking: number): Promise<void> {
  if (lacking > MAXIMUM_LACKING)
    throw fieldError(
      'STATEMENTS_CONTRADICT',
      'file',
      `It and other statements of these days lack ${lacking.toLocaleString('en')} lines of each other, and at most ${MAXIMUM_LACKING.toLocaleString('en')} are taken. Check its account and its days`,
    );
  const worst = await selectWorstDay(change, statementId);
  if (worst !== undefined && worst.statements > MAXIMUM_CONTRADICTING)
    throw fieldError(
      'STATEMENTS_CONTRADICT',
      'file',
      `${MAXIMUM_CONTRADICTING} of your statements contradict others about ${sayDate(worst.day)} already. Compare them with the account. Withdraw the mistaken ones under Reconciliation, and send that day whole, as one file`,
    );
}

function columnsOf({ now, person }: SignedInCaller, source: Source, fresh: number) {
  const { rail, account, fileName, from, until, sha256, lines } = source;
  const { received, sent } = sumsOfLines(lines);
  return {
    rail,
    account,
    sha256,
    file_name: fileName,
    line_count: lines.length,
    new_count: fresh,
    from_on: from,
    until_on: until,
    imported_at: now,
    imported_by: person.id,
    received: minorToNumeric(received),
    sent: minorToNumeric(sent),
  };
}

/**
 * A new line and its effect: it proves receipts, brings money into suspense, or does nothing yet because it may be
 * counted already.
 */
interface Entering {
  readonly line: InsertedLine;
  readonly became: 'sent' | 'known' | 'repeat' | 'arrived';
  /** The typed receipts that the line proves. */
  readonly receipts: readonly OwnReceipt[];
  /** The tag of the line that it may repeat. */
  readonly repeats: string | undefined;
}

function enteringOf(line: InsertedLine, receipts: readonly OwnReceipt[], repeats: string | undefined): Entering {
  if (line.amount < 0) return { line, became: 'sent', receipts: [], repeats };
  if (receipts.length > 0) return { line, became: 'known', receipts, repeats };
  return { line, became: repeats === undefined ? 'arrived' : 'repeat', receipts, repeats };
}

/** Writes the effects of a statement's new lines, all at once. Every line is logged. */
function enterLines(work: Changing, statement: string, entering: readonly Entering[]): void {
  insertKnown(
    work.change,
    entering.flatMap(({ line, receipts }) => receipts.map(({ id }) => ({ entry_id: id, line_id: line.id }))),
  );
  const arrived = entering.filter(({ became }) => became === 'arrived').map(({ line }) => line);
  const entries = new Map(postArrivals(work, arrived).map((entry) => [entry.line, entry]));
  recordEvents(
    work,
    'statementLine.imported',
    entering.map(({ line, receipts, repeats }) => {
      const { tag, rail, currencyId, reference: id, date, amount, payerNumber, payerName, details } = line;
      const told = { rail, currencyId, id, date, amount, payerNumber, payerName, details };
      const entry = entries.get(tag) ?? null;
      const after = { statement, ...told, entry, receipts: receipts.map((receipt) => receipt.tag), repeats };
      return { subject: ['statementLine', tag], after };
    }),
  );
}
