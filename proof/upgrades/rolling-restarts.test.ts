import { beforeAll, describe, expect, it } from 'vitest';
import { roundRobin } from '#proof/load/load.harness.ts';
import { buildClient, invoiceForm, postInvoice } from '#server/invoices/invoices.harness.ts';
import { canaryFound, proved, rounds } from '#testing/evidence/record.ts';
import { freePort } from '#testing/free-port.ts';
import { remoteCaller, type ServerProcess, startServerProcess } from '#testing/servers/server-process.ts';
import { appOfFile } from '#testing/test-app.ts';
import { startProxy, type TestProxy } from './proxy.harness.ts';
import { buildWorkers, WorkLoad } from './work-load.harness.ts';

/** Two servers on one database behind a proxy are restarted in turn while people work. */

const LIMIT = { timeout: rounds(120_000, 36_000_000) };

const app = appOfFile();
let ports: readonly number[];
let servers: ServerProcess[];
let proxy: TestProxy;

beforeAll(async () => {
  ports = [await freePort(), await freePort()];
  servers = await Promise.all(ports.map(start));
  proxy = await startProxy(ports);
  await Promise.all(ports.map((port) => proxy.ready(port)));
});

function start(port: number): Promise<ServerProcess> {
  const env = { PORT: String(port), DATA_DIR: app.platform.config.dataDir, DRAIN_SECONDS: '1', LOG_LEVEL: 'warn' };
  return startServerProcess(app.database, { env });
}

/** Ends a server by the signal; returns its exit code. */
async function end(nth: number, signal: NodeJS.Signals): Promise<number | null> {
  return (await servers[nth]?.stop(signal)) ?? null;
}

async function startAgain(nth: number): Promise<void> {
  const port = ports[nth] ?? 0;
  servers[nth] = await start(port);
  await proxy.ready(port);
}

async function steadyLoad(): Promise<WorkLoad> {
  const site = { ...app, visitor: () => remoteCaller(() => proxy.address) };
  return WorkLoad.steady(proxy.address, await buildWorkers(site, rounds(3, 6)));
}

describe('two servers on one database', LIMIT, () => {
  it('are one: a change at either holds at both', async () => {
    const nextAddress = roundRobin(servers.map(({ address }) => address));
    const site = { ...app, visitor: () => remoteCaller(nextAddress) };
    const client = await buildClient(site);
    for (let nth = 0; nth < 2; nth += 1) expect((await client.caller.get('/users/session')).status).toBe(200);

    const form = invoiceForm(client);
    const key = { 'idempotency-key': form.invoiceNumber };
    const saves = await Promise.all(Array.from({ length: 10 }, () => postInvoice(client, form, key)));
    expect(new Set(saves.map(({ body }) => body.data.tag)).size).toBe(1);

    const stolen = new Map(client.caller.cookies);
    expect((await client.caller.post('/users/logout')).status).toBe(200);
    for (const [name, value] of stolen) client.caller.cookies.set(name, value);
    for (let nth = 0; nth < 2; nth += 1) expect((await client.caller.get('/users/session')).status).toBe(401);

    const wrong = () =>
      site.visitor().post('/users/login', { username: client.person.username, password: 'Not-this-1' });
    const statuses: number[] = [];
    for (let nth = 0; nth < 12; nth += 1) statuses.push((await wrong()).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
  });
});

describe('two servers behind a proxy', LIMIT, () => {
  it('lose requests if one just ends, and the load notices (canary)', async () => {
    const load = await steadyLoad();
    const killed = rounds(1, 5);
    for (let round = 0; round < killed; round += 1) {
      await end(round % 2, 'SIGKILL');
      await startAgain(round % 2);
    }
    await load.end();
    expect(load.failures.length).toBeGreaterThan(0);
    canaryFound(
      'rolling-restarts',
      `${killed} servers killed instead: ${load.failures.length} requests failed, such as ${load.failures[0]}`,
    );
  });

  it('are restarted in turn, and nobody notices', async () => {
    const load = await steadyLoad();
    const restarts = rounds(1, 100);
    for (let round = 1; round <= restarts; round += 1) {
      expect(await end(round % 2, 'SIGTERM')).toBe(0);
      if (round < restarts) await startAgain(round % 2);
    }
    await load.end();
    expect(load.failures).toEqual([]);
    expect(load.uploads).toBeGreaterThanOrEqual(restarts);
    expect(await load.lostIn(app.platform.db)).toEqual([]);
    proved(
      'rolling-restarts',
      `${restarts} restarts, ${load.answered} requests answered, of them ${load.uploads} slow uploads and ${load.saved.length} saves, 0 refused or cut`,
    );
  });
});
