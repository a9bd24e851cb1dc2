import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { anchorAudit, verifyAudit } from '#server/audit/audit.service.ts';
import { auditStore } from '#server/documents/store/store-audit.service.ts';
import { joinInstallation, refuseForeignStore } from '#server/installation/installation.ts';
import type { Platform } from '#server/platform/platform.ts';
import { buildBusiness, buildPerson } from '#testing/builders.ts';
import { createTestApp, type TestApp } from '#testing/test-app.ts';
import { unexpected } from '#testing/test-platform.ts';
import { createDemonstration, resetDemonstration } from './demonstration.service.ts';

/** The demonstration in an operator's own database, run as the owner of its tables, as the command does. */

let app: TestApp;
let owner: Platform;
beforeEach(async () => {
  app = await createTestApp();
  const { db, pool } = app.database.owner;
  owner = { ...app.platform, db, pool };
});
afterEach(() => app.close());

/** The number of rows of each table. */
async function rows(): Promise<Record<string, number>> {
  const { rows: tables } = await owner.pool.query<{ name: string; rows: number }>(
    `select relname as name, (xpath('/row/n/text()', query_to_xml('select count(*) as n from ' || oid::regclass, false, true, '')))[1]::text::int as rows
      from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  );
  return Object.fromEntries(tables.map((table) => [table.name, table.rows]));
}

/** Ends the server's own connections, as if it had stopped. */
async function stopServer(): Promise<void> {
  await owner.pool.query(
    'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and usename <> current_user',
  );
}

describe('the demonstration', () => {
  it('is only seeded into an empty database', async () => {
    await createDemonstration(owner);
    expect(await owner.db.selectFrom('persons').select('username').execute()).toHaveLength(6);
    await expect(createDemonstration(owner)).rejects.toThrow(
      `somebody is in the database ${app.database.name} already`,
    );
  });

  it('is not seeded beside the documents of another database', async () => {
    await owner.files.writeMark('f0f0f0f0-0000-4000-8000-000000000000');
    await expect(createDemonstration(owner)).rejects.toThrow(
      /^the document store does not belong to this database: its mark belongs to another one, and this database knows of none\./,
    );
    expect(await owner.db.selectFrom('persons').select('username').execute()).toEqual([]);
  });

  it('is completed by the next attempt after one died midway, without leftover files', async () => {
    await createDemonstration(owner);
    (await joinInstallation(owner, unexpected))();
    const mark = await owner.files.readMark();
    await stopServer();
    const dies = () => Promise.reject(new Error('the power is gone'));
    const dying = { ...owner, files: { ...owner.files, remove: dies, write: dies } };
    await expect(resetDemonstration(dying, undefined)).rejects.toThrow('the power is gone');
    await resetDemonstration(owner, undefined);
    expect(await owner.db.selectFrom('persons').select('username').execute()).toHaveLength(6);
    expect((await auditStore(owner)).findings).toEqual([]);
    (await joinInstallation(owner, unexpected))();
    expect(await owner.files.readMark()).toBe(mark);
  });

  it('is restored to its initial state as often as needed, with its store, whatever its people did, and its audit log is valid', async () => {
    await createDemonstration(owner);
    (await joinInstallation(owner, unexpected))();
    const mark = await owner.files.readMark();
    expect(mark).toEqual(expect.any(String));
    const before = await rows();
    const login = { username: '0700000001', password: 'Kasente-demo-1' };
    expect((await app.visitor().post('/users/login', login)).status).toBe(200);
    await anchorAudit(owner);
    expect(await rows()).not.toEqual(before);
    await stopServer();
    for (const _ of [1, 2]) {
      await resetDemonstration(owner, undefined);
      (await joinInstallation(owner, unexpected))();
      await refuseForeignStore(owner);
      expect([await owner.files.readMark(), await rows()]).toEqual([mark, before]);
      expect(await verifyAudit(owner)).toMatchObject({ faults: [] });
      expect((await auditStore(owner)).findings).toEqual([]);
    }
  });
});

/** Sorted, because a store lists them in any order. */
async function keys(): Promise<string[]> {
  const found: string[] = [];
  for await (const key of owner.files.list()) found.push(key);
  return found.sort();
}

const IN_USE = 'somebody else is connected to this database';

describe('a reset of the demonstration', () => {
  it('is refused in production, and so is the first seeding', async () => {
    const production = { ...owner, config: { ...owner.config, production: true } };
    await expect(createDemonstration(production)).rejects.toThrow('never use it in production');
    await expect(resetDemonstration(production, app.database.name)).rejects.toThrow('never use it in production');
    expect(await owner.db.selectFrom('persons').select('id').execute()).toEqual([]);
  });

  it('is refused while anybody else is connected to the database, under any name', async () => {
    await createDemonstration(owner);
    await app.platform.pool.query('select 1');
    await expect(resetDemonstration(owner, undefined)).rejects.toThrow(IN_USE);
    await stopServer();
    const { host, port, user } = inject('cluster');
    const renamed = new pg.Client({ host, port, user, database: app.database.name, application_name: 'staging' });
    await renamed.connect();
    await expect(resetDemonstration(owner, undefined)).rejects.toThrow(IN_USE);
    await renamed.end();
  });

  it('is refused for another database’s store, whose documents stay', async () => {
    await createDemonstration(owner);
    await stopServer();
    (await joinInstallation(owner, unexpected))();
    const documents = await keys();
    expect(documents).not.toEqual([]);
    await owner.files.writeMark('f0f0f0f0-0000-4000-8000-000000000000');
    const refused = 'the document store does not belong to this database';
    await expect(resetDemonstration(owner, app.database.name)).rejects.toThrow(refused);
    await owner.db.deleteFrom('installation').execute();
    await expect(resetDemonstration(owner, app.database.name)).rejects.toThrow(refused);
    expect(await keys()).toEqual(documents);
  });

  it('is refused if people or businesses exist that it did not create, unless the operator names the database', async () => {
    await createDemonstration(owner);
    await buildPerson(app, { username: 'amina@example.com' });
    await buildBusiness(app, { kind: 'buyer', name: 'Kabale Stores Ltd' });
    await stopServer();
    const before = await rows();
    await expect(resetDemonstration(owner, undefined)).rejects.toThrow(
      `2 people and businesses in the database ${app.database.name} are not the demonstration's, such as amina@example.com. To delete them`,
    );
    await expect(resetDemonstration(owner, 'another')).rejects.toThrow(
      `the settings name the database ${app.database.name}, not another.`,
    );
    expect(await rows()).toEqual(before);
    await resetDemonstration(owner, app.database.name);
    expect(await owner.db.selectFrom('persons').select('username').execute()).toHaveLength(6);
  });
});
