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
import { type Change, recordEvent } from '#server/db/change.ts';
import { together } from '#server/db/together.ts';
import { fieldError } from '#server/http/app-error.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import { postOutside } from '#server/journal/journal.service.ts';
import { lockRail } from '#server/payments/arrived/arrived.service.ts';
import { dropDecided } from '#server/payments/proposals/proposals.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform.ts';
import { insertRepeats } from '#server/statements/counted-once/repeats.queries.ts';
import { readStatementFile } from '#server/statements/files/statement-file.ts';
import {
  type InsertedLine,
  insertKnown,
  insertLines,
  insertStatement,
  keepContradictions,
  keepOtherwise,
  type OwnReceipt,
  selectCurrency,
  selectKnownLines,
  selectOwnReceipts,
  selectWorstDay,
} from './import.queries.ts';
import { matchLines } from './matching.service.ts';
import { endPaidPayouts } from './paid-payouts.service.ts';

/**
 * Imports a statement: the whole file or nothing. A line counts once, so a file may come again or overlap others. If an
 * earlier import has it differently, that version stays, and the line is a difference of its day. Incoming money goes
 * into suspense unless an officer has recorded it. Then each line that names an application is credited, in its own
 * transaction. Throws NEW_OFFICER; BAD_REQUEST if the last day is in the future, STATEMENT_UNREADABLE with the place,
 * UNKNOWN_REFERENCE, STATEMENTS_CONTRADICT.
 */
export async function importStatement(
  platform: Platform,
  caller: SignedInCaller,
  query: StatementQuery,
  file: Buffer,
): Promise<Imported> {
  if (isAfter(query.until, kampalaDate(caller.now))) throw fieldError('BAD_REQUEST', 'until', UNTIL_TO_COME);
  const read = await readStatementFile(file, query);
  if ('why' in read) throw unreadable(read);
  const source = { ...query, sha256: createHash('sha256').update(file).digest(), lines: read.lines };
  const taken = await platform.db.inTransaction((change) => take(platform, change, caller, source));
  const paid = taken.sent === 0 ? 0 : await endPaidPayouts(platform);
  if (taken.fresh > 0) await dropDecided(platform);
  const { matched, proposed } = await matchLines(platform, caller.now, taken.arrived);
  return {
    lines: read.lines.length,
    before: read.lines.length - taken.fresh - taken.contradicting,
    contradicting: taken.contradicting,
    left: read.left,
    sent: taken.sent,
    paid,
    known: taken.known,
    matched,
    proposed: proposed + taken.repeats,
    toAssign: taken.arrived.length - matched - proposed,
  };
}

function unreadable({ line, column, why }: Fault): Error {
  return fieldError('STATEMENT_UNREADABLE', 'file', `Line ${line}${column === undefined ? '' : `, ${column}`}: ${why}`);
}

interface Source extends StatementQuery {
  readonly sha256: Buffer;
  readonly lines: readonly StatementLine[];
}

interface Taken {
  /** Lines that no earlier import had. */
  readonly fresh: number;
  /** Lines that an earlier import has differently. */
  readonly contradicting: number;
  readonly sent: number;
  readonly known: number;
  /** Lines that may be counted already. */
  readonly repeats: number;
  /** The ids of the lines that are in suspense now. */
  readonly arrived: readonly number[];
}

async function take(platform: Platform, change: Change, caller: SignedInCaller, source: Source): Promise<Taken> {
  const { rail, currency, account, from, until, lines } = source;
  const known = keysOfLines(rail, lines);
  const [, , currencyId] = await together(
    requireStanding(platform, change, caller),
    lockRail(change, rail),
    selectCurrency(change, currency),
  );
  if (currencyId === undefined) throw fieldError('UNKNOWN_REFERENCE', 'currency');
  // Read after the lock: an earlier import of the same lines has ended by then.
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
  if (statement === undefined) return { ...counts, sent: 0, known: 0, repeats: 0, arrived: [] };
  recordEvent(change, caller, 'statement.imported', ['statement', statement.tag], {
    after: {
      ...{ rail, currency, account, from, until, sha256: source.sha256.toString('hex') },
      ...{ lines: lines.length, newLines: fresh.length, contradicting: contradicting.length },
    },
  });
  const kept = { id: statement.id, rail, currencyId };
  const inserted = await insertLines(change, kept, fresh);
  const lacking = await keepContradictions(change, statement.id, keys);
  await keepOtherwise(change, kept, contradicting);
  if (lacking + contradicting.length > 0) await refuseTooMany(change, statement.id, lacking);
  const own = Map.groupBy(receipts, ({ key }) => key);
  const doubtful = repeats.filter(({ key }) => !own.has(key));
  const other = new Map((await insertRepeats(change, kept, doubtful)).map(({ key, of }) => [key, of]));
  const outcome = inserted.map((line) =>
    enterLine(change, caller, line, {
      statement: statement.tag,
      receipts: own.get(line.key) ?? [],
      repeats: other.get(line.key),
    }),
  );
  return {
    ...counts,
    sent: outcome.filter((became) => became === 'sent').length,
    known: outcome.filter((became) => became === 'known').length,
    repeats: doubtful.length,
    arrived: inserted.filter((_, index) => outcome[index] === 'arrived').map(({ id }) => id),
  };
}

/**
 * One officer's mistakes, or a forger's, must not make a day unreadable. Throws STATEMENTS_CONTRADICT with the limit and
 * what to do.
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
    ...{ rail, account, sha256, file_name: fileName, line_count: lines.length, new_count: fresh },
    ...{ from_on: from, until_on: until, imported_at: now, imported_by: person.id },
    ...{ received: minorToNumeric(received), sent: minorToNumeric(sent) },
  };
}

interface Entering {
  readonly statement: string;
  readonly receipts: readonly OwnReceipt[];
  /** The tag of the line that it may repeat. */
  readonly repeats: string | undefined;
}

/** Enters a new line: into suspense, as the proof of a receipt, or not yet if it may be counted already. Logged in any case. */
function enterLine(
  change: Change,
  caller: SignedInCaller,
  line: InsertedLine,
  { statement, receipts, repeats }: Entering,
): 'sent' | 'known' | 'repeat' | 'arrived' {
  const { amount, date, providerId: reference } = line;
  const isKnown = amount > 0 && receipts.length > 0;
  const arrives = amount > 0 && !isKnown && repeats === undefined;
  if (isKnown) insertKnown(change, line.id, receipts);
  const entry = arrives ? postOutside(change, caller, line, { kind: 'arrival', amount, date, reference }) : null;
  const { rail, currencyId, payerNumber, payerName, details } = line;
  const told = { rail, currencyId, id: reference, date, amount, payerNumber, payerName, details };
  recordEvent(change, caller, 'statementLine.imported', ['statementLine', line.tag], {
    after: { statement, ...told, entry, receipts: isKnown ? receipts.map(({ tag }) => tag) : [], repeats },
  });
  if (amount < 0) return 'sent';
  if (isKnown) return 'known';
  return arrives ? 'arrived' : 'repeat';
}
