import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createApp } from '#server/app.ts';
import { appCommit } from '#server/config/build.ts';
import { appVersion } from '#server/machine/version.ts';
import { samplePdf } from '#testing/sample-files.ts';
import { createTestPlatform, type TestPlatform } from '#testing/test-platform.ts';

/** The metrics that Prometheus reads, and where; docs/operations.md lists exactly those. */

let test: TestPlatform;
beforeEach(async () => {
  test = await createTestPlatform();
});
afterEach(() => test.close());

async function start(settings: Partial<TestPlatform['platform']['config']> = {}) {
  const server = await createApp({ ...test.platform, config: { ...test.platform.config, ...settings } });
  onTestFinished(() => server.close());
  return server;
}

async function metrics(): Promise<Map<string, number>> {
  const { payload } = await (await start()).inject({ url: '/metrics' });
  const samples = payload.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

it('docs/operations.md lists each metric that there is, and none besides', async () => {
  const page = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'operations.md'), 'utf8');
  const section = page.slice(page.indexOf('\n### Metrics\n'), page.indexOf('\n### Messages that'));
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  const documented = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([\w*]+)`/g)].map(([, name]) => name),
  );
  const { payload } = await (await start()).inject({ url: '/metrics' });
  const names = [...payload.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) =>
    name.replace(/^(process|nodejs)_.*/, '$1_*'),
  );
  expect(documented.length).toBeGreaterThan(10);
  expect([...new Set(names)].sort()).toEqual(documented.sort());
});

describe('the metrics', () => {
  it('say the version and how the pool stands', async () => {
    const found = await metrics();
    expect(found.get(`kasente_build_info{version="${appVersion}",commit="${appCommit}"}`)).toBe(1);
    const held = await test.platform.pool.connect();
    const busy = await metrics();
    held.release();
    const pool = (state: string, from = busy) => from.get(`kasente_database_pool{state="${state}"}`) ?? Number.NaN;
    expect([pool('limit'), pool('waiting')]).toEqual([12, 0]);
    expect(pool('open') - pool('idle')).toBeGreaterThanOrEqual(1);
    expect(pool('open', found) - pool('idle', found)).toBeLessThan(pool('open') - pool('idle'));
  });

  it('are the same for two who ask at once', async () => {
    const server = await start();
    const pages = await Promise.all([1, 2, 3].map(() => server.inject({ url: '/metrics' })));
    const limits = pages.map(({ payload }) => /^kasente_database_pool\{state="limit"\} (.*)$/m.exec(payload)?.[1]);
    expect(limits).toEqual(['12', '12', '12']);
    const versions = pages.map(({ payload }) => /^kasente_build_info\{.*\} (.*)$/m.exec(payload)?.[1]);
    expect(versions).toEqual(['1', '1', '1']);
  });

  it('count work that takes turns, by its kind', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { inLine } = test.platform.passwords;
    const logins = Array.from({ length: 560 }, (_, nth) =>
      inLine({ queue: 'strangers', key: `somebody ${nth}` }, () => promise).catch(() => 'refused'),
    );
    const found = await metrics();
    resolve();
    const refused = (await Promise.all(logins)).filter((outcome) => outcome === 'refused').length;
    const turns = (what: string, kind: string) => found.get(`kasente_turns_${what}{kind="${kind}"}`);
    expect(turns('running', 'passwords-strangers')).toBe(560 - 500 - refused);
    expect(turns('waiting', 'passwords-strangers')).toBe(500);
    expect(turns('refused_total', 'passwords-strangers')).toBe(refused);
    expect(refused).toBeGreaterThan(0);
    for (const kind of ['calls', 'transfers', 'passwords-known', 'files', 'letters'])
      for (const what of ['running', 'waiting', 'refused_total'])
        expect([kind, what, turns(what, kind)]).toEqual([kind, what, 0]);
  });

  it('say when a job last succeeded, and how often it failed', async () => {
    const { jobs, clock } = test.platform;
    jobs.begin('sweep-files', clock.now());
    jobs.begin('sweep-letters', clock.now());
    test.clock.advance(60);
    jobs.succeeded('sweep-files', clock.now());
    jobs.failed('sweep-letters');
    const found = await metrics();
    const now = clock.now().getTime() / 1000;
    const of = (name: string, job: string) => found.get(`kasente_job_${name}{queue="sweep-${job}"}`);
    expect([of('last_success_timestamp_seconds', 'files'), of('last_success_timestamp_seconds', 'letters')]).toEqual([
      now,
      now - 60,
    ]);
    expect([of('failures_total', 'files'), of('failures_total', 'letters')]).toEqual([0, 1]);
  });

  it('count the store’s failures, but no missing files or aborted uploads', async () => {
    const { files, config } = test.platform;
    async function* brokenOff(): AsyncGenerator<Buffer> {
      yield samplePdf();
      throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    }
    await expect(files.receive(brokenOff())).rejects.toThrow('aborted');
    await expect(files.read('nobody/has-this.pdf')).rejects.toThrow('ENOENT');
    expect(files.errors()).toEqual({ receive: 0, keep: 0, read: 0, remove: 0, check: 0 });
    await rm(join(config.dataDir, 'documents'), { recursive: true });
    await expect(files.check()).rejects.toThrow('ENOENT');
    await expect(files.receive(brokenOff())).rejects.toThrow('ENOENT');
    const found = await metrics();
    const errors = (operation: string) => found.get(`kasente_storage_errors_total{operation="${operation}"}`);
    expect(['check', 'receive', 'read'].map(errors)).toEqual([1, 1, 0]);
  });
});

describe('METRICS_LISTEN', () => {
  const listenOn = (port: number) => ({ metricsListen: { host: '127.0.0.1', port } });

  it('answers on an address of its own, and nothing but metrics', async () => {
    const server = await start({ ...listenOn(0), trustProxy: true });
    await server.ready();
    const address = server.metricsAddress ?? '';
    const answer = await fetch(`${address}/metrics`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')]);
    expect(await answer.text()).toContain('kasente_build_info');
    for (const path of ['/', '/livez', '/api/v1/sectors']) expect((await fetch(`${address}${path}`)).status).toBe(404);
    expect((await fetch(`${address}/metrics`, { method: 'POST' })).status).toBe(404);
    // Behind a proxy, the server's own port does not serve the metrics.
    expect((await server.inject({ url: '/metrics' })).statusCode).toBe(404);
    await server.close();
    await expect(fetch(`${address}/metrics`)).rejects.toThrow();
  });

  it('wants the token where there is one', async () => {
    const metricsToken = 'a token of thirty-two characters';
    const server = await start({ ...listenOn(0), metricsToken });
    await server.ready();
    const url = `${server.metricsAddress}/metrics`;
    expect((await fetch(url)).status).toBe(404);
    expect((await fetch(url, { headers: { authorization: `Bearer ${metricsToken}` } })).status).toBe(200);
  });

  it('stops the start with a sentence if it is taken', async () => {
    const first = await start(listenOn(0));
    await first.ready();
    const port = Number(new URL(first.metricsAddress ?? '').port);
    const second = await start(listenOn(port));
    await expect(second.ready()).rejects.toThrow(
      `METRICS_LISTEN=127.0.0.1:${port} cannot be listened on (EADDRINUSE).`,
    );
  });
});
