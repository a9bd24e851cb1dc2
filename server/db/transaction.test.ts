import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { countRoundTrips } from '#testing/round-trips.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import {
  type Connection,
  type Database,
  type OpenDatabase,
  openDatabase,
  POOL_SIZE,
  scopedDatabase,
} from './database.ts';
import { asSystem, inScopeOf } from './row-scope.ts';
import type { Change } from './transaction.ts';

/** Statements on one connection that several requests share: in their scopes, alone and in transactions. */

let database: TestDatabase;
let one: OpenDatabase;
let scoped: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  await sql`insert into businesses (name, industry_id, district_id, is_client, is_buyer, active, created_at)
    select 'Client ' || i, 1, 1, true, false, true, now() from generate_series(1, 3) as i`.execute(database.db);
});
afterAll(() => database.drop());

beforeEach(async () => {
  one = openDatabase({ ...inject('cluster'), database: database.name }, () => undefined);
  const others = await Promise.all(Array.from({ length: POOL_SIZE - 1 }, () => one.pool.connect()));
  scoped = scopedDatabase(one);
  return async () => {
    for (const other of others) other.release();
    await one.close();
  };
});

function as<Result>(businessId: number | null, work: () => Promise<Result>): Promise<Result> {
  return inScopeOf({ id: 7, businessId, perms: ['BIDA'] }, work);
}

const staff = { id: 8, businessId: null, perms: ['KSTAF'] } as const;

async function names(connection: Connection = scoped): Promise<string[]> {
  const rows = await connection.selectFrom('businesses').select('name').where('id', '>', 0).orderBy('id').execute();
  return rows.map(({ name }) => name);
}

const ALL = ['Client 1', 'Client 2', 'Client 3'];

/** The connection's settings while no scope is set. */
async function settingsLeft(): Promise<unknown[]> {
  const { rows } = await one.pool.query(`select current_user = session_user as own,
    coalesce(current_setting('kasente.business', true), '') as business,
    coalesce(current_setting('kasente.person', true), '') as person`);
  return rows;
}
const NOTHING = [{ own: true, business: '', person: '' }];

describe('a single statement', () => {
  it('runs in its caller’s scope, one after another on a connection', async () => {
    for (let round = 0; round < 3; round += 1) {
      expect(await as(1, names)).toEqual(['Client 1']);
      expect(await inScopeOf(staff, names)).toEqual(ALL);
      expect(await as(2, names)).toEqual(['Client 2']);
      expect(await as(null, names)).toEqual([]);
      expect(await asSystem('session', names)).toEqual(ALL);
      expect(await names()).toEqual([]);
    }
  });

  it('runs in its caller’s scope when many run concurrently', async () => {
    const asked = Array.from({ length: 60 }, (_, index) => (index % 3) + 1);
    const found = await Promise.all(asked.map((id) => as(id, names)));
    expect(found).toEqual(asked.map((id) => [`Client ${id}`]));
  });

  it('leaves nothing on the connection, whether it succeeds or fails', async () => {
    await as(1, names);
    expect(await settingsLeft()).toEqual(NOTHING);
    for (const broken of ['select 1 / (id - 1) from businesses', 'select no_such_column from businesses']) {
      await expect(as(1, () => sql.raw(broken).execute(scoped))).rejects.toThrow();
      expect(await settingsLeft()).toEqual(NOTHING);
      expect(await as(1, names)).toEqual(['Client 1']);
    }
  });

  it('returns what it would without a scope: rows, counts and the first failure', async () => {
    const change = () => scoped.updateTable('businesses').set({ active: true }).where('id', '>', 0).executeTakeFirst();
    expect((await as(1, change)).numUpdatedRows).toBe(1n);
    expect((await inScopeOf(staff, change)).numUpdatedRows).toBe(3n);
    const insert = () =>
      scoped
        .insertInto('idempotency_keys')
        .values({ person_id: 9, key: 'k', request_hash: Buffer.of(1), reply: null, created_at: new Date() })
        .execute();
    await expect(as(1, insert)).rejects.toMatchObject({
      code: '42501',
      message: expect.stringContaining('idempotency_keys'),
    });
    expect(await as(1, async () => (await sql`select`.execute(scoped)).rows)).toEqual([{}]);
  });

  it('is refused if it writes and was declared a read', async () => {
    const rename = sql`update businesses set name = 'Renamed' where id = 1`;
    await expect(as(1, () => rename.execute(scoped))).rejects.toThrow('declared a read');
    await inScopeOf(staff, () => scoped.write(rename.compile(scoped)));
    expect(await as(1, names)).toEqual(['Renamed']);
    await sql`update businesses set name = 'Client 1' where id = 1`.execute(database.db);
  });

  it('costs one round trip', async () => {
    await as(1, names); // first let it check what can be enforced
    for (const ask of [() => as(2, names), () => inScopeOf(staff, names)]) {
      expect((await countRoundTrips(ask)).roundTrips).toBe(1);
    }
  });
});

describe('a transaction', () => {
  const as1 = (work: (change: Change) => Promise<unknown>) =>
    countRoundTrips(() => as(1, () => scoped.inTransaction(work)));
  const rename = (change: Change, id: number, name: string): void =>
    change.send(change.updateTable('businesses').set({ name }).where('id', '=', id));

  it('runs in the scope in which it began, and leaves nothing behind', async () => {
    await as(1, () =>
      scoped.inTransaction(async (change) => {
        expect(await names(change)).toEqual(['Client 1']);
      }),
    );
    expect(await settingsLeft()).toEqual(NOTHING);
    const undone = as(2, () =>
      scoped.inTransaction(async (change) => {
        expect(await names(change)).toEqual(['Client 2']);
        throw new Error('undone');
      }),
    );
    await expect(undone).rejects.toThrow('undone');
    expect(await settingsLeft()).toEqual(NOTHING);
    expect(await as(1, () => scoped.inTransaction(names, { isolation: 'repeatable read' }))).toEqual(['Client 1']);
  });

  it('lets the server use its own scope for one statement, also concurrently with others', async () => {
    await as(1, () =>
      scoped.inTransaction(async (change) => {
        const system = () => asSystem('duplicates', () => names(change));
        expect(await Promise.all([names(change), system(), names(change), system(), names(change)])).toEqual([
          ['Client 1'],
          ALL,
          ['Client 1'],
          ALL,
          ['Client 1'],
        ]);
        await sql`savepoint before`.execute(change);
        await expect(asSystem('duplicates', () => sql`select 1 / 0`.execute(change))).rejects.toThrow(
          'division by zero',
        );
        await sql`rollback to savepoint before`.execute(change);
        expect(await names(change)).toEqual(['Client 1']);
      }),
    );
  });

  it('keeps the server’s own scope inside a client’s work', async () => {
    await asSystem('publicAuth', () =>
      scoped.inTransaction(async (change) => {
        expect(await as(3, () => names(change))).toEqual(['Client 3']);
        expect(await names(change)).toEqual(ALL);
      }),
    );
  });

  it('waits only for its work’s replies: BEGIN is sent with the first statement, COMMIT with the last', async () => {
    await as(1, names); // first let it check what can be enforced
    const { roundTrips } = await as1(async (change) => {
      await Promise.all([names(change), names(change)]);
      rename(change, 1, 'Client 1');
      rename(change, 1, 'Client 1');
    });
    expect(roundTrips).toBe(2);
    expect((await as1(async (change) => rename(change, 1, 'Client 1'))).roundTrips).toBe(1);
  });

  it('fails if a statement that nobody awaited fails, even if its work failed or caught the error', async () => {
    const broken = as1(async (change) => rename(change, 1, ''));
    await expect(broken).rejects.toMatchObject({ code: '23514' });
    const sequel = as1(async (change) => {
      rename(change, 1, '');
      await names(change);
    });
    await expect(sequel).rejects.toMatchObject({ code: '23514' });
    const caught = as1(async (change) => {
      rename(change, 1, '');
      await names(change).catch(() => undefined);
    });
    await expect(caught).rejects.toMatchObject({ code: '23514' });
    const other = as1(async (change) => {
      rename(change, 1, '');
      throw new Error('of its work');
    });
    await expect(other).rejects.toMatchObject({ code: '23514' });
    expect(await as(1, names)).toEqual(['Client 1']);
  });

  it('fails with the sender’s refusal for a broken constraint, if it has one', async () => {
    const refused = as1(async (change) =>
      change.send(change.updateTable('businesses').set({ name: '' }).where('id', '=', 1), {
        businesses_name_check: () => new Error('needs a name'),
      }),
    );
    await expect(refused).rejects.toThrow('needs a name');
  });

  it('refuses statements once it is over, even if part of its work continues', async () => {
    let late: Promise<unknown> | undefined;
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    await as1(async (change) => {
      late = over.then(() => names(change));
    });
    end();
    await expect(late).rejects.toThrow('the transaction is over');
  });
});
