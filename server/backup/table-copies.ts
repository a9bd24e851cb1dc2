import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { TableShape } from './catalog.queries.ts';
import { writeDurably } from './durable-file.ts';

/** Copies tables in PostgreSQL's COPY text format, ordered by key, so that equal rows give equal bytes. */

/**
 * Settings that make the text of values the same everywhere and allow long copies. With `row_security = off`, a
 * statement fails instead of silently omitting rows.
 */
export const COPY_SETTINGS = [
  "set local timezone = 'UTC'",
  "set local datestyle = 'ISO, MDY'",
  "set local intervalstyle = 'postgres'",
  "set local bytea_output = 'hex'",
  'set local extra_float_digits = 1',
  'set local row_security = off',
  'set local statement_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
] as const;

export interface Copied {
  readonly rows: number;
  readonly sha256: string;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ');
}

function selection({ name, columns, order }: TableShape): string {
  return `copy (select ${quoted(columns)} from ${quoted([name])} order by ${order.join(', ')}) to stdout`;
}

/** Writes a table to a file, durably. */
export async function copyTableTo(client: Client, table: TableShape, path: string): Promise<Copied> {
  const rows = new RowCount();
  const { sha256 } = await writeDurably(path, rows.count(client.query(copyTo(selection(table)))));
  return { rows: rows.total, sha256 };
}

/** The digest that {@link copyTableTo} would return. */
export async function digestTable(client: Client, table: TableShape): Promise<Copied> {
  const rows = new RowCount();
  const hash = createHash('sha256');
  for await (const chunk of rows.count(client.query(copyTo(selection(table))))) hash.update(chunk);
  return { rows: rows.total, sha256: hash.digest('hex') };
}

const LINE_END = 0x0a;

/**
 * Counts lines: one per row, because COPY escapes line breaks. The library's own count may be available only after the
 * last row.
 */
class RowCount {
  total = 0;

  async *count(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of content) {
      for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) this.total += 1;
      yield chunk;
    }
  }
}

/** Loads a file's rows into a table. */
export async function copyTableFrom(client: Client, { name, columns }: Omit<TableShape, 'order'>, path: string) {
  await pipeline(
    createReadStream(path),
    client.query(copyFrom(`copy ${quoted([name])} (${quoted(columns)}) from stdin`)),
  );
}
