import { createHash } from 'node:crypto';
import { minorToNumeric } from '#contract/money.ts';
import type { Fault } from '#contract/statements/csv.ts';
import { compareLines, keysOfLines } from '#contract/statements/known-lines.ts';
import { readStatement, type StatementLine, sumsOfLines } from '#contract/statements/read-statement.ts';
import { type Imported, type StatementQuery, UNTIL_TO_COME } from '#contract/statements/schema.ts';
import { isAfter, kampalaDate } from '#contract/time/calendar.ts';
import { type Change, recordEvent } from '#server/db/change.ts';
import { together } from '#server/db/together.ts';
import { fieldError } from '#server/http/app-error.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import { postOutside } from '#server/journal/journal.service.ts';
import { lockRail } from '#server/payments/arrived/arrived.service.ts';
import { dropDecided } from '#server/payments/proposals/proposals.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform.ts';
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
} from './import.queries.ts';
import { matchLines } from './matching.service.ts';
import { endPaidPayouts } from './paid-payouts.service.ts';

/**
 * Imports a statement: the whole file or nothing. A line counts once, so a file may come again or overlap others. If an
 * earlier import has it differently, that version stays, and the line is a difference of its day. Incoming money goes
 * into suspense unless an officer has recorded it. Then each line that names an application is credited, in its own
 * transaction. Throws NEW_OFFICER; BAD_REQUEST if the last day is in the future, STATEMENT_UNREADABLE with the place,
 * UNKNOWN_REFERENCE.
 */
export async function importStatement(
  platform: Platform,
  caller: SignedInCaller,
  query: StatementQuery,
  file: Buffer,
): Promise<Imported> {
  if (isAfter(query.until, kampalaDate(caller.now))) throw fieldError('BAD_REQUEST', 'until', UNTIL_TO_COME);
  const read = readStatement(decode(file), query);
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
    proposed,
    toAssign: taken.arrived.length - matched - proposed,
  };
}

function decode(file: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    throw unreadable({ line: 1, why: 'The file is not text in UTF-8. Export it as CSV, UTF-8' });
  }
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
  /** The ids of the lines that are in suspense now. */
  readonly arrived: readonly number[];
}

async function take(platform: Platform, change: Change, caller: SignedInCaller, source: Source): Promise<Taken> {
  const { rail, currency, account, from, until, lines } = source;
  const known = keysOfLines(rail, lines);
  const [, , currencyId] = await together(
    requireStanding(platform, change, caller),
    lockRail(change, rail, 'exclusive'),
    selectCurrency(change, currency),
  );
  if (currencyId === undefined) throw fieldError('UNKNOWN_REFERENCE', 'currency');
  // Read after the lock: an earlier import of the same lines has ended by then.
  const [before, receipts] = await together(
    selectKnownLines(change, { rail, currencyId, keys: known }),
    selectOwnReceipts(change, { rail, currencyId, keys: known }),
  );
  const { fresh, contradicting, keys } = compareLines(rail, lines, before);
  const counts = { fresh: fresh.length, contradicting: contradicting.length };
  const statement = await insertStatement(change, {
    ...columnsOf(caller, source, fresh.length),
    currency_id: currencyId,
  });
  if (statement === undefined) return { ...counts, sent: 0, known: 0, arrived: [] };
  recordEvent(change, caller, 'statement.imported', ['statement', statement.tag], {
    after: {
      ...{ rail, currency, account, from, until, sha256: source.sha256.toString('hex') },
      ...{ lines: lines.length, newLines: fresh.length, contradicting: contradicting.length },
    },
  });
  const kept = { id: statement.id, rail, currencyId };
  const inserted = await insertLines(change, kept, fresh);
  await keepContradictions(change, statement.id, keys);
  await keepOtherwise(change, kept, contradicting);
  const own = Map.groupBy(receipts, ({ key }) => key);
  const outcome = inserted.map((line) => enterLine(change, caller, statement.tag, line, own.get(line.key) ?? []));
  return {
    ...counts,
    sent: outcome.filter((became) => became === 'sent').length,
    known: outcome.filter((became) => became === 'known').length,
    arrived: inserted.filter((_, index) => outcome[index] === 'arrived').map(({ id }) => id),
  };
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

/** Enters a new line: into suspense, or as the proof of a receipt. Logged in any case. */
function enterLine(
  change: Change,
  caller: SignedInCaller,
  statement: string,
  line: InsertedLine,
  receipts: readonly OwnReceipt[],
): 'sent' | 'known' | 'arrived' {
  const { amount, date, providerId: reference } = line;
  const isKnown = amount > 0 && receipts.length > 0;
  if (isKnown) insertKnown(change, line.id, receipts);
  const entry =
    amount > 0 && !isKnown ? postOutside(change, caller, line, { kind: 'arrival', amount, date, reference }) : null;
  const { rail, currencyId, payerNumber, payerName, details } = line;
  const told = { rail, currencyId, id: reference, date, amount, payerNumber, payerName, details };
  recordEvent(change, caller, 'statementLine.imported', ['statementLine', line.tag], {
    after: { statement, ...told, entry, receipts: isKnown ? receipts.map(({ tag }) => tag) : [] },
  });
  if (amount < 0) return 'sent';
  return isKnown ? 'known' : 'arrived';
}
