import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { MAXIMUM_FILE_BYTES } from '#contract/documents/schema.ts';
import { readConfig } from '#server/config/config.ts';
import { networkOf } from '#server/machine/network.ts';
import { createTestApp } from '#testing/test-app.ts';

/**
 * The files of deploy/, as far as Node can test them. nginx, HAProxy, Prometheus and systemd test them in
 * proof/deploy/deploy-samples.test.ts, a Debian system in proof/deploy/install-debian.test.ts; upgrade.sh has upgrade.test.ts.
 */

const root = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const exampleNames = new Set([...read('.env.example').matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name));
const filled = (text: string): string => text.replaceAll('CHANGE-ME', 'f'.repeat(48));

describe('kasente.env', () => {
  const file = read('deploy/kasente.env');

  it('has the same values for a shell, systemd and Node', () => {
    const said = execFileSync('env', ['-i', 'sh', '-c', 'set -a; . ./deploy/kasente.env; env -0'], { cwd: root });
    const sourced = Object.fromEntries(
      said
        .toString()
        .split('\0')
        .filter((pair) => /^[A-Z]/.test(pair) && !/^(PWD|OLDPWD|SHLVL)=/.test(pair))
        .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    );
    expect(sourced).toEqual({ ...parseEnv(file) });
    expect(sourced.SMTP_FROM).toBe('Kasente <no-reply@kasente.example>');
  });

  it('is rejected until every CHANGE-ME is replaced', () => {
    expect(() => readConfig({ ...parseEnv(file) })).toThrow(/^(SECRET_KEY|METRICS_TOKEN) must be at least 32/);
    const config = readConfig({ ...parseEnv(filled(file)) });
    expect(config).toMatchObject({ production: true, host: '127.0.0.1', dataDir: '/var/lib/kasente' });
    const shown = file.replaceAll(/^#(?=[A-Z_]+=)/gm, '');
    expect(readConfig({ ...parseEnv(filled(shown)) }).storageUrl).toContain('&endpoint=');
  });

  it('contains only known settings', () => {
    const names = [...file.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !exampleNames.has(name ?? ''))).toEqual([]);
  });
});

describe('nginx.conf', () => {
  const patterns = [...read('deploy/nginx.conf').matchAll(/^ {2}"~(.+)" \$kasente/gm)].map(
    ([, text = '']) => new RegExp(text),
  );
  const counted = (address: string) =>
    patterns.map((pattern) => pattern.exec(address)?.[1]).find((site) => site !== undefined) ?? address;

  // In nginx's own format.
  it.each([
    ['2001:db8:1:2::9', '2001:db8:1:ffff:1:2:3:4'],
    ['2001:db8:1::9', '2001:db8:1:2::9'],
    ['2001:db8::9', '2001:db8::2:3:4:5:6'],
    ['2001::9', '2001::2:3:4:5:6'],
    ['2001:db8:1::9', '2001:db8:2::9'],
    ['2001:db8::9', '2001:db8:1::9'],
    ['::1', '2001::1'],
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7', '192.0.2.8'],
  ])('counts connections of %s and of %s together where the server does', (one, other) => {
    expect(counted(one) === counted(other)).toBe(networkOf(one) === networkOf(other));
  });
});

const rules = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});
const dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
});
const MADE_BY_PROMETHEUS = ['up'];

describe('alerts and dashboard', () => {
  it('query existing metrics and labels', async () => {
    const METRICS_TOKEN = 'm'.repeat(32);
    const app = await createTestApp({ METRICS_TOKEN, AUDIT_WITNESS: join(tmpdir(), 'no', 'witness') });
    onTestFinished(() => app.close());
    await app.visitor().get('/sectors');
    const { body } = await app.server.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    const names = new Set([...body.matchAll(/^(\w+)(?:\{| )/gm)].map(([, name]) => name ?? ''));
    const typed = [...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name ?? '');
    for (const name of [...typed, ...MADE_BY_PROMETHEUS]) names.add(name);
    const labels = new Set([...body.matchAll(/[{,](\w+)="/g)].map(([, label]) => label));
    // Prometheus's own labels: it would rename a metric's label `job` to `exported_job`.
    for (const label of ['instance', 'job']) {
      expect([label, labels.has(label)]).toEqual([label, false]);
      labels.add(label);
    }
    // A series without events does not exist, so its label is looked up in the source.
    for (const label of ['directive', 'queue', 'rail']) labels.add(label);

    const alerts = rules.parse(parse(read('deploy/prometheus-rules.yml'))).groups.flatMap((group) => group.rules);
    const panels = dashboard.parse(JSON.parse(read('deploy/grafana-dashboard.json'))).panels;
    const asked = [
      ...alerts.map(({ expr }) => expr),
      ...panels.flatMap((panel) => panel.targets.map(({ expr }) => expr)),
    ];
    expect(alerts.length).toBeGreaterThan(10);
    expect(panels.length).toBeGreaterThan(10);
    for (const expr of asked) {
      const metrics = [...expr.matchAll(/\b(?:up|(?:http|kasente|nodejs|process)_\w+)\b/g)].map(([name]) => name);
      expect(metrics, expr).not.toEqual([]);
      expect(metrics.filter((name) => !names.has(name))).toEqual([]);
      const matched = [...expr.matchAll(/(\w+)=~?"|by \(([\w, ]+)\)/g)].flatMap(
        ([, one, some]) => one ?? some?.split(', '),
      );
      expect(matched.filter((label) => label !== undefined && label !== 'le' && !labels.has(label))).toEqual([]);
      for (const [, route] of expr.matchAll(/route!?="([^"]+)"/g)) {
        const isThere = (['GET', 'POST'] as const).some((method) => app.server.hasRoute({ method, url: route ?? '' }));
        expect(isThere, route).toBe(true);
      }
    }
  });
});

describe('the proxies', () => {
  it('accept the largest upload, and log no query string', () => {
    const nginx = read('deploy/nginx.conf');
    const megabytes = Number(/client_max_body_size (\d+)m;/.exec(nginx)?.[1]);
    expect(megabytes * 2 ** 20).toBeGreaterThan(MAXIMUM_FILE_BYTES);
    const bytes = Number(/content-length\) gt (\d+)/.exec(read('deploy/haproxy.cfg'))?.[1]);
    expect(bytes).toBe(megabytes * 2 ** 20);
    const formats = [/log_format[^;]+;/.exec(nginx)?.[0], /log-format .*/.exec(read('deploy/haproxy.cfg'))?.[0]];
    expect(formats.join()).not.toMatch(/request_uri|\$request |\$args|%HU|%HQ|%r\b/);
  });

  it('close idle connections sooner than a server stops', () => {
    const kept = /keepalive_timeout (\d+)s;/.exec(read('deploy/nginx.conf'))?.[1];
    const { drainMs } = readConfig({ ...parseEnv(filled(read('deploy/kasente.env'))) });
    expect(Number(kept) * 1000).toBeLessThan(drainMs);
  });
});

/** A unit's lines, by section. */
function unitOf(name: string): Record<string, string[]> {
  const sections: Record<string, string[]> = {};
  let section: string[] = [];
  for (const line of read(`deploy/systemd/${name}`).split('\n')) {
    const [, title] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (title !== undefined) sections[title] = section = [];
    else if (line !== '' && !line.startsWith('#')) section.push(line);
  }
  return sections;
}

describe('the units', () => {
  it('start existing programs, and give a server time to stop', () => {
    const { Service = [], Install = [], Unit = [] } = unitOf('kasente@.service');
    const value = (name: string) => Service.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
    const node = '/srv/kasente/node_modules/.bin/node --max-old-space-size=1024 --max-semi-space-size=8';
    expect(value('ExecStart')).toBe(`${node} server/main.mjs`);
    const { drainMs } = readConfig({ ...parseEnv(filled(read('deploy/kasente.env'))) });
    expect(Number(value('TimeoutStopSec')) * 1000).toBeGreaterThanOrEqual(drainMs + 75_000);
    expect(Service).toEqual(expect.arrayContaining(['Restart=on-failure', 'RestartSec=2', 'StateDirectory=kasente']));
    expect(Unit).toContain('StartLimitIntervalSec=0');
    expect(Install).toEqual(['WantedBy=multi-user.target']);
    expect(unitOf('kasente-backup.timer').Install).toEqual(['WantedBy=timers.target']);
    const { Service: backup = [] } = unitOf('kasente-backup.service');
    const files = backup.join('\n').match(/(?:scripts|deploy)\/[\w-]+\.\w+/g) ?? [];
    expect(files.toSorted()).toEqual(['deploy/prune-backups.sh', 'scripts/backup.ts']);
    for (const file of files) read(file);
  });
});

const compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      environment: z.record(z.string(), z.string()),
      ports: z.array(z.string()).default([]),
      stop_grace_period: z.string().optional(),
    }),
  ),
});

describe('compose.yaml', () => {
  it('has valid settings, on a local port only', () => {
    const { kasente, postgres } = compose.parse(parse(read('deploy/compose.yaml'))).services;
    const file = parseEnv(filled(read('deploy/kasente.env')));
    const set = Object.entries(kasente?.environment ?? {}).map(([name, value]) => [
      name,
      value.replace(/\$\{POSTGRES_PASSWORD:\?\}/, 'p'),
    ]);
    const config = readConfig({ ...file, ...Object.fromEntries(set) });
    expect(config).toMatchObject({ dataDir: '/data', host: '0.0.0.0', databaseOwnerUrl: undefined });
    expect(config.databaseUrl).toBe('postgres://kasente:p@postgres:5432/kasente');
    expect(kasente?.ports).toEqual(['127.0.0.1:3000:3000']);
    expect(postgres?.ports).toEqual([]);
    expect(kasente?.stop_grace_period).toBe('90s');
  });
});

describe('prune-backups.sh', () => {
  it('keeps the newest of 7 days, 5 weeks and 12 months, and all other files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kasente-prune-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const day = (nth: number): string => new Date(Date.UTC(2026, 10, 20 - nth)).toISOString().slice(0, 10);
    for (let nth = 0; nth < 500; nth += 1) mkdirSync(join(folder, `${day(nth)}T0200`));
    mkdirSync(join(folder, `${day(0)}T0100`));
    const others = ['by-hand', '2026-11-20-before-1.0.0', '2026-11-21T0206.99.abcdef01.unfinished'];
    for (const name of others) mkdirSync(join(folder, name));
    execFileSync('sh', [join(root, 'deploy/prune-backups.sh'), folder]);
    const left = readdirSync(folder);
    const days = [0, 1, 2, 3, 4, 5, 6].map((nth) => `${day(nth)}T0200`);
    const sundays = ['2026-11-15', '2026-11-08', '2026-11-01', '2026-10-25'].map((name) => `${name}T0200`);
    const months = Array.from({ length: 11 }, (_, nth) =>
      new Date(Date.UTC(2026, 10 - nth, 0)).toISOString().slice(0, 10),
    );
    const kept = new Set([...days, ...sundays, ...months.map((name) => `${name}T0200`), ...others]);
    expect(left.toSorted()).toEqual([...kept].toSorted());
  });
});
