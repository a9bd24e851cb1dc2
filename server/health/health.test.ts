import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { createApp } from '#server/app.ts';
import { appCommit } from '#server/config/build.ts';
import { openDatabase } from '#server/db/database.ts';
import { appVersion } from '#server/machine/version.ts';
import { createLog } from '#server/observability/logging.ts';
import type { Platform } from '#server/platform/platform.ts';
import { Drain } from '#server/traffic/drain.ts';
import { createTestPlatform, type TestPlatform } from '#testing/test-platform.ts';

/** The replies that a proxy and an operator get if a server lacks something, and how much of it is logged. */

let test: TestPlatform;
let lines: { level: number; msg: string; route?: string; failed?: string }[];
beforeEach(async () => {
  lines = [];
  test = await createTestPlatform();
});
afterEach(() => test.close());

async function start(given: Partial<Platform> = {}, drain = new Drain(), level = 'info'): Promise<FastifyInstance> {
  const log = createLog(level, { write: (line) => lines.push(JSON.parse(line)) });
  const server = await createApp({ ...test.platform, log, ...given }, drain);
  onTestFinished(() => server.close());
  return server;
}

function asking(server: FastifyInstance) {
  return async (url = '/readyz') => {
    const answer = await server.inject({ url });
    return { status: answer.statusCode, body: url === '/metrics' ? {} : answer.json(), text: answer.payload };
  };
}

/** PostgreSQL behind a connection that can be cut and restored. */
async function databaseBehindWire() {
  const { host, port, user } = inject('cluster');
  const open = new Set<Socket>();
  const wire = createServer((client) => {
    const server = connect(`${host}/.s.PGSQL.${port}`);
    for (const socket of [client, server]) {
      open.add(socket);
      socket.on('error', () => undefined).on('close', () => open.delete(socket));
    }
    client.pipe(server).pipe(client);
  });
  const listen = async (at: number): Promise<number> => {
    wire.listen(at, '127.0.0.1');
    await once(wire, 'listening');
    const bound = wire.address();
    return typeof bound === 'object' && bound !== null ? bound.port : 0;
  };
  const cut = (): void => {
    wire.close();
    for (const socket of open) socket.destroy();
  };
  const wirePort = await listen(0);
  const database = openDatabase({ host: '127.0.0.1', port: wirePort, user, database: test.database.name }, () => {});
  onTestFinished(async () => {
    await database.close();
    cut();
  });
  return { database, cut, mend: () => listen(wirePort) };
}

/** For tests that run before the web is built. */
const NOT_BUILT = 'the web application has not been built: only the API is served';
const ready = { status: 200, body: { status: 'ok', version: appVersion, commit: appCommit } };
const lacking = (...failed: string[]) => ({
  status: 503,
  body: { code: 'UNAVAILABLE', failed, version: appVersion, commit: appCommit },
});

describe('/readyz', () => {
  it('names the database while it is away, tells nobody more, and is ready again with it', async () => {
    const { database, cut, mend } = await databaseBehindWire();
    const ask = asking(await start(database));
    expect(await ask()).toMatchObject(ready);
    cut();
    const away = await ask();
    expect(away).toMatchObject(lacking('database'));
    expect(Object.keys(away.body).sort()).toEqual(['code', 'commit', 'failed', 'msg', 'success', 'version']);
    expect(away.text).not.toMatch(/127\.0\.0\.1|ECONN|postgres/i);
    await mend();
    expect(await ask()).toMatchObject(ready);
    expect(lines.filter(({ msg }) => /ready/.test(msg)).map(({ msg, failed }) => [msg, failed])).toEqual([
      ['not ready', 'database'],
      ['ready again', undefined],
    ]);
  });

  it('names the store of documents, and both where both are away', async () => {
    const { database, cut } = await databaseBehindWire();
    const ask = asking(await start(database));
    expect(await ask()).toMatchObject(ready);
    await rm(join(test.platform.config.dataDir, 'documents'), { recursive: true });
    expect(await ask()).toMatchObject(lacking('storage'));
    cut();
    const both = await ask();
    expect(both.body.failed.toSorted()).toEqual(['database', 'storage']);
    expect(both.text).not.toContain(test.platform.config.dataDir);
  });

  it('says that the server is leaving while it still answers, and nothing else then', async () => {
    const drain = new Drain();
    const server = await start({}, drain);
    const ask = asking(server);
    expect(await ask()).toMatchObject(ready);
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const left = drain.leave(server, 5_000);
    await rm(join(test.platform.config.dataDir, 'documents'), { recursive: true });
    expect(await ask()).toMatchObject(lacking('leaving'));
    await vi.advanceTimersByTimeAsync(5_000);
    await left;
  });
});

describe('the log', () => {
  const answered = () => lines.filter(({ msg }) => msg === 'answered').map(({ route, level }) => [route, level]);

  it('has no line for health checks and metrics that are answered, unless it is set to debug', async () => {
    const ask = asking(await start());
    const askAll = async (get: typeof ask) => {
      for (const path of ['/livez', '/readyz', '/metrics', '/api/v1/sectors']) await get(path);
    };
    await askAll(ask);
    expect(answered()).toEqual([['/api/v1/sectors', 30]]);
    lines = [];
    await askAll(asking(await start({}, new Drain(), 'debug')));
    expect(answered()).toEqual([
      ['/livez', 20],
      ['/readyz', 20],
      ['/metrics', 20],
      ['/api/v1/sectors', 30],
    ]);
  });

  it('has one line when readiness ends, however often it is asked for, and one for metrics that are refused', async () => {
    const config = { ...test.platform.config, metricsToken: 'a token of metrics that nobody brings' };
    const ask = asking(await start({ config }));
    await rm(join(test.platform.config.dataDir, 'documents'), { recursive: true });
    for (let times = 0; times < 3; times += 1) await ask();
    expect(lines.filter(({ msg }) => msg !== NOT_BUILT).map(({ msg, failed }) => [msg, failed])).toEqual([
      ['not ready', 'storage'],
    ]);
    await ask('/metrics');
    expect(answered()).toEqual([['/metrics', 30]]);
  });

  it('says the version in every line', async () => {
    const ask = asking(await start());
    await ask('/api/v1/sectors');
    expect(lines.at(-1)).toHaveProperty('version', appVersion);
  });
});
