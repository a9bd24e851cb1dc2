import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { proofFolder } from '#proof/outages/place.harness.ts';
import { type OpenDatabase, openDatabase } from '#server/db/database.ts';
import { buildClient, saveInvoice } from '#server/invoices/invoices.harness.ts';
import { recordApplied, selectApplied } from '#server/migrations/record.ts';
import { checkOut, whyNoHistory } from '#server/testing/evidence/history.ts';
import { canaryFound, proved, rounds } from '#server/testing/evidence/record.ts';
import { freePort } from '#server/testing/free-port.ts';
import { remoteCaller, type ServerProcess, startServerProcess } from '#server/testing/servers/server-process.ts';
import { appOfFile } from '#server/testing/test-app.ts';
import { until } from '#server/testing/until.ts';
import { startProxy, type TestProxy } from './proxy.harness.ts';
import { SteadyLoad } from './steady-load.harness.ts';

/**
 * Two servers on one database behind a proxy: the last release is brought to this one in turn, and back, while people look,
 * save and upload. Nobody decides meanwhile: what the last release does not know of that says docs/upgrading.md.
 */

/** The commit that is tagged v1.1.0, and its last migration. */
const LAST_RELEASE = 'ce112b1';
const ITS_LAST_MIGRATION = '0059-messages-about';
const LIMIT = { timeout: rounds(180_000, 36_000_000) };
/** Answers under each pair of servers. */
const ANSWERS = rounds(60, 400);

const absent = whyNoHistory();

/** A server of the last release, or of this one. */
type Release = 'last' | 'this';

/** Two places behind a proxy, on a database that the last release made. */
interface Site {
  readonly opened: OpenDatabase;
  readonly load: SteadyLoad;
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

/** Both servers of the last release, on a database that they made, with people at work. */
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
  const clients = await Promise.all(Array.from({ length: rounds(3, 6) }, () => buildClient(site)));
  const uploaders = clients.slice(1).map(async (client) => {
    const { invoice } = await saveInvoice(client);
    return { client, invoiceTag: invoice.tag };
  });
  const load = new SteadyLoad(address, clients, await Promise.all(uploaders));
  // A store whose first document has no row yet would be taken for another database's.
  await until(async () => load.uploads > 0 || load.failures.length > 0);
  return { opened, load, start, end: async (nth) => (await servers[nth]?.stop()) ?? null };
}

/** Brings both servers to that release, one after the other. */
async function roll({ load, start, end }: Site, release: Release): Promise<void> {
  for (const nth of [0, 1]) {
    expect(await end(nth)).toBe(0);
    await start(nth, release);
    const answered = load.answered + ANSWERS;
    await until(async () => load.answered >= answered || load.failures.length > 0);
  }
}

async function lostOf({ opened, load }: Site): Promise<string[]> {
  const kept = await opened.db.selectFrom('invoices').select('invoice_number').execute();
  const numbers = new Set(kept.map(({ invoice_number }) => invoice_number));
  return load.saved.filter((number) => !numbers.has(number));
}

const title = 'two servers behind a proxy';
describe.skipIf(absent !== undefined)(
  absent === undefined ? title : `${title}, not looked at: ${absent}`,
  LIMIT,
  () => {
    it('are brought from the last release to this one and back, and nobody who looks, saves or uploads notices', async () => {
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
        expect(await lostOf(site)).toEqual([]);
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

    it('notice a migration that takes away what the last release uses, and the last release starts after none that says so', async () => {
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
