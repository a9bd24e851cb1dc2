import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { howToSplit, type Rail } from '#contract/statements/layouts.ts';
import { type Expected, readStatement, type Statement } from '#contract/statements/read-statement.ts';
import {
  columnsOf,
  countColumns,
  type Fault,
  findTable,
  MAXIMUM_LINES,
  type Rows,
  type Table,
  type TableRow,
} from '#contract/statements/table.ts';

/**
 * Reads a statement file. Files do not declare their encoding, separator or quoting, so we try them: one reading must
 * fit the whole file (docs/decisions/0050-money-that-comes.md).
 */
export async function readStatementFile(file: Buffer, expected: Expected): Promise<Statement | Fault> {
  const text = decode(file);
  if (typeof text !== 'string') return text;
  const lastLine = text.slice(text.lastIndexOf('\n') + 1);
  if (lastLine.trim() !== '')
    return { line: text.split('\n').length, why: 'The last line has no end. Export the file again' };
  const table = await findReading(text, expected.rail);
  return 'why' in table ? table : readStatement(table, expected);
}

/** The decoded text, with line feeds as line ends. */
function decode(file: Buffer): string | Fault {
  try {
    return new TextDecoder(encodingOf(file), { fatal: true }).decode(file).replaceAll(/\r\n?/g, '\n');
  } catch {
    return { line: 1, why: NOT_TEXT };
  }
}

const NOT_TEXT = 'The file is not text, or was cut off. Export the statement as CSV, not as a spreadsheet or PDF';

/** The encoding by its byte order mark. Without one, we recognise UTF-16 by the zero byte in each Latin character. */
function encodingOf(file: Buffer): string {
  const mark = file.toString('latin1', 0, 2);
  if (mark === '\xff\xfe') return 'utf-16le';
  if (mark === '\xfe\xff') return 'utf-16be';
  const [even = 0, odd = 0] = [0, 1].map(
    (half) => file.filter((byte, place) => byte === 0 && place % 2 === half).length,
  );
  if (Math.max(even, odd) * 4 > file.length) return even > odd ? 'utf-16be' : 'utf-16le';
  if (even + odd > 0) return 'utf-8';
  return isUtf8(file) ? 'utf-8' : 'windows-1252';
}

const SEPARATORS = [',', ';', '\t'];

/** The table, read with the separator that finds the heading. */
async function findReading(text: string, rail: Rail): Promise<Table | Fault> {
  let best: Reading | undefined;
  let most = -1;
  for (const separator of SEPARATORS) {
    const reading = await readRows(text, { separator, quote: '"', rail });
    const found = countColumns(reading, rail);
    if (found > most) [best, most] = [reading, found];
    if (found === columnsOf(rail)) break;
  }
  if (best === undefined) return { line: 1, why: NOT_TEXT };
  const table = best.fault ?? findTable(best, rail);
  if (!('why' in table)) return table;
  if (most === 0 && text.includes('\0')) return { line: 1, why: NOT_TEXT };
  if (table.isAmbiguous === true) return table;
  // If quotation marks cannot be read as quoting cells, they are ordinary characters.
  const plain = await readRows(text, { separator: best.separator, quote: null, rail });
  const plainTable = plain.fault ?? findTable(plain, rail);
  return 'why' in plainTable ? table : plainTable;
}

interface Reading extends Rows {
  /** Why the rows are not the whole text. */
  readonly fault?: Fault;
}

interface Rules {
  readonly separator: string;
  /** Null if quotation marks are ordinary characters. */
  readonly quote: '"' | null;
  readonly rail: Rail;
}

async function readRows(text: string, { separator, quote, rail }: Rules): Promise<Reading> {
  const rows: TableRow[] = [];
  const options = { delimiter: separator, quote, record_delimiter: '\n', info: true, ltrim: true } as const;
  const parser = parse({ ...options, relax_column_count: true, relax_quotes: true, skip_empty_lines: true });
  let end = 0;
  try {
    for await (const { record, info } of Readable.from(slicesOf(text)).pipe(parser) as AsyncIterable<Parsed>) {
      const breaks = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
      end = info.lines;
      const cells = record.map(plainCell);
      if (cells.every((cell) => cell === '')) continue;
      const row = { line: end - breaks, cells };
      if (rows.length === MAXIMUM_LINES)
        return {
          separator,
          rows,
          fault: { line: row.line, why: `There are more than 5,000 lines. ${howToSplit(rail)}` },
        };
      rows.push(row);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const isAfter = (line: string, place: number): boolean => place >= end && line.includes('"');
    const line = text.split('\n').findIndex(isAfter) + 1;
    return { separator, rows, fault: { line, why: 'A quotation mark is not closed. Export the file again' } };
  }
  return { separator, rows };
}

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

const SLICE = 64 * 1024;

/** Splits a text into pieces, so that other requests get their turn in between. */
function* slicesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; from += SLICE) yield text.slice(from, from + SLICE);
}

/** The library keeps the quotation marks of a cell that contains others, or that is followed by a space. */
function plainCell(cell: string): string {
  const trimmed = cell.trim();
  return trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"') ? trimmed.slice(1, -1).trim() : trimmed;
}
