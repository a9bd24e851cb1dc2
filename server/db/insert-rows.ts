import { sql } from 'kysely';
import type { Tables } from '#server/db/tables/tables.ts';
import type { Change } from './transaction.ts';

/**
 * Returns a statement that inserts many rows in order. They are sent as one JSON value: separate parameters would
 * exceed PostgreSQL's limit, and every number of rows would need its own prepared statement. All rows must have the
 * columns of the first one.
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
    .columns(columns as never) // the type of `rows` guarantees it
    .expression(sql`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${given}`);
}
