import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { dropDatabase, makeEmptyDatabase, onDatabase } from './databases.harness.ts';
import { migrate, migrateTo } from './migrate.ts';

/** A database of 1.1.0 with lines and explanations that its keys told apart. */
async function fill(older: Database): Promise<void> {
  await older.inTransaction((change) => migrateTo(change, '0060-without-copies'));
  await sql`insert into persons (username, username_kind, password_hash, status, phone, created_at)
    values ('0772000001', 'phone', 'x', 'Active', '0772000001', now())`.execute(older);
  await sql`insert into statements (rail, currency_id, file_name, sha256, from_on, until_on, line_count, new_count,
      received, sent, imported_at, imported_by)
    select 'mtn', 1, 'a.csv', sha256('a'), '2026-11-01', '2026-11-02', 3, 3, 0, 0, now(), id from persons`.execute(
    older,
  );
  await sql`insert into statement_lines (statement_id, rail, currency_id, place, provider_id, occurred_on, amount, details)
    select id, 'mtn', 1, place, provider_id, '2026-11-01', 500, '' from statements,
      unnest(array['''3634410001', '3634410001', 'MP' || chr(160) || '100']) with ordinality as line (provider_id, place)`.execute(
    older,
  );
  await sql`insert into explained_differences (rail, currency_id, day, difference, reason, explained_at, explained_by)
    select 'mtn', 1, '2026-11-01', difference, difference, now(), persons.id from persons, unnest(array[
      'amount mp-100 5000 6000 2026-11-01', 'amount mp100 5000 6000 2026-11-01', 'missingHere ''36 5000 - 2026-11-01',
      'provider twice a.1 5000 10000 2026-11-01', 'imports contradicted m–2 5000 1', 'late 2026-11-01 100 -200',
      'late b-1 5000 5000 2026-11-01 2026-11-02', 'elsewhere c-1 5000 5000 6a0e-11']) as difference`.execute(older);
}

it('lines that earlier keys told apart stay, under one key, and explained differences stay explained', async () => {
  const name = await makeEmptyDatabase();
  await onDatabase(name, async (db) => {
    await fill(db);
    await expect(migrate(db)).resolves.toMatchObject({ newer: [], differences: { missing: [] } });
    const lines = await sql<{ key: string }>`select reference_key as key from statement_lines order by id`.execute(db);
    expect(lines.rows.map(({ key }) => key)).toEqual(['3634410001', '3634410001', 'mp100']);
    const explained = await sql<{
      difference: string;
    }>`select difference from explained_differences order by id`.execute(db);
    expect(explained.rows.map(({ difference }) => difference)).toEqual([
      'amount mp-100 5000 6000 2026-11-01', // the next one explains the same
      'amount mp100 5000 6000 2026-11-01',
      'missingHere 36 5000 - 2026-11-01',
      'provider twice a1 5000 10000 2026-11-01',
      'imports contradicted m2 5000 1',
      'late 2026-11-01 100 -200',
      'late b1 5000 5000 2026-11-01 2026-11-02',
      'elsewhere c1 5000 5000 6a0e-11',
    ]);
    await expect(sql`update explained_differences set reason = ''`.execute(db)).rejects.toThrow();
  });
  await dropDatabase(name);
});
