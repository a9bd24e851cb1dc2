import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '#server/db/database.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

/**
 * Deleting a person checks every table that refers to persons. Without an index each of those tables is read
 * completely, for each person.
 */

interface Reference {
  readonly table: string;
  readonly column: string;
  /** Whether an index starts with the column; a partial one without the null rows is enough. */
  readonly indexed: boolean;
}

let database: TestDatabase;
let references: Reference[];
beforeAll(async () => {
  database = await createTestDatabase();
  const found = await sql<Reference>`
    select relname as "table", attname as "column",
      exists (select from pg_index where indrelid = conrelid and indisvalid and indkey[0] = conkey[1]
        and coalesce(pg_get_expr(indpred, indrelid) = format('(%I IS NOT NULL)', attname), true)) as indexed
    from pg_constraint
      join pg_class on pg_class.oid = conrelid
      join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid = 'persons'::regclass order by 1, 2`.execute(database.db);
  references = found.rows;
});
afterAll(() => database.drop());

const nameOf = ({ table, column }: Reference): string => `${table}.${column}`;

describe('what refers to a person', () => {
  it('has an index that begins with the person', () => {
    expect(references.map(nameOf)).toContain('invoices.created_by');
    expect(references.filter(({ indexed }) => !indexed).map(nameOf)).toEqual([]);
  });

  it('is found by an index when a person is removed, with a plan made once for everybody', async () => {
    const plans = await database.owner.db.inTransaction(async (change) => {
      await sql`set local enable_seqscan = off`.execute(change); // empty tables are read whole
      const made: string[] = [];
      for (const reference of references) made.push(`${nameOf(reference)}: ${await planOf(change, reference)}`);
      return made;
    });
    expect(plans.filter((plan) => plan.includes('Seq Scan'))).toEqual([]);
  });
});

/** PostgreSQL's own check of a referring table. */
async function planOf(change: Connection, { table, column }: Reference): Promise<string> {
  const { rows } = await sql<Record<string, string>>`explain (generic_plan, costs off)
    select 1 from only ${sql.table(table)} x where $1 = ${sql.ref(column)} for key share of x`.execute(change);
  return rows.flatMap((row) => Object.values(row)).join('; ');
}
