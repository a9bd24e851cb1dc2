import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { proofFolder } from '#proof/outages/place.harness.ts';
import { type OpenDatabase, openDatabase } from '#server/db/database.ts';
import { recordApplied, selectApplied } from '#server/migrations/record.ts';
import { checkOut, whyNoHistory } from '#testing/evidence/history.ts';
import { canaryFound, proved, rounds } from '#testing/evidence/record.ts';
import { freePort } from '#testing/free-port.ts';
import { remoteCaller, type ServerProcess, startServerProcess } from '#testing/servers/server-process.ts';
import { appOfFile } from '#testing/test-app.ts';
import { until } from '#testing/until.ts';
import { startProxy, type TestProxy } from './proxy.harness.ts';
import { buildWorkers, WorkLoad } from './work-load.harness.ts';

/**
 * Two servers on one database behind a proxy are upgraded in turn from the last release to this one, and rolled back,
 * while people view, save and upload. Officers decide nothing during an upgrade (docs/upgrading.md).
 */

/** The commit that is tagged v1.1.0, and its last migration. */
const LAST_RELEASE = 'ce112b1';
const ITS_LAST_MIGRATION = '0059-messages-about';
const LIMIT = { timeout: rounds(180_000, 36_000_000) };
/** Replies to wait for with each pair of servers. */
const ANSWERS = rounds(60, 400);

const absent = whyNoHistory();

/** A server of the last release, or of this one. */
type Release = 'last' | 'this';

/** Two servers behind a proxy, on a database that the last release made. */
interface Site {
  readonly opened: OpenDatabase;
  readonly load: WorkLoad;
  start(nth: number, release: Release): Promise<ServerProcess>;
  end(nth: number): Promise<number | null>;
}

const app = appOfFile();

async function makeDatabase(): Promise<{ name: string; opened: OpenDatabase }> {
  const name = `upgrade_${randomBytes(8).toString('hex')}`;
  const client = new pg.Client({ ...inject('cluster'), database: 'postgres' });
  await client.connect();
  await client.query(`create database ${name}`);
  const opened = openDatabase({ ...inject('cluster'), database: name }, () => undefined);
  onTestFinished(async () => {
    await opened.close();
    await client.query(`drop database ${name} with (force)`);
    await client.end();
  });
  return { name, opened };
}

/** Starts both servers of the last release on a database that they create, with people at work. */
async function startSite(): Promise<Site> {
  const place = await proofFolder();
  const folder = join(place, 'release');
  checkOut(LAST_RELEASE, folder);
  const { name, opened } = await makeDatabase();
  const ports = [await freePort(), await freePort()];
  const servers: (ServerProcess | undefined)[] = [];
  let proxy: TestProxy | undefined;
  const start = async (nth: number, release: Release): Promise<ServerProcess> => {
    const port = ports[nth] ?? 0;
    const env = { PORT: String(port), DATA_DIR: join(place, 'data'), DRAIN_SECONDS: '1' };
    const server = await startServerProcess({ name }, { env, folder: release === 'last' ? folder : undefined });
    servers[nth] = server;
    await proxy?.ready(port);
    return server;
  };
  await start(0, 'last');
  await start(1, 'last');
  proxy = await startProxy(ports);
  for (const port of ports) await proxy.ready(port);
  onTestFinished(async () => {
    await Promise.all(servers.map(async (server) => server?.stop('SIGKILL')));
  });
  const { address } = proxy;
  const site = { ...app, platform: { ...app.platform, db: opened.db }, visitor: () => remoteCaller(() => address) };
  const load = WorkLoad.steady(address, await buildWorkers(site, rounds(3, 6)));
  // A server would refuse a store whose first document has no row yet, because it would look like another database's.
  await until(async () => load.uploads > 0 || load.failures.length > 0);
  return { opened, load, start, end: async (nth) => (await servers[nth]?.stop()) ?? null };
}

/** Restarts both servers with that release, one after the other. */
async function roll({ load, start, end }: Site, release: Release): Promise<void> {
  for (const nth of [0, 1]) {
    expect(await end(nth)).toBe(0);
    await start(nth, release);
    const answered = load.answered + ANSWERS;
    await until(async () => load.answered >= answered || load.failures.length > 0);
  }
}

const title = 'two servers behind a proxy';
describe.skipIf(absent !== undefined)(
  absent === undefined ? title : `${title}, not looked at: ${absent}`,
  LIMIT,
  () => {
    it('are upgraded from the last release to this one and rolled back, and nobody who looks, saves or uploads notices', async () => {
      const upgrades = rounds(1, 5);
      let [answered, saves, uploads] = [0, 0, 0];
      for (let nth = 0; nth < upgrades; nth += 1) {
        const site = await startSite();
        expect((await selectApplied(site.opened.db)).at(-1)?.name).toBe(ITS_LAST_MIGRATION);
        await roll(site, 'this');
        expect((await selectApplied(site.opened.db)).at(-1)?.name).not.toBe(ITS_LAST_MIGRATION);
        await roll(site, 'last');
        await site.load.end();
        expect(site.load.failures).toEqual([]);
        expect(await site.load.lostIn(site.opened.db)).toEqual([]);
        answered += site.load.answered;
        saves += site.load.saved.length;
        uploads += site.load.uploads;
      }
      expect(uploads).toBeGreaterThan(0);
      proved(
        'rolling-upgrade',
        `${upgrades} upgrades from ${LAST_RELEASE} and as many rollbacks, ${answered} requests answered, of them ${uploads} slow uploads and ${saves} saves: 0 refused or cut, 0 lost`,
      );
    });

    it('fail under a migration that removes a column in use, and the last release refuses to start after a breaking one (canary)', async () => {
      const site = await startSite();
      await sql`alter table invoices rename column invoice_number to number`.execute(site.opened.db);
      await until(async () => site.load.failures.length > 0);
      await sql`alter table invoices rename column number to invoice_number`.execute(site.opened.db);
      await site.load.end();
      await site.end(0);
      await site.start(0, 'this');
      const breaking = { up: async () => undefined, oldestRelease: '1000.0.0' };
      await recordApplied(site.opened.db, '9999-takes-away', breaking);
      for (const release of ['last', 'this'] as const) {
        await site.end(1);
        await expect(site.start(1, release), release).rejects.toThrow(/Kasente did not start: .*9999-takes-away.*\n$/);
      }
      canaryFound(
        'rolling-upgrade',
        `a renamed column under the last release: ${site.load.failures.length} requests failed, such as ${site.load.failures[0]}; after a migration that says that it breaks them both releases refuse to start, in one sentence`,
      );
    });
  },
);
