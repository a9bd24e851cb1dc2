import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

describe('the database connection', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  it('runs the pool’s own queries, with and without parameters', async () => {
    const { pool } = database;
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect((await pool.query('select $1::int as number', [2])).rows).toEqual([{ number: 2 }]);
    await expect(pool.query('select $1::int / 0', [1])).rejects.toThrow('division by zero');
  });

  it('fails its statement when it breaks, without ending the process', async () => {
    const { db, pool } = database;
    const broken = db.connection().execute(async (connection) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection);
      await pool.query('select pg_terminate_backend($1::int, 5000)', [rows[0]?.pid]);
      await sql`select 1`.execute(connection);
    });
    await expect(broken).rejects.toThrow();
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });
});
