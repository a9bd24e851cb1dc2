import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { readConfig } from '#server/config/config.ts';
import { type OpenDatabase, openDatabase, scopedDatabase } from '#server/db/database.ts';
import { inScopeOf } from '#server/db/row-scope.ts';
import { startHere, temporaryFolder } from '#server/embedded-postgres/launcher.harness.ts';
import { migrate } from '#server/migrations/migrate.ts';
import { findEnforcement, reportEnforcement } from './row-security.ts';

/** Tests the roles that DATABASE_URL may name. None of them is a superuser; each owns its database. */

it('row security applies to any owner of the database once the role exists; without it the start logs how to create it', async () => {
  const postgres = await startHere(await temporaryFolder(), { settings: { fsync: 'off' } });
  const administrator = new pg.Client(postgres.connection);
  await administrator.connect();
  const opened = new Set<OpenDatabase>();
  const openAs = (user: string, database: string): OpenDatabase => {
    const started = openDatabase({ ...postgres.connection, user, database }, () => undefined);
    opened.add(started);
    return started;
  };
  try {
    await administrator.query('create role plain login; create role maker login createrole');
    await administrator.query('create database plain owner plain');
    await administrator.query('create database maker owner maker');

    // Without the right to create roles, everything works, and the start logs what is missing.
    const plain = openAs('plain', 'plain');
    await migrate(plain.db);
    const { problem } = await findEnforcement(plain.db);
    const said = /have an administrator run: (.*)$/.exec(problem ?? '')?.[1];
    expect(said).toBe('create role kasente_client nologin; grant kasente_client to "plain";');
    expect(await visible(plain, 1)).toBe(2);
    expect(await reported(plain)).toMatchObject({ level: 50, msg: 'row-level security is not in force', problem });

    // Once the administrator has done so, the next start enforces row security.
    await administrator.query(said ?? '');
    await migrate(plain.db);
    expect(await findEnforcement(plain.db)).toEqual({ ownRole: 'none' });
    expect(await reported(plain)).toBeUndefined();
    expect(await visible(plain, 1)).toBe(1);
    expect(await visible(plain, null)).toBe(0);

    // A login that may create roles creates the missing role, but adopts none that others created.
    const maker = openAs('maker', 'maker');
    await migrate(maker.db);
    expect((await findEnforcement(maker.db)).problem).toContain('run: grant kasente_client to "maker";');
    opened.delete(plain);
    await plain.close();
    await administrator.query('drop database plain');
    for (const name of ['maker', 'kasente']) await dropRights(postgres.connectionFor(name));
    await administrator.query('drop role kasente_client');
    await migrate(maker.db);
    expect(await visible(maker, 2)).toBe(1);

    // A role that sees all rows gives no protection.
    await administrator.query('alter role kasente_client bypassrls');
    expect((await findEnforcement(maker.db)).problem).toContain('kasente_client may see every row');
  } finally {
    for (const { close } of opened) await close();
    await administrator.end();
  }
});

/** The line that a start in production logs, if any. */
async function reported({ db }: OpenDatabase): Promise<unknown> {
  const lines: string[] = [];
  const config = readConfig({ NODE_ENV: 'production', EMBEDDED_DATABASE: 'allow', PUBLIC_URL: 'https://kasente.test' });
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  await reportEnforcement({ db, config, log });
  return lines.map((line): unknown => JSON.parse(line))[0];
}

async function dropRights(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query('drop owned by kasente_client');
  await client.end();
}

/** How many clients' businesses a client's unscoped query returns; there are two. */
async function visible(opened: OpenDatabase, businessId: number | null): Promise<number> {
  await sql`insert into businesses (name, industry_id, district_id, is_client, is_buyer, active, created_at)
    values ('One Ltd', 1, 1, true, false, true, now()), ('Two Ltd', 1, 1, true, false, true, now())
    on conflict do nothing`.execute(opened.db);
  const rows = await inScopeOf({ id: 1, businessId, perms: ['BIDA'] }, () =>
    scopedDatabase(opened).selectFrom('businesses').select('id').execute(),
  );
  return rows.length;
}
