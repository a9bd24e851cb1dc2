import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { changeOnce } from '#server/changes/change.ts';
import { type Connection, type OpenDatabase, openDatabase } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';
import { buildSignedIn } from '#testing/builders.ts';
import { appOfTest } from '#testing/test-app.ts';
import { CommitUnknown, DatabaseAway, inRetryBudget, isAway } from './database-away.ts';

/** Running work when PostgreSQL goes away (docs/decisions/0020-database-away.md). */

const app = appOfTest();

async function breakConnectionOf(change: Change): Promise<void> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(change);
  await app.platform.pool.query('select pg_terminate_backend($1::int, 5000)', [rows[0]?.pid]);
}

function addBusiness(change: Change, name: string): Promise<unknown> {
  const kind = { is_client: false, is_buyer: true, active: true };
  const row = { name, industry_id: 1, district_id: 1, ...kind, created_at: app.clock.now() };
  return change.insertInto('businesses').values(row).execute();
}

async function businessesCalled(name: string): Promise<number> {
  return (await app.platform.db.selectFrom('businesses').select('id').where('name', '=', name).execute()).length;
}

describe('a lost connection', () => {
  it('has its transaction repeated once', async () => {
    let tries = 0;
    await app.platform.db.inTransaction(async (change) => {
      tries += 1;
      await addBusiness(change, 'Beekeeping');
      if (tries === 1) await breakConnectionOf(change);
      await sql`select 1`.execute(change);
    });
    expect([tries, await businessesCalled('Beekeeping')]).toEqual([2, 1]);
  });

  it("has a request's read repeated", async () => {
    const { caller } = await buildSignedIn(app, { perms: ['KSTAF'] });
    let taken = 0;
    app.platform.pool.on('acquire', (client) => {
      taken += 1;
      // First the session's read is repeated, then the handler's.
      if (![1, 3].includes(taken)) return;
      client.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
    });
    expect((await caller.get('/currencies')).status).toBe(200);
    expect(taken).toBeGreaterThanOrEqual(4);
  });

  /** Lets the next COMMIT through, and loses its reply with the connection. */
  function loseCommit(): void {
    let lost = false;
    app.platform.pool.on('acquire', (client) => {
      const query = client.query.bind(client);
      const ask = (...given: unknown[]): unknown => Reflect.apply(query, client, given);
      const broken = async (): Promise<unknown> => ask('select pg_terminate_backend(pg_backend_pid()), pg_sleep(5)');
      Object.assign(client, {
        query: (first: unknown, ...more: unknown[]) => {
          const answer = ask(first, ...more);
          const isMeant = isDeepStrictEqual(first, { text: 'commit' }) && answer instanceof Promise;
          if (lost || !isMeant) return answer;
          lost = true;
          return answer.then(broken);
        },
      });
    });
  }

  async function addOnce(key: string | undefined, name: string): Promise<unknown> {
    const { person } = await buildSignedIn(app, { perms: ['KSTAF'] });
    const found = await app.platform.db.selectFrom('sessions').select('token_hash').executeTakeFirstOrThrow();
    const session = {
      firstName: null,
      lastName: null,
      businessId: null,
      businessTag: null,
      businessName: null,
      perms: [],
      secondFactor: false,
      sessionHash: found.token_hash,
    };
    const now = app.clock.now();
    const caller = { person: { ...person, ...session }, now, ip: '::1', requestId: 'one', idempotencyKey: key };
    loseCommit();
    return changeOnce({ platform: app.platform, caller }, { name: 'addBusiness', input: name }, async ({ change }) => {
      await addBusiness(change, name);
      return { name };
    });
  }

  it('has a keyed change with an unacknowledged COMMIT repeated, and the change is made once', async () => {
    expect(await addOnce('key-1', 'Fishing')).toEqual({ name: 'Fishing' });
    expect(await businessesCalled('Fishing')).toBe(1);
  });

  it('has no change without a key repeated if its COMMIT was not acknowledged', async () => {
    await expect(addOnce(undefined, 'Mining')).rejects.toThrow(CommitUnknown);
    expect(await businessesCalled('Mining')).toBe(1);
  });
});

it('a write refused by a standby is repeated on another connection', async () => {
  const { db, pool } = app.platform;
  await pool.query('set default_transaction_read_only = on');
  await db.inTransaction((change) => addBusiness(change, 'Forestry'));
  expect(await businessesCalled('Forestry')).toBe(1);
});

/** PostgreSQL behind a proxy that can refuse connections. */
class Door {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  port = 0;

  async open(): Promise<void> {
    const { host, port } = inject('cluster');
    this.#server = createServer((socket) => {
      const inner = connect(`${host}/.s.PGSQL.${port}`);
      for (const end of [socket, inner]) {
        this.#sockets.add(end);
        end.on('error', () => undefined);
      }
      socket.pipe(inner).pipe(socket);
    }).listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (typeof address === 'object' && address !== null) this.port = address.port;
  }

  shut(): void {
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }
}

describe('an unreachable PostgreSQL', () => {
  let door: Door;
  let opened: OpenDatabase;
  const heard: string[] = [];
  beforeEach(async () => {
    door = new Door();
    await door.open();
    heard.length = 0;
    const connectionString = `postgres://${inject('cluster').user}@127.0.0.1:${door.port}/${app.database.name}`;
    const report = { away: () => heard.push('away'), back: () => heard.push('back') };
    opened = openDatabase({ connectionString }, () => undefined, report);
    await sql`select 1`.execute(opened.db);
  });
  afterEach(async () => {
    door.shut();
    await opened.close();
  });
  const once = async (connection: Connection = opened.db) =>
    (await sql<{ one: number }>`select 1 as one`.execute(connection)).rows[0]?.one;

  it('is waited for and used again once it is back', async () => {
    door.shut();
    const answers = Promise.all([once(), once(), opened.db.inTransaction(once)]);
    await expect.poll(() => heard).toEqual(['away']);
    await door.open();
    expect(await answers).toEqual([1, 1, 1]);
    expect(heard).toEqual(['away', 'back']);
  });

  it('is waited for 3 s and no longer', async () => {
    door.shut();
    const began = performance.now();
    const failures = await Promise.allSettled([once(), opened.db.inTransaction(once)]);
    const took = performance.now() - began;
    for (const failure of failures) expect(failure.status === 'rejected' && isAway(failure.reason)).toBe(true);
    expect(took).toBeGreaterThan(2_500);
    expect(took).toBeLessThan(6_000);
  });

  it('is waited for 3 s in total by all parts of a request', async () => {
    door.shut();
    const request = {};
    const part = () => expect(inRetryBudget(() => once(), request)).rejects.toThrow(DatabaseAway);
    const began = performance.now();
    await part();
    const first = performance.now() - began;
    await part();
    expect(first).toBeGreaterThan(2_500);
    expect(performance.now() - began - first).toBeLessThan(500);
  });

  it('is not waited for if it was never reached', async () => {
    door.shut();
    const where = { host: '127.0.0.1', port: door.port, user: 'nobody', database: 'nothing' };
    const never = openDatabase(where, () => undefined);
    const began = performance.now();
    await expect(once(never.db)).rejects.toThrow(DatabaseAway);
    await expect(never.db.inTransaction(once)).rejects.toThrow(DatabaseAway);
    expect(performance.now() - began).toBeLessThan(1_000);
    await never.close();
  });
});
