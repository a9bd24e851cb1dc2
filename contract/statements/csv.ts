/**
 * Reads comma-separated text strictly. An incomplete file is refused, because half a statement looks like a whole one.
 */

/** Why a file is refused: where, and what would work. Lines are counted from 1. */
export interface Fault {
  readonly line: number;
  /** The column's name, if the fault is in one cell. */
  readonly column?: string;
  readonly why: string;
}

export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The most lines in a file, including its header. */
export const MAXIMUM_LINES = 5_000;

const CELL = /(?:"(?<quoted>(?:[^"]|"")*)"|(?<plain>[^",]*))(?<end>,|$)/y;
/** The rows of a text with their line numbers, without empty lines. `howToSplit`: the advice if there are too many. */
export function readCsv(text: string, howToSplit: string): readonly CsvRow[] | Fault {
  const lines = text.split(/\r?\n/);
  if (lines.length - 1 > MAXIMUM_LINES)
    return { line: MAXIMUM_LINES + 1, why: `There are more than 5,000 lines. ${howToSplit}` };
  if (lines.at(-1) !== '') return { line: lines.length, why: 'The last line has no end. Export the file again' };
  const rows: CsvRow[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const cells = cellsOf(line);
    if (cells === undefined) return { line: index + 1, why: 'A quotation mark is not closed' };
    rows.push({ line: index + 1, cells });
  }
  return rows;
}

function cellsOf(line: string): string[] | undefined {
  const cells: string[] = [];
  CELL.lastIndex = 0;
  for (;;) {
    const found = CELL.exec(line)?.groups;
    if (found === undefined) return undefined;
    cells.push((found.quoted?.replaceAll('""', '"') ?? found.plain ?? '').trim());
    if (found.end === '') return cells;
  }
}
