import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildClient, saveInvoice } from '#server/invoices/invoices.harness.ts';
import { canaryFound, full, proved } from '#server/testing/evidence/record.ts';
import { freePort } from '#server/testing/free-port.ts';
import { remoteCaller, type ServerProcess, startServerProcess } from '#server/testing/servers/server-process.ts';
import { appOfFile } from '#server/testing/test-app.ts';
import { type ProxyKind, startRealProxy } from './real-proxies.harness.ts';
import { TlsLoad, type Uploader } from './tls-load.harness.ts';

/**
 * Two servers behind nginx and behind HAProxy, with the files of deploy/, restarted in turn as docs/operations.md says while
 * people work as fast as they are answered. `npm test` does without: it needs nginx and haproxy of the system.
 */

const RESTARTS = 12;
/** What docs/operations.md has one wait between a server that is ready again and the next. */
const NOTICED_MS = 5_000;
const PEOPLE = 4;
const CONNECTIONS_EACH = 4;
/** nginx sends until the very end: what comes between a server's last look and its close, some microseconds, is lost. */
const LOST_AT_MOST = { nginx: 1 / 100_000, haproxy: 0 };
const HIDDEN_QUEUE = ['--import', './proof/upgrades/hidden-queue.child.ts'];

describe.runIf(full)('rolling restarts behind', () => {
  const app = appOfFile();
  let ports: readonly number[];
  let people: readonly Uploader[];

  beforeAll(async () => {
    ports = [await freePort(), await freePort()];
    const server = await start(ports[0]);
    const site = { ...app, visitor: () => remoteCaller(() => server.address) };
    const clients = await Promise.all(Array.from({ length: PEOPLE }, () => buildClient(site)));
    people = await Promise.all(
      clients.map(async (client) => ({ client, invoiceTag: (await saveInvoice(client)).invoice.tag })),
    );
    await server.stop();
  });

  function start(port = 0, nodeArgs: readonly string[] = []): Promise<ServerProcess> {
    const env = {
      PORT: String(port),
      DATA_DIR: app.platform.config.dataDir,
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://kasente.example',
      TRUST_PROXY: '127.0.0.1',
      LOG_LEVEL: 'error',
    };
    return startServerProcess(app.database, { env, nodeArgs });
  }

  /** The load of this many restarts; it ends before where `enough` says so. */
  async function restarts(kind: ProxyKind, nodeArgs: readonly string[], enough: (load: TlsLoad) => boolean) {
    const servers = await Promise.all(ports.map((port) => start(port, nodeArgs)));
    const proxy = await startRealProxy(kind, ports);
    await wait(NOTICED_MS);
    const load = new TlsLoad(proxy.port, people, CONNECTIONS_EACH);
    let made = 0;
    for (; made < RESTARTS && !enough(load); made += 1) {
      expect(await servers[made % 2]?.stop('SIGTERM')).toBe(0);
      servers[made % 2] = await start(ports[made % 2], nodeArgs);
      await wait(NOTICED_MS);
    }
    await load.end();
    for (const server of servers) await server.stop('SIGTERM');
    return { load, made, version: proxy.version, log: await proxy.log() };
  }

  it('nginx show a server that closes on what waits to be accepted', async () => {
    const { load, made, version, log } = await restarts('nginx', HIDDEN_QUEUE, ({ failures }) => failures.length > 0);
    expect(load.failures.length / load.answered).toBeGreaterThan(LOST_AT_MOST.nginx);
    expect(log).toContain('Connection reset by peer');
    canaryFound(
      'rolling-restart-proxies',
      `${version}, servers that close at once: ${load.failures.length} of ${load.answered} requests lost in ${made} restarts, such as ${load.failures[0]}`,
    );
  });

  it.each(['nginx', 'haproxy'] as const)('%s lose nothing, or next to nothing', async (kind) => {
    const { load, made, version, log } = await restarts(kind, [], () => false);
    const complaints = log.split('\n').filter((line) => /\[error\]/.test(line) && !line.includes('Connection refused'));
    const lost = load.failures.length;
    expect(lost / load.answered, [...load.failures, ...complaints].join('\n')).toBeLessThanOrEqual(LOST_AT_MOST[kind]);
    const kept = await app.platform.db.selectFrom('invoices').select('invoice_number').execute();
    const numbers = new Set(kept.map(({ invoice_number }) => invoice_number));
    expect(load.saved.filter((number) => !numbers.has(number))).toEqual([]);
    proved(
      'rolling-restart-proxies',
      `${version}: ${made} restarts, ${load.answered} requests, ${load.saved.length} saves among them: ${lost} refused, cut or lost`,
    );
  });
});
