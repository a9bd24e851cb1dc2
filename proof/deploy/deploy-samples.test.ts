import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startRealProxy } from '#proof/upgrades/real-proxies.harness.ts';
import { canaryFound, full, proved } from '#testing/evidence/record.ts';
import { freePort } from '#testing/free-port.ts';
import { startServerProcess } from '#testing/servers/server-process.ts';
import { testCertificate } from '#testing/servers/test-certificate.ts';
import { createTestApp } from '#testing/test-app.ts';
import { alertCases } from './alerts.harness.ts';
import { exposureIn, MOST_EXPOSED } from './exposure.ts';

/**
 * Debian's nginx, haproxy, promtool and systemd-analyze read the files of deploy/. Not part of `npm test`
 * (scripts/checks/deploy.test.ts checks what Node alone can).
 */

const deploy = join(import.meta.dirname, '../../deploy');

/** Runs a program; returns whether it succeeded, and its output. */
function run(program: string, ...args: readonly string[]): { readonly ok: boolean; readonly output: string } {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (error !== undefined)
    throw new Error(`${program} is not installed: apt-get install nginx haproxy prometheus systemd`);
  return { ok: status === 0, output: `${stdout}${stderr}` };
}

/** A changed copy of a file in deploy/. */
function changed(name: string, change: (text: string) => string): string {
  const folder = mkdtempSync(join(tmpdir(), 'kasente-sample-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, name.split('/').at(-1) ?? name);
  writeFileSync(path, change(readFileSync(join(deploy, name), 'utf8')));
  return path;
}

function exposureOf(unit: string): number {
  return exposureIn(run('systemd-analyze', 'security', '--offline=true', '--no-pager', unit).output);
}

const UNITS = ['kasente@.service', 'kasente-backup.service'] as const;

describe.runIf(full)('the samples', () => {
  it('are refused with a planted fault (canary)', async () => {
    const rules = changed('prometheus-rules.yml', (text) => text.replace('sum(rate(', 'sum(rat('));
    expect(run('promtool', 'check', 'rules', rules).ok).toBe(false);
    const silent = changed('prometheus-rules.yml', (text) => text.replaceAll('> 0', '> 1e9'));
    expect(testRules(silent).ok).toBe(false);
    const open = changed('systemd/kasente@.service', (text) =>
      text.replaceAll(/^(Protect|Private|Restrict|SystemCall|Capab).*\n/gm, ''),
    );
    expect(exposureOf(open)).toBeGreaterThan(MOST_EXPOSED);
    canaryFound(
      'deploy-samples',
      'a rule misspelt, rules that stay silent, and a unit without its walls were each refused',
    );
  });

  it('are accepted by promtool, and each alert fires for its fault alone', () => {
    const rules = join(deploy, 'prometheus-rules.yml');
    expect(run('promtool', 'check', 'rules', rules)).toMatchObject({ ok: true });
    const config = changed('prometheus.yml', (text) =>
      text.replaceAll('/etc/prometheus/kasente-rules.yml', rules).replaceAll('/etc/prometheus/kasente.token', rules),
    );
    expect(run('promtool', 'check', 'config', config)).toMatchObject({ ok: true });
    expect(testRules(rules)).toMatchObject({ ok: true });
    const alerts = [...readFileSync(rules, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    expect(alertCases.map(({ alert }) => alert).toSorted()).toEqual(alerts.toSorted());
    proved('deploy-samples', `promtool: ${alerts.length} alerts, each came for its fault and not without`);
  });

  it('keep units in their sandbox', () => {
    const exposures = UNITS.map((unit) => exposureOf(join(deploy, 'systemd', unit)));
    expect(Math.max(...exposures)).toBeLessThanOrEqual(MOST_EXPOSED);
    proved(
      'deploy-samples',
      `systemd-analyze security: ${UNITS.map((unit, nth) => `${unit} ${exposures[nth]}`).join(', ')}`,
    );
  });

  it.each(['nginx', 'haproxy'] as const)('make %s serve the public paths, and nothing else', async (kind) => {
    const app = await createTestApp();
    onTestFinished(() => app.close());
    const ports = [await freePort(), await freePort()];
    const env = {
      PORT: String(ports[0]),
      DATA_DIR: app.platform.config.dataDir,
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://kasente.example',
      TRUST_PROXY: '127.0.0.1',
      LOG_LEVEL: 'info',
    };
    const server = await startServerProcess(app.database, { env });
    const proxy = await startRealProxy(kind, ports);
    const plain = (path: string, method = 'GET') => send({ port: proxy.plainPort, path, method }, plainRequest);
    const secure = (path: string, more: Partial<Sent> = {}) => send({ port: proxy.port, path, ...more }, request);

    expect(await plain('/login?code=hidden')).toMatchObject({
      status: 301,
      location: 'https://kasente.example/login?code=hidden',
    });
    expect(await plain('/api/v1/users/login', 'POST')).toMatchObject({ status: 403 });
    const page = await secure('/login?code=hidden', { headers: { 'x-forwarded-for': '192.0.2.1' } });
    expect(page).toMatchObject({ status: 200, security: expect.stringContaining('max-age=') });
    expect(await secure('/metrics')).toMatchObject({ status: 404 });
    const tooLarge = { method: 'POST', announced: 12 * 2 ** 20 };
    expect(await secure('/api/v1/files/upload', tooLarge)).toMatchObject({ status: 413 });
    // 401 is Kasente's own reply: the proxy let the upload through.
    const large = { method: 'POST', body: Buffer.alloc(10 * 2 ** 20), headers: { 'x-requested-with': 'fetch' } };
    expect(await secure('/api/v1/files/upload', large)).toMatchObject({ status: 401 });
    expect(await proxy.log()).toContain('/login');
    expect(await proxy.log()).not.toContain('hidden');
    expect(server.output()).toContain('"address":"127.0.0.1"');
    expect(server.output()).not.toContain('192.0.2.1');
    proved(
      'deploy-samples',
      `${proxy.version}: pages to https, calls over http refused, 12 MB refused and 10 MB let through, metrics hidden, no query in the log, no forged address believed`,
    );
  });
});

/**
 * Whether each alert fires for its fault and not without it; summaries are left out, because promtool would compare
 * them too.
 */
function testRules(given: string): ReturnType<typeof run> {
  const folder = mkdtempSync(join(tmpdir(), 'kasente-alerts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [path, rules] = [join(folder, 'tests.yml'), join(folder, 'rules.yml')];
  writeFileSync(rules, readFileSync(given, 'utf8').replaceAll(/^ +annotations:\n +summary: .*\n/gm, ''));
  const tests = alertCases.flatMap(({ alert, series, after, labels }) => [
    {
      interval: '15s',
      input_series: series,
      alert_rule_test: [{ eval_time: after, alertname: alert, exp_alerts: [{ exp_labels: labels }] }],
    },
    { interval: '15s', input_series: [], alert_rule_test: [{ eval_time: after, alertname: alert, exp_alerts: [] }] },
  ]);
  writeFileSync(path, JSON.stringify({ rule_files: [rules], evaluation_interval: '15s', tests }));
  return run('promtool', 'test', 'rules', path);
}

interface Sent {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Announces this many bytes and sends none: the reply comes before them. */
  readonly announced?: number;
}

/** Sends a request; returns the parts of the proxy's reply that the tests check. */
function send(
  { port, path, method = 'GET', headers = {}, body = Buffer.alloc(0), announced }: Sent,
  by: typeof request,
) {
  const options = {
    host: '127.0.0.1',
    port,
    path,
    method,
    ca: testCertificate.cert,
    servername: 'localhost',
    agent: false,
  };
  return new Promise<{ status: number; location: string; security: string }>((resolve, reject) => {
    const sent = by({ ...options, headers: { ...headers, 'content-length': announced ?? body.length } }, (response) => {
      response.resume();
      resolve({
        status: response.statusCode ?? 0,
        location: response.headers.location ?? '',
        security: String(response.headers['strict-transport-security'] ?? ''),
      });
      if (announced !== undefined) sent.destroy();
    });
    sent.on('error', reject);
    if (announced === undefined) sent.end(body);
    else sent.flushHeaders();
  });
}
