import { sql } from 'kysely';
import type { Tables } from '#server/db/tables/tables.ts';
import type { Change } from './transaction.ts';

/**
 * A statement that adds many rows, in their order. They travel as one JSON value: separate parameters would exceed
 * PostgreSQL's limit, and each number of rows would be prepared as a statement of its own. All rows have the columns of
 * the first one.
 */
export function insertRows<Table extends keyof Tables>(
  change: Change,
  table: Table,
  rows: readonly Readonly<Partial<Record<keyof Tables[Table], unknown>>>[],
) {
  const columns = Object.keys(rows[0] ?? {});
  const given = sql`json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`;
  return change
    .insertInto(table)
    .columns(columns as never) // by the type of the rows
    .expression(sql`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${given}`);
}
