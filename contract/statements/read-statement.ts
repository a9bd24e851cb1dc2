import { z } from 'zod';
import { plainPhone } from '#contract/accounts/username.ts';
import { readAmount } from '#contract/amounts/read-amount.ts';
import { MAXIMUM_AMOUNT_MINOR } from '#contract/money.ts';
import { referenceKey } from '#contract/payments/reference-key.ts';
import { isShortened } from '#contract/payments/references/shortened-reference.ts';
import { idWithout, isSameLine } from './known-lines.ts';
import { type ColumnRole, layoutOf, type Rail } from './layouts.ts';
import type { Fault, Places, Table, TableRow } from './table.ts';

/** Reads a whole statement, or returns its first fault. */

/** A line of a statement. */
export interface StatementLine {
  /** Its line number in the file. */
  readonly place: number;
  /** The provider's id, or one built from the line's content. */
  readonly id: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Minor units: above 0 came in, below 0 went out. */
  readonly amount: number;
  readonly payerNumber: string | null;
  readonly payerName: string | null;
  readonly details: string;
}

export interface Statement {
  readonly lines: readonly StatementLine[];
  /** Lines left out because their status says that no money moved. */
  readonly left: number;
}

/** The account and the days that the statement must cover. */
export interface Expected {
  readonly rail: Rail;
  readonly currency: string;
  readonly from: string;
  readonly until: string;
}

/** Returns the lines of a statement without repeats, or the fault for which it is refused. */
export function readStatement({ places, body: rows }: Table, expected: Expected): Statement | Fault {
  const body = [...rows];
  const { trailer, done } = layoutOf(expected.rail);
  const last = trailer === undefined ? undefined : body.pop();
  const sheet = { places, expected, counts: new Map<string, number>() };
  const lines: StatementLine[] = [];
  let left = 0;
  for (const row of body) {
    if (done !== undefined && cellOf(sheet, row, 'status').toLowerCase() !== done.toLowerCase()) {
      left += 1;
      continue;
    }
    const line = lineOf(sheet, row);
    if ('why' in line) return line;
    lines.push(line);
  }
  const fault = trailer === undefined ? undefined : trailerFault(sheet, last, lines);
  return fault ?? onlyOnce(lines, left, layoutOf(expected.rail).mayRepeatId === true);
}

interface Sheet {
  readonly places: Places;
  readonly expected: Expected;
  /** How many identical lines without an id came before. */
  readonly counts: Map<string, number>;
}

function cellOf({ places }: Sheet, { cells }: TableRow, role: ColumnRole): string {
  const place = places.get(role);
  return place === undefined ? '' : (cells[place.index] ?? '');
}

/** Free text, on one line. */
function textOf(sheet: Sheet, row: TableRow, role: ColumnRole): string {
  return cellOf(sheet, row, role)
    .replaceAll(/ *\n */g, ' ')
    .replaceAll(UNSEEN, '');
}

function faultAt({ places }: Sheet, { line }: TableRow, role: ColumnRole, why: string): Fault {
  return { line, column: places.get(role)?.name ?? role, why };
}

const SHORTENED_ID =
  'A spreadsheet shortened this id. Export the file again, and send it without opening it in a spreadsheet';
const LONGEST_ID = 60;
const LONGEST_NAME = 100;
const LONGEST_DETAILS = 300;
/**
 * Text that a spreadsheet would run: it begins like a formula and is not a signed number. Details and names may begin
 * like that ('@Moses', '-Kampala'); a number or a reference never does.
 */
const FORMULA = /^\s*(?:[=@]|[+-](?![\d\s().,-]*$))/;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

function lineOf(sheet: Sheet, row: TableRow): StatementLine | Fault {
  const { rail, currency, from, until } = sheet.expected;
  const { mayLackId } = layoutOf(rail);
  if (cellOf(sheet, row, 'currency') !== currency)
    return faultAt(sheet, row, 'currency', `This statement is for ${currency}. Send other currencies by themselves`);
  const date = dateOf(cellOf(sheet, row, 'date'), rail);
  if (date === undefined) return faultAt(sheet, row, 'date', `Write dates as ${layoutOf(rail).dates}`);
  if (date < from || date > until) return faultAt(sheet, row, 'date', 'This line is not within the days you gave');
  const amount = amountOf(sheet, row);
  if (typeof amount !== 'number') return amount;
  const details = textOf(sheet, row, 'details').slice(0, LONGEST_DETAILS);
  const cell = cellOf(sheet, row, 'id');
  if (isShortened(cell)) return faultAt(sheet, row, 'id', SHORTENED_ID);
  // A cell of punctuation, such as '-', is not an id.
  const own = referenceKey(cell) === '' ? '' : cell;
  if (cell.length > LONGEST_ID || cell.search(UNSEEN) !== -1)
    return faultAt(sheet, row, 'id', `Use at most ${LONGEST_ID} characters that can be seen`);
  if (own === '' && mayLackId !== true) return faultAt(sheet, row, 'id', 'Each line needs the provider’s id');
  const formula = (['id', 'payerNumber'] as const).find((role) => FORMULA.test(cellOf(sheet, row, role)));
  if (formula !== undefined) return faultAt(sheet, row, formula, 'It begins like a formula. Export the file again');
  const payerName = textOf(sheet, row, 'payerName').slice(0, LONGEST_NAME);
  const payerNumber = numberOf(cellOf(sheet, row, 'payerNumber'));
  const said = { date, amount, payerName: payerName || null, payerNumber: payerNumber || null, details };
  return { place: row.line, id: own || builtId(sheet, said), ...said };
}

/**
 * Builds an id. Identical lines of a day are numbered in file order, so the n-th has the same id in every file that
 * starts with that day.
 */
function builtId({ counts }: Sheet, said: Pick<StatementLine, 'date' | 'amount' | 'details'>): string {
  const same = idWithout(said);
  const ordinal = (counts.get(same) ?? 0) + 1;
  counts.set(same, ordinal);
  return `${same} ${ordinal}`;
}

const DATES = {
  'YYYY-MM-DD': /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[ T]\d{2}:\d{2}(?::\d{2})?)?$/,
  'DD/MM/YYYY': /^(?<day>\d{2})\/(?<month>\d{2})\/(?<year>\d{4})(?: \d{2}:\d{2}(?::\d{2})?)?$/,
};

function dateOf(cell: string, rail: Rail): string | undefined {
  const { year, month, day } = DATES[layoutOf(rail).dates].exec(cell)?.groups ?? {};
  if (year === undefined || year < '2000') return undefined;
  const date = `${year}-${month}-${day}`;
  return z.iso.date().safeParse(date).success ? date : undefined;
}

/** The amount in a cell, in minor units; undefined if Kasente doesn't accept it. */
function minorOf(cell: string, currency: string): number | undefined {
  const { minor } = readAmount(cell, currency);
  return minor === undefined || minor < 0 ? undefined : minor;
}

function amountOf(sheet: Sheet, row: TableRow): number | Fault {
  const fault = (role: ColumnRole): Fault => faultAt(sheet, row, role, 'Write an amount above 0, like 1,250,000.00');
  const { currency } = sheet.expected;
  if (sheet.places.has('amount')) {
    const cell = cellOf(sheet, row, 'amount');
    const minor = minorOf(cell.replace(/^-/, ''), currency);
    if (minor === undefined || minor === 0) return fault('amount');
    return cell.startsWith('-') ? -minor : minor;
  }
  const [credit, debit] = [cellOf(sheet, row, 'credit'), cellOf(sheet, row, 'debit')];
  const [came, went] = [minorOf(credit || '0', currency), minorOf(debit || '0', currency)];
  if (came === undefined) return fault('credit');
  if (went === undefined) return fault('debit');
  if (came > 0 === went > 0) return faultAt(sheet, row, 'credit', 'Give either a credit or a debit');
  return came > 0 ? came : -went;
}

/** The payer's number in canonical form. */
function numberOf(cell: string): string {
  return plainPhone(cell).slice(0, 40);
}

/** The sums of incoming and outgoing money, in minor units. */
export function sumsOfLines(lines: readonly Pick<StatementLine, 'amount'>[]): { received: number; sent: number } {
  const sum = (sign: 1 | -1) => lines.reduce((total, { amount }) => total + Math.max(0, sign * amount), 0);
  return { received: sum(1), sent: sum(-1) };
}

function trailerFault(sheet: Sheet, row: TableRow | undefined, lines: readonly StatementLine[]): Fault | undefined {
  const { rail, currency } = sheet.expected;
  const { trailer } = layoutOf(rail);
  const why = `The last line must say ${trailer}, the number of lines and the sums. The file was cut off, or changed`;
  if (row === undefined || row.cells[0] !== trailer) return { line: row?.line ?? 2, why };
  const { received, sent } = sumsOfLines(lines);
  const isWhole =
    row.cells[1] === String(lines.length) &&
    minorOf(cellOf(sheet, row, 'credit') || '0', currency) === received &&
    minorOf(cellOf(sheet, row, 'debit') || '0', currency) === sent;
  return isWhole ? undefined : { line: row.line, why };
}

/**
 * Removes repeats. If a bank may repeat ids, identical lines are numbered, so the n-th is the same in every file that
 * starts with that day.
 */
function onlyOnce(lines: readonly StatementLine[], left: number, mayRepeatId: boolean): Statement | Fault {
  const known = new Map<string, StatementLine>();
  // A bank may give one id to several payments.
  const keyOf = ({ date, amount }: StatementLine, id: string): string =>
    mayRepeatId ? `${referenceKey(id)} ${date} ${amount}` : referenceKey(id);
  for (const line of lines) {
    const first = known.get(keyOf(line, line.id));
    if (first !== undefined && !mayRepeatId && !isSameLine(first, line))
      return { line: line.place, why: `It has the id of line ${first.place}, and says something else` };
    const isAnother = first !== undefined && mayRepeatId;
    const id = isAnother ? nextId(line.id, (next) => known.has(keyOf(line, next))) : line.id;
    if (first === undefined || isAnother) known.set(keyOf(line, id), { ...line, id });
  }
  if (known.size === 0) return { line: 1, why: 'There is no line in it on which money moved' };
  const { received, sent } = sumsOfLines(lines);
  if (Math.max(received, sent) > MAXIMUM_AMOUNT_MINOR) return { line: 1, why: 'Its sum is more than amounts hold' };
  return { lines: [...known.values()], left };
}

function nextId(id: string, isTaken: (next: string) => boolean): string {
  for (let ordinal = 2; ; ordinal += 1) {
    const next = `${id} (${ordinal})`;
    if (!isTaken(next)) return next;
  }
}
