import { type ColumnRole, layoutOf, type Rail } from './layouts.ts';

/** The table in a statement file: its heading, and rows that have the heading's shape. */

/** Why a file is refused: where the fault is, and what would work. Line numbers start at 1. */
export interface Fault {
  readonly line: number;
  /** The column's name, if the fault is in one cell. */
  readonly column?: string;
  readonly why: string;
  /** Whether another reading of its quotation marks would fit, too. */
  readonly isAmbiguous?: true;
}

/** A row of a file. A cell may contain line breaks. */
export interface TableRow {
  /** The line on which it begins. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A file's rows without blank ones, as read with one separator. */
export interface Rows {
  readonly separator: string;
  readonly rows: readonly TableRow[];
}

export type Places = ReadonlyMap<ColumnRole, { readonly index: number; readonly name: string }>;

export interface Table {
  readonly places: Places;
  readonly body: readonly TableRow[];
}

/** The largest number of lines in a file, including its heading. */
export const MAXIMUM_LINES = 5_000;

/** The largest number of column names in one row. The right separator finds the most. */
export function countColumns({ rows }: Rows, rail: Rail): number {
  return Math.max(0, ...rows.map((row) => matchedBy(row, rail)));
}

/** How many columns the statement of a rail must have. */
export function columnsOf(rail: Rail): number {
  return Object.keys(layoutOf(rail).columns).length;
}

/**
 * Returns the heading and the rows below it, or the first fault. Lines above the heading, such as the account's name,
 * are ignored.
 */
export function findTable({ separator, rows }: Rows, rail: Rail): Table | Fault {
  const [first] = rows;
  if (first === undefined) return { line: 1, why: 'The file is empty' };
  const heading = headingOf(rows, rail);
  if (heading === undefined) {
    const names = Object.values(layoutOf(rail).columns).join(', ');
    return { line: first.line, why: `No line has the columns ${names}. Export the statement as CSV, with its heading` };
  }
  const places = placesOf(heading, rail);
  if ('why' in places) return places;
  const above = rows.slice(0, rows.indexOf(heading));
  // Some exports repeat the heading on each page.
  const body = rows.slice(above.length + 1).filter((row) => row.cells.join('\n') !== heading.cells.join('\n'));
  const { currency } = layoutOf(rail).columns;
  const hidden = above.find(({ cells }) => isPayment(cells, places));
  if (hidden !== undefined)
    return { line: hidden.line, column: currency, why: 'This payment is above the heading. Put the heading first' };
  const fault = body
    .map((row) => shapeFault(row, { heading, places, separator, rail }))
    .find((one) => one !== undefined);
  return fault ?? { places, body };
}

function matchedBy({ cells }: TableRow, rail: Rail): number {
  const names = new Set(cells.map((cell) => cell.toLowerCase()));
  return Object.values(layoutOf(rail).columns).filter((name) => names.has(name.toLowerCase())).length;
}

/** The first row with all columns, or else the row with the most. */
function headingOf(rows: readonly TableRow[], rail: Rail): TableRow | undefined {
  let [best, most] = [rows[0], 1];
  for (const row of rows) {
    const matched = matchedBy(row, rail);
    if (matched > most) [best, most] = [row, matched];
  }
  return most === 1 ? undefined : best;
}

function placesOf({ line, cells }: TableRow, rail: Rail): Places | Fault {
  const names = cells.map((cell) => cell.toLowerCase());
  const places = new Map<ColumnRole, { index: number; name: string }>();
  // The cast holds: a layout's columns are keyed by role.
  for (const [role, name] of Object.entries(layoutOf(rail).columns) as [ColumnRole, string][]) {
    const index = names.indexOf(name.toLowerCase());
    if (index === -1) return { line, column: name, why: 'This column is missing' };
    if (names.lastIndexOf(name.toLowerCase()) !== index)
      return { line, column: name, why: 'This column is there twice' };
    places.set(role, { index, name });
  }
  return places;
}

/**
 * Whether a row above the heading contains a payment. If so, somebody moved lines, and ignoring them would lose money.
 */
function isPayment(cells: readonly string[], places: Places): boolean {
  const at = (role: ColumnRole): string => cells[places.get(role)?.index ?? -1] ?? '';
  return /\d/.test(at('date')) && /^[A-Z]{3}$/.test(at('currency'));
}

interface Shape {
  readonly heading: TableRow;
  readonly places: Places;
  readonly separator: string;
  readonly rail: Rail;
}

function shapeFault(row: TableRow, { heading, places, separator, rail }: Shape): Fault | undefined {
  const { line, cells } = row;
  const width = heading.cells.length;
  // If a stray pair of quotation marks has joined two rows, a cell contains the separators of at least one row.
  const isJoined = (cell: string): boolean => cell.includes('\n') && cell.split(separator).length >= width;
  if (cells.some(isJoined))
    return {
      line,
      why: 'Between its quotation marks are whole lines. Write quotation marks inside a text twice',
      isAmbiguous: true,
    };
  if (matchedBy(row, rail) === places.size)
    return { line, why: 'This is a second heading, with other columns. Send each table as a file of its own' };
  const { trailer } = layoutOf(rail);
  const isTrailer = trailer !== undefined && cells[0] === trailer;
  const isEnoughCells = isTrailer || cells.length >= width;
  // After an unknown last column, a blank cell may be that column's value, shifted by a separator in an unquoted text.
  const mayEndBlank = isTrailer || [...places.values()].some(({ index }) => index === width - 1);
  const isBlankAfter = cells.slice(width).every((cell) => cell === '');
  if (isEnoughCells && (cells.length <= width || (mayEndBlank && isBlankAfter))) return undefined;
  return {
    line,
    why: `It has ${cells.length} cells, and the heading has ${width}. Put a text with separators between quotation marks`,
  };
}
