import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { proofFolder } from '#proof/outages/place.harness.ts';
import { type Cluster, startCluster } from '#proof/outages/postgres.harness.ts';
import { whyNoHistory } from '#testing/evidence/history.ts';
import { canaryFound, full, notShown, proved } from '#testing/evidence/record.ts';
import { listenOnFreePort } from '#testing/servers/listening.ts';
import { MailServer } from '#testing/servers/mail-server.ts';
import { testCertificate } from '#testing/servers/test-certificate.ts';
import { type CopiedMachine, copyThisMachine, notCopiedBecause } from './copied-machine.harness.ts';
import {
  administrator,
  applyOnce,
  blocksOf,
  type Done,
  expectBuild,
  expectData,
  expectWeb,
  readyzOf,
} from './first-day.harness.ts';

/**
 * The commands of docs/upgrading.md, as the page prints them, on a server of release 1.1.0 that has been in use: from a
 * tarball, from a tag, by hand, back, and from a backup. They run as root on a copy of this machine's disk, with npm's
 * registry, a PostgreSQL and the servers of deploy/systemd. Only `systemctl` is a stand-in (systemctl.sh), because
 * systemd does not run there. Not part of `npm test`: it needs root, a network, some minutes, and ports 3000 and 3001.
 */

const root = join(import.meta.dirname, '../..');
const OLD = { version: '1.1.0', commit: 'ce112b1' };
const SETTINGS = '/etc/kasente/kasente.env';
const LIST_BACKUPS = 'ls /var/backups/kasente';

const page = readFileSync(join(root, 'docs/upgrading.md'), 'utf8');
const blocks = blocksOf(page);
const [fromTarball = '', fromTag = '', byHand = '', back = '', backByHand = '', restore = ''] = blocks;
const version = /upgrade\.sh v(\d+\.\d+\.\d+)/.exec(fromTag)?.[1] ?? '';

describe('the page', () => {
  it('has these blocks of commands, in this order', () => {
    expect(blocks.map((block) => block.trimEnd().split('\n').at(-1))).toEqual([
      `sh /root/kasente-${version}/deploy/upgrade.sh /root/kasente-${version}.tar.gz`,
      `sh /root/upgrade.sh v${version}`,
      'systemctl restart kasente@3001',
      'sh /srv/kasente/deploy/upgrade.sh --back',
      'systemctl restart kasente@3001',
      expect.stringContaining(`scripts/restore.ts /var/backups/kasente/before-${version}`),
    ]);
  });
});

const impossible = notCopiedBecause() ?? whyNoHistory();

describe.runIf(full && impossible !== undefined)('the first day with a new release', () => {
  it('cannot be lived here', () => notShown('first-day', impossible ?? ''));
});

describe.runIf(full && impossible === undefined)('the first day with a new release', () => {
  it('goes as docs/upgrading.md says, from 1.1.0 and back, with the data and the web application that it should', async () => {
    const postgres = await startPostgres();
    const mails = await new MailServer().listen();
    onTestFinished(() => mails.close());
    const machine = await copyThisMachine();
    await installOld(machine, { postgres, mails, publicUrl: await startTlsProxy() });
    const newer = await makeRelease(machine);
    const done = await applyOnce(mails);
    const site: Site = { machine, postgres, newer, done };

    await shell(machine, byHand);
    await expectNewer(site, OLD.version);
    await shell(machine, backByHand);
    await expectOlder(site);

    await emptyForRestore(site);
    await shell(machine, restore);
    await shell(machine, `systemctl start kasente@3000 kasente@3001\n${READY}`);
    await expectOlder(site);

    await shell(machine, fromTarball);
    await expectNewer(site, OLD.version);
    await shell(machine, back);
    await expectOlder(site);
    await expectNightlyBackup(site);

    await shell(machine, fromTag);
    await expectNewer(site, `${newer.version}+${newer.commit}`);
    proved(
      'first-day',
      `${blocks.length} blocks of docs/upgrading.md word for word on a server of ${OLD.version} with an application and its document: by hand, from the tarball of npm run release, and from its tag to ${newer.version}; ` +
        `each time the web application of that commit was served, its doctor found nothing, a backup had been made by the release that knew the database, and the data was whole; back to ${OLD.version} by hand and by the command, with the nightly backup by ${newer.version}, and once from the backup. systemctl was played`,
    );

    await shell(machine, 'rm -r /srv/kasente/dist/web && cp -a /srv/kasente.previous/dist/web /srv/kasente/dist/web');
    await shell(machine, `systemctl restart kasente@3000\n${READY}`);
    await expect(expectWeb(3000, newer.web)).rejects.toThrow(/assets/);
    await expect(backUpBy(machine, '/srv/kasente.previous')).rejects.toThrow(/another version of Kasente/);
    canaryFound(
      'first-day',
      `the web application of ${OLD.version}, put into the folder of ${newer.version} with the stamp of the new one, was found; a backup by ${OLD.version} of the newer database was refused`,
    );
  });
});

interface Site {
  readonly machine: CopiedMachine;
  readonly postgres: Cluster;
  readonly newer: { readonly version: string; readonly commit: string; readonly web: string };
  readonly done: Done;
}

const READY = `for port in 3000 3001; do
  curl --silent --show-error --fail --output /dev/null --retry 60 --retry-delay 1 --retry-all-errors "http://127.0.0.1:$port/readyz"
done`;

/** Runs shell lines that must succeed. */
async function shell({ run }: CopiedMachine, lines: string, input?: string): Promise<string> {
  console.log(lines);
  const { code, output } = await run(lines, input);
  if (code !== 0) throw new Error(`'${lines}' ended with ${code}: ${output.slice(-3000)}`);
  return output.trim();
}

/** A PostgreSQL with the roles of docs/operations.md. */
async function startPostgres(): Promise<Cluster> {
  const postgres = await startCluster(await proofFolder(), 'postgres');
  await postgres.use('kasente', async (client) => {
    await client.query('create role owner login');
    await client.query('create role kasente_client nologin');
    await client.query('create role kasente_server login noinherit');
    await client.query('grant kasente_client to owner, kasente_server');
    await client.query('alter database kasente owner to owner');
  });
  return postgres;
}

/** A proxy in front that ends TLS; returns its address. */
async function startTlsProxy(): Promise<string> {
  const proxy = createServer(testCertificate, (incoming, answer) => {
    const headers = { ...incoming.headers, 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' };
    const outgoing = request({ port: 3000, path: incoming.url, method: incoming.method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on('error', () => answer.writeHead(502).end());
    incoming.pipe(outgoing);
  });
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  return `https://localhost:${await listenOnFreePort(proxy)}`;
}

/**
 * Installs release 1.1.0 in /srv/kasente by the steps of its deploy/install-debian.sh, from a repository that has this
 * checkout's history.
 */
async function installOld(
  machine: CopiedMachine,
  { postgres, mails, publicUrl }: { postgres: Cluster; mails: MailServer; publicUrl: string },
): Promise<void> {
  const repository = join(await proofFolder(), 'kasente.git');
  execFileSync('git', ['clone', '--quiet', '--bare', '--no-tags', root, repository]);
  execFileSync('git', ['-C', repository, 'tag', `v${OLD.version}`, OLD.commit]);
  cpSync(repository, machine.pathOf('/srv/kasente.git'), { recursive: true });
  writeFileSync(machine.pathOf('/etc/kasente-proxy.pem'), testCertificate.cert);
  mkdirSync(machine.pathOf('/usr/local/sbin'), { recursive: true });
  copyFileSync(join(import.meta.dirname, 'systemctl.sh'), machine.pathOf('/usr/local/sbin/systemctl'));
  await shell(
    machine,
    `chmod 0755 /usr/local/sbin/systemctl
    git config --global user.name Operator
    git config --global user.email operator@kasente.example
    git config --global advice.detachedHead false
    git config --global safe.directory '*'
    git clone --quiet /srv/kasente.git /srv/kasente
    cd /srv/kasente
    git checkout --quiet v${OLD.version}
    node scripts/ensure-install.mjs
    node scripts/ensure-build.mjs
    useradd --system --home-dir /var/lib/kasente --shell /usr/sbin/nologin kasente
    install -d -o kasente -g kasente -m 0700 /var/backups/kasente /var/lib/kasente
    install -d -m 0755 /etc/kasente
    cat \${NODE_EXTRA_CA_CERTS:-} /etc/kasente-proxy.pem >/etc/kasente/authorities.pem
    sed -e 's|kasente:CHANGE-ME@127.0.0.1:5432|owner@127.0.0.1:${postgres.port}|' \\
      -e 's|kasente_server:CHANGE-ME@127.0.0.1:5432|kasente_server@127.0.0.1:${postgres.port}|' \\
      -e 's|^PUBLIC_URL=.*|PUBLIC_URL=${publicUrl}\\nNODE_EXTRA_CA_CERTS=/etc/kasente/authorities.pem|' \\
      -e 's|^SMTP_URL=.*|SMTP_URL=${mails.url}|' \\
      -e "s|^SECRET_KEY=CHANGE-ME|SECRET_KEY=$(openssl rand -hex 32)|" \\
      -e "s|^METRICS_TOKEN=CHANGE-ME|METRICS_TOKEN=$(openssl rand -hex 32)|" deploy/kasente.env >${SETTINGS}
    cp deploy/systemd/* /etc/systemd/system/
    systemctl daemon-reload
    systemctl start kasente@3000 kasente@3001
    ${READY}`,
  );
  const create = `node_modules/.bin/node scripts/user.ts create --username ${administrator.username} --admin`;
  await shell(machine, asServer('/srv/kasente', create), `${administrator.password}\n`);
}

/** A line for a tool with the server's settings, as the server's user. */
function asServer(folder: string, tool: string): string {
  return `set -a; . ${SETTINGS}; set +a; cd ${folder}; exec runuser -u kasente -- ${tool}`;
}

/**
 * The release that the page names, made from this checkout's HEAD as docs/upgrading.md says; its tarball is in /root.
 */
async function makeRelease(machine: CopiedMachine): Promise<Site['newer']> {
  await shell(
    machine,
    `git clone --quiet --no-tags /srv/kasente.git /root/checkout
    cd /root/checkout
    git checkout --quiet -B main
    [ "$(node -p 'require("./package.json").version')" != ${version} ] || git tag --annotate v${version} --message Again
    npm run release -- ${version}
    git push --quiet --follow-tags --set-upstream origin main
    cp dist/kasente-${version}.tar.gz /root`,
  );
  const commit = await shell(machine, `git -C /root/checkout rev-parse --short=12 'v${version}^{commit}'`);
  return { version, commit, web: machine.pathOf('/root/checkout/dist/web') };
}

/**
 * Throws unless the new release runs, passes its checks and has its data, and the expected release made the backup
 * before the upgrade.
 */
async function expectNewer({ machine, newer, done }: Site, backedUpBy: string): Promise<void> {
  await shell(machine, READY);
  await expectBuild({ version: newer.version, commit: newer.commit }, newer.web);
  await expectData(done);
  await shell(machine, asServer('/srv/kasente', 'node_modules/.bin/node scripts/doctor.ts'));
  await shell(machine, asServer('/srv/kasente', 'node_modules/.bin/node scripts/audit-verify.ts'));
  const backups = (await shell(machine, `${LIST_BACKUPS} -t`)).split('\n').filter((name) => name.startsWith('before-'));
  expect(await makerOf(machine, backups[0] ?? '')).toBe(backedUpBy);
}

/** Throws unless the old release runs again with its web application and the data. */
async function expectOlder({ machine, done }: Site): Promise<void> {
  await shell(machine, READY);
  expect(await readyzOf(3000)).toEqual([200, JSON.stringify({ status: 'ok', version: OLD.version })]);
  await expectWeb(3000, machine.pathOf('/srv/kasente/dist/web'));
  await expectData(done);
}

/** The release that made a backup. */
async function makerOf(machine: CopiedMachine, name: string): Promise<string> {
  const manifest = await shell(machine, `cat /var/backups/kasente/${name}/manifest.json`);
  const { kasente }: { kasente: string } = JSON.parse(manifest);
  return kasente;
}

/** Makes tonight's backup; throws unless the newer release made it. */
async function expectNightlyBackup({ machine, newer }: Site): Promise<void> {
  await shell(machine, 'rm -rf /var/backups/kasente/20*; systemctl start kasente-backup.service');
  const maker = await makerOf(machine, await shell(machine, `${LIST_BACKUPS} | grep ^20`));
  expect(maker).toBe(`${newer.version}+${newer.commit}`);
}

function backUpBy(machine: CopiedMachine, folder: string): Promise<string> {
  return shell(machine, asServer(folder, 'node_modules/.bin/node scripts/backup.ts /var/backups/kasente/by-hand'));
}

async function emptyForRestore({ machine, postgres }: Site): Promise<void> {
  await shell(machine, 'systemctl stop kasente@3000 kasente@3001; find /var/lib/kasente -mindepth 1 -delete');
  await postgres.use('postgres', async (client) => {
    await client.query('drop database kasente with (force)');
    await client.query('create database kasente owner owner');
  });
}
