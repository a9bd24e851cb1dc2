import { randomBytes } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { canaryFound, full, notShown, proved } from '#testing/evidence/record.ts';
import { createDebian, type Debian, noDebianBecause } from './debian.harness.ts';
import { exposureIn, MOST_EXPOSED } from './exposure.ts';

/**
 * README's installation in a clean Debian 13: deploy/install-debian.sh from start to end, then an operator's checks.
 * Not part of `npm test`: it needs root, debootstrap, a network, some minutes, and ports 80, 443, 3000, 3001, 5432 and
 * 9090.
 */

const DOMAIN = 'kasente.example';
const ADMINISTRATOR = 'you@kasente.example';
const UNITS = ['kasente@3000', 'kasente@3001'];
const ENABLED = [...UNITS, 'kasente-backup.timer', 'nginx', 'prometheus', 'postgresql'];
const WAITS = { timeout: 120_000, interval: 500 };

const impossible = noDebianBecause();

describe.runIf(full && impossible !== undefined)('a clean Debian', () => {
  it('cannot be made here', () => notShown('install-debian', impossible ?? ''));
});

describe.runIf(full && impossible === undefined)('a clean Debian', () => {
  it('becomes a service that runs, is enabled, watched and backed up, and restarts by itself', async () => {
    const debian = await createDebian();
    const password = `Aa1-${randomBytes(12).toString('hex')}`;
    const script = ['sh', '/srv/kasente/deploy/install-debian.sh', DOMAIN, ADMINISTRATOR];

    await expect(looksWell(debian, password)).rejects.toThrow();
    canaryFound('install-debian', 'before the script ran, what looks at the service found none');

    const installed = await debian.run(script, `${password}\n`);
    expect(installed.code, installed.output.slice(-3000)).toBe(0);
    await looksWell(debian, password);
    await wallsLetWork(debian);
    const exposures = await exposuresOf(debian);
    expect(Math.max(...exposures)).toBeLessThanOrEqual(MOST_EXPOSED);
    await comesBackFromKill(debian);
    await debian.boot();
    await looksWell(debian, password);
    proved(
      'install-debian',
      `Debian 13 by debootstrap, systemd as process 1 in namespaces of its own (kernel and network shared): the script ended with 0; ${ENABLED.join(', ')} enabled and active; ` +
        `the administrator logged in through nginx, Prometheus had both servers, a verified backup was there, and its age in Prometheus; exposures ${exposures.join(' and ')}; ` +
        'its walls let it do what it does, and write nowhere else; back by itself after SIGKILL of a server and after a power cut',
    );
  });
});

/** Runs a line of shell; returns its output. */
async function shell(debian: Debian, line: string, input = ''): Promise<string> {
  const { code, output } = await debian.run(['sh', '-c', line], input);
  if (code !== 0) throw new Error(`'${line}' ended with ${code}: ${output}`);
  return output.trim();
}

/** An operator's checks; throws if one fails. */
async function looksWell(debian: Debian, password: string): Promise<void> {
  const states = async (what: string) => shell(debian, `systemctl ${what} ${ENABLED.join(' ')}`);
  expect((await states('is-enabled')).split('\n')).toEqual(ENABLED.map(() => 'enabled'));
  await vi.waitFor(
    async () => expect((await states('is-active')).split('\n')).toEqual(ENABLED.map(() => 'active')),
    WAITS,
  );

  const curl = `curl --silent --cacert /etc/ssl/kasente/fullchain.pem --resolve ${DOMAIN}:443:127.0.0.1 --resolve ${DOMAIN}:80:127.0.0.1`;
  const status = (rest: string, input = '') =>
    shell(debian, `${curl} --output /dev/null --write-out '%{http_code}' ${rest}`, input);
  await vi.waitFor(async () => expect(await status(`https://${DOMAIN}/readyz`)).toBe('200'), WAITS);
  expect(await status(`http://${DOMAIN}/login`)).toBe('301');
  expect(await status(`https://${DOMAIN}/metrics`)).toBe('404');
  const login = `--header 'content-type: application/json' --header 'x-requested-with: fetch' --data @- https://${DOMAIN}/api/v1/users/login`;
  expect(await status(login, JSON.stringify({ username: ADMINISTRATOR, password }))).toBe('200');
  expect(await status(login, JSON.stringify({ username: ADMINISTRATOR, password: `${password}x` }))).toBe('401');

  const query = 'curl --silent http://127.0.0.1:9090/api/v1/query?query=';
  const watched = `${query}'sum(up%7Bjob=%22kasente%22%7D)'`;
  await vi.waitFor(async () => expect(await shell(debian, watched)).toMatch(/"value":\[[\d.]+,"2"\]/), WAITS);
  const backedUp = `${query}'time()-max(kasente_backup_last_timestamp_seconds)%3C3600'`;
  await vi.waitFor(async () => expect(await shell(debian, backedUp)).toContain('"value":['), WAITS);
  expect(await shell(debian, 'curl --silent http://127.0.0.1:9090/api/v1/rules')).toContain('KasenteDown');
  expect(await shell(debian, 'ls /var/backups/kasente')).toMatch(/^20\d\d-\d\d-\d\dT\d{4}/);
  expect(await shell(debian, 'systemctl show --value --property Result kasente-backup.service')).toBe('success');
  const tool =
    'set -a; . /etc/kasente/kasente.env; cd /srv/kasente; exec runuser -u kasente -- node_modules/.bin/node scripts/audit-verify.ts';
  await shell(debian, tool);
}

/** Does what a server does besides answering requests, and fails if it can write or read outside its own folders. */
const PROBE = `
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import sharp from 'sharp';
setPriority(0, 10);
execFileSync(process.execPath, ['--version']);
await sharp({ create: { width: 10, height: 10, channels: 3, background: 'red' } }).png().toBuffer();
writeFileSync('/var/lib/kasente/probe', '');
try {
  writeFileSync('/srv/kasente/written', '');
} catch {}
if (existsSync('/srv/kasente/written') || existsSync('/root/.bashrc')) process.exit(1);
`;

/** Runs the probe instead of a server, in the same sandbox. */
async function wallsLetWork(debian: Debian): Promise<void> {
  const folder = '/run/systemd/system/kasente@9.service.d';
  const unit =
    '[Service]\nType=oneshot\nRestart=no\nExecStart=\nExecStart=/srv/kasente/node_modules/.bin/node probe.mjs\n';
  await shell(debian, 'cat > /srv/kasente/probe.mjs', PROBE);
  await shell(debian, `mkdir -p ${folder} && cat > ${folder}/probe.conf && systemctl daemon-reload`, unit);
  await shell(debian, 'systemctl start kasente@9 || { journalctl --no-pager -u kasente@9; exit 1; }');
}

async function exposuresOf(debian: Debian): Promise<number[]> {
  const reports = await Promise.all(
    ['kasente@3000.service', 'kasente-backup.service'].map((unit) =>
      shell(debian, `systemd-analyze security --no-pager ${unit}`),
    ),
  );
  await shell(debian, 'systemd-analyze verify kasente@3000.service kasente-backup.timer');
  return reports.map(exposureIn);
}

async function comesBackFromKill(debian: Debian): Promise<void> {
  const pidOf = () => shell(debian, 'systemctl show --value --property MainPID kasente@3000');
  const before = await pidOf();
  await shell(debian, 'systemctl kill --signal=SIGKILL kasente@3000');
  await vi.waitFor(async () => {
    expect(await pidOf()).not.toMatch(new RegExp(`^(0|${before})$`));
    await shell(debian, 'curl --silent --fail http://127.0.0.1:3000/readyz');
  }, WAITS);
}
