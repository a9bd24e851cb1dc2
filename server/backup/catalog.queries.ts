import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { SequenceCopy } from './manifest.ts';

/** Reads the database's catalogue. Backups rely on it, so they support every version of the schema. */

export interface TableShape {
  readonly name: string;
  /** The writable columns; generated columns are computed from them. */
  readonly columns: readonly string[];
  /** The order of a copy's rows, as SQL. Independent of the database's collation. */
  readonly order: readonly string[];
}

/** Every table of ours with its columns, by name. */
export async function selectTables(connection: Connection): Promise<TableShape[]> {
  const { rows } = await sql<TableShape>`
    select c.relname as name,
      array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
      (select array_agg(quote_ident(k.attname) || case k.attcollation when 0 then '' else ' collate "C"' end
          order by array_position(i.indkey::int2[], k.attnum))
        from pg_index i join pg_attribute k on k.attrelid = i.indrelid and k.attnum = any (i.indkey)
        where i.indrelid = c.oid and i.indisprimary) as "order"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and c.relname not like 'kysely%'
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    group by c.oid order by c.relname`.execute(connection);
  return rows;
}

/** Which table refers to which. Rows of the second must be restored first. */
export async function selectReferences(connection: Connection): Promise<{ from: string; to: string }[]> {
  const { rows } = await sql<{ from: string; to: string }>`
    select distinct c.conrelid::regclass::text as from, c.confrelid::regclass::text as to from pg_constraint c
    where c.contype = 'f' and c.conrelid <> c.confrelid
      and c.connamespace = current_schema()::regnamespace`.execute(connection);
  return rows;
}

/** Every identity column with its current value. */
export async function selectSequences(connection: Connection): Promise<SequenceCopy[]> {
  const { rows: columns } = await sql<{ table: string; column: string; sequence: string }>`
    select c.relname as table, a.attname as column, pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attidentity <> ''
    order by 1, 2`.execute(connection);
  const found: SequenceCopy[] = [];
  for (const { table, column, sequence } of columns) {
    const { rows } = await sql<{ last: string; isCalled: boolean }>`
      select last_value::text as last, is_called as "isCalled" from ${sql.raw(sequence)}`.execute(connection);
    for (const row of rows) found.push({ table, column, ...row });
  }
  return found;
}

/** Sets an identity column to its saved value. */
export async function setSequence(connection: Connection, { table, column, last, isCalled }: SequenceCopy) {
  await sql`select setval(pg_get_serial_sequence(quote_ident(${table}), ${column}), ${last}::bigint, ${isCalled})`.execute(
    connection,
  );
}

/** The schemas and tables that block a restore. */
export async function selectObstacles(connection: Connection): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select 'table ' || c.relname as name from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
        and c.relname <> 'unfinished_restore'
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    union all select 'schema ' || nspname from pg_namespace where nspname = 'pgboss'
    order by 1 limit 5`.execute(connection);
  return rows.map(({ name }) => name);
}
