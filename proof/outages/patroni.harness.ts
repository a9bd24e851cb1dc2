import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import pg from 'pg';
import { onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { replaced } from '#proof/deploy/replaced.ts';
import { accountFor, spawnAs } from '#server/embedded-postgres/account.ts';
import { processesIn } from '#server/embedded-postgres/launcher.harness.ts';
import { killPostgres } from './postgres.harness.ts';

/**
 * Three database machines with Debian's etcd, Patroni and PostgreSQL, and HAProxy in front of them, set up from the
 * files of deploy/database. Each machine is a loopback address; only addresses, paths and passwords are replaced.
 */

const deploy = join(import.meta.dirname, '../../deploy/database');
const PACKAGES = 'apt-get install patroni etcd-server haproxy postgresql';
const POSTGRESQL = '/usr/lib/postgresql';
const PASSWORD = 'a-password-of-the-proof';
const WAIT = { timeout: 180_000, interval: 200 };
const ANSWER_MS = 5_000;

/** How a machine is lost: all its processes are killed, or stopped so that its connections stay open and silent. */
export type Loss = 'killed' | 'silent';

const clusterView = z.object({
  members: z.array(
    z.object({ name: z.string(), role: z.string(), state: z.string(), timeline: z.number().optional() }),
  ),
});
type Member = z.infer<typeof clusterView>['members'][number];

export class PatroniCluster {
  readonly #machines: readonly Machine[];
  readonly #proxy: string;

  private constructor(machines: readonly Machine[], proxy: string) {
    this.#machines = machines;
    this.#proxy = proxy;
  }

  /** Starts all machines, with an empty database `kasente`; they are killed when the test ends. */
  static async start(folder: string): Promise<PatroniCluster> {
    // All addresses in 127.0.0.0/8 belong to this machine.
    const network = `127.${64 + (process.pid % 64)}.${process.pid % 251}`;
    const machines = await Promise.all(
      ['db1', 'db2', 'db3'].map((name, index) => Machine.create(folder, name, { network, host: index + 1 })),
    );
    const cluster = new PatroniCluster(machines, `${network}.9`);
    onTestFinished(async () => {
      for (const machine of machines) await machine.end();
    });
    for (const machine of machines) machine.startEtcd();
    for (const machine of machines) machine.startPatroni();
    await startProxy(folder, network);
    await cluster.whole();
    await cluster.use('postgres', async (client) => {
      await client.query(`create role kasente login createrole password '${PASSWORD}'`);
      await client.query('create database kasente owner kasente');
    });
    return cluster;
  }

  /** The database behind HAProxy, as the owner of the tables. */
  get url(): string {
    return `postgres://kasente:${PASSWORD}@${this.#proxy}:5432/kasente`;
  }

  /** The versions, such as 'Patroni 3.0.2, etcd 3.4.23, HAProxy 2.6.12, PostgreSQL 15.18'. */
  async versions(): Promise<string> {
    const { rows } = await this.use('postgres', (client) =>
      client.query<{ server_version: string }>('show server_version'),
    );
    const [postgresql = ''] = (rows[0]?.server_version ?? '').split(' ');
    const others = [
      ['Patroni', 'patroni'],
      ['etcd', 'etcd'],
      ['HAProxy', 'haproxy'],
    ] as const;
    const found = others.map(([name, program]) => {
      const { stdout } = spawnSync(program, [program === 'haproxy' ? '-v' : '--version'], { encoding: 'utf8' });
      return `${name} ${/\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? ''}`;
    });
    return [...found, `PostgreSQL ${postgresql}`].join(', ');
  }

  /** Waits until there is a primary, a synchronous standby and a third machine, all on the same timeline. */
  async whole(): Promise<void> {
    await this.#until(
      (members) =>
        members.length === this.#machines.length &&
        new Set(members.map(({ timeline }) => timeline)).size === 1 &&
        members.every(({ state }) => state === 'running' || state === 'streaming') &&
        ['leader', 'sync_standby'].every((role) => members.some((member) => member.role === role)),
    );
  }

  /** An ordered switchover to the synchronous standby. */
  async switchOver(): Promise<void> {
    const members = await this.#members();
    const named = (role: string) => members.find((member) => member.role === role)?.name;
    const [leader, candidate] = [named('leader'), named('sync_standby')];
    await this.#machineCalled(leader).order('POST', '/switchover', { leader, candidate });
    await this.#until((now) => now.some(({ name, role }) => role === 'leader' && name !== leader));
  }

  /** Loses the primary, waits until HAProxy leads to a new one, and brings the lost machine back as a standby. */
  async losePrimary(loss: Loss): Promise<void> {
    const lost = await this.#primary();
    await (loss === 'killed' ? lost.kill() : lost.silence());
    await this.#until((members) => members.some(({ name, role }) => role === 'leader' && name !== lost.name));
    await vi.waitUntil(() => this.use('postgres', () => Promise.resolve(true)).catch(() => false), WAIT);
    if (loss === 'silent') await lost.kill(); // a machine that comes back has restarted
    lost.startPatroni();
  }

  /** The planted fault: standbys become asynchronous, and receive nothing that the primary commits from now on. */
  async loseSight(): Promise<void> {
    const primary = await this.#primary();
    await primary.order('PATCH', '/config', { synchronous_mode: false, maximum_lag_on_failover: 2 ** 30 });
    await vi.waitUntil(async () => {
      const [row] = await this.#rows<{ names: string }>(`select current_setting('synchronous_standby_names') as names`);
      return row?.names === '';
    }, WAIT);
    const senders = await this.#rows<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'walsender'`,
    );
    for (const { pid } of senders) process.kill(pid, 'SIGSTOP');
  }

  async #rows<Row extends pg.QueryResultRow>(text: string): Promise<readonly Row[]> {
    return (await this.use('postgres', (client) => client.query<Row>(text))).rows;
  }

  /** Works through HAProxy as the superuser. */
  async use<Result>(database: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client(`postgres://postgres:${PASSWORD}@${this.#proxy}:5432/${database}`);
    client.on('error', () => undefined); // the running statement reports it
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  async #primary(): Promise<Machine> {
    return this.#machineCalled((await this.#members()).find(({ role }) => role === 'leader')?.name);
  }

  #machineCalled(name: string | undefined): Machine {
    const machine = this.#machines.find((one) => one.name === name);
    if (machine === undefined) throw new Error('there is no primary');
    return machine;
  }

  async #until(holds: (members: readonly Member[]) => boolean): Promise<void> {
    await vi.waitUntil(async () => holds(await this.#members()), WAIT);
  }

  /** The cluster, as reported by the first Patroni that answers. */
  async #members(): Promise<readonly Member[]> {
    const views = this.#machines.map(async (machine) => clusterView.parse(await machine.ask('/cluster')));
    return Promise.any(views).then(
      ({ members }) => members,
      () => [],
    );
  }
}

interface Address {
  /** The first three numbers of every machine's address. */
  readonly network: string;
  readonly host: number;
}

/** One database machine. */
class Machine {
  readonly name: string;
  readonly #folder: string;
  readonly #address: string;
  readonly #own: { uid?: number; gid?: number };
  #etcd: ChildProcess | undefined;
  #patroni: ChildProcess | undefined;

  private constructor(name: string, folder: string, address: string, own: { uid?: number; gid?: number }) {
    this.name = name;
    this.#folder = folder;
    this.#address = address;
    this.#own = own;
  }

  static async create(parent: string, name: string, { network, host }: Address): Promise<Machine> {
    const folder = join(parent, name);
    const address = `${network}.${host}`;
    await mkdir(folder);
    const [newest = ''] = (await readdir(POSTGRESQL).catch(() => [])).toSorted((a, b) => Number(b) - Number(a));
    const etcd = replaced(await readFile(join(deploy, 'etcd.env'), 'utf8'), {
      'ETCD_NAME=db1': `ETCD_NAME=${name}`,
      'URLS=http://10.0.0.1:': `URLS=http://${address}:`,
      '10.0.0.': `${network}.`,
      '/var/lib/etcd/kasente': join(folder, 'etcd'),
    });
    const patroni = replaced(await readFile(join(deploy, 'patroni.yml'), 'utf8'), {
      '\nname: db1': `\nname: ${name}`,
      'listen: 10.0.0.1:': `listen: ${address}:`,
      'connect_address: 10.0.0.1:': `connect_address: ${address}:`,
      '10.0.0.0/24': '127.0.0.0/8',
      '10.0.0.': `${network}.`,
      'CHANGE-ME': PASSWORD,
      '/var/lib/postgresql/kasente': join(folder, 'data'),
      '/var/lib/postgresql/.pgpass-patroni': join(folder, 'pgpass'),
      '/var/run/postgresql': folder,
      [`${POSTGRESQL}/15/bin`]: `${POSTGRESQL}/${newest}/bin`,
    });
    await writeFile(join(folder, 'etcd.env'), etcd);
    await writeFile(join(folder, 'patroni.yml'), patroni);
    const account = await accountFor(undefined);
    if (account !== undefined) await promisify(execFile)('chown', ['-R', `${account.uid}:${account.gid}`, folder]);
    return new Machine(name, folder, address, spawnAs(account));
  }

  startEtcd(): void {
    this.#etcd = this.#spawn('etcd', [], parseEnv(readFileSync(join(this.#folder, 'etcd.env'), 'utf8')));
  }

  startPatroni(): void {
    this.#patroni = this.#spawn('patroni', [join(this.#folder, 'patroni.yml')], {});
  }

  #spawn(program: string, args: readonly string[], env: NodeJS.Dict<string>): ChildProcess {
    const log = openSync(join(this.#folder, `${program}.log`), 'a');
    const child = spawn(program, args, {
      ...this.#own,
      cwd: '/',
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', log, log],
    });
    child.once('error', () => undefined);
    if (child.pid === undefined) throw new Error(`${program} is not installed: ${PACKAGES}`);
    return child;
  }

  async ask(path: string): Promise<unknown> {
    const answer = await fetch(`http://${this.#address}:8008${path}`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return answer.json();
  }

  /** Changes something through Patroni's API. */
  async order(method: string, path: string, body: object): Promise<void> {
    const answer = await fetch(`http://${this.#address}:8008${path}`, {
      method,
      headers: { authorization: `Basic ${Buffer.from(`patroni:${PASSWORD}`).toString('base64')}` },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`Patroni answered ${answer.status}: ${await answer.text()}`);
  }

  /** Kills Patroni and PostgreSQL. */
  async kill(): Promise<void> {
    await endProcess(this.#patroni);
    await killPostgres(join(this.#folder, 'data'));
  }

  /** Freezes Patroni and PostgreSQL: their connections stay open, and nothing answers. */
  async silence(): Promise<void> {
    this.#patroni?.kill('SIGSTOP');
    for (const pid of await processesIn(join(this.#folder, 'data'))) process.kill(pid, 'SIGSTOP');
  }

  /** Ends all of the machine's processes that still run. */
  async end(): Promise<void> {
    await endProcess(this.#patroni);
    await killPostgres(join(this.#folder, 'data')).catch(() => undefined); // it may not run
    await endProcess(this.#etcd);
  }
}

async function startProxy(folder: string, network: string): Promise<void> {
  const settings = join(folder, 'haproxy.cfg');
  const text = replaced(await readFile(join(deploy, 'haproxy.cfg'), 'utf8'), {
    '  bind 127.0.0.1:5432': `  bind ${network}.9:5432`,
    '10.0.0.': `${network}.`,
  });
  await writeFile(settings, text);
  const child = spawn('haproxy', ['-db', '-f', settings], { stdio: 'ignore' });
  child.once('error', () => undefined);
  if (child.pid === undefined) throw new Error(`haproxy is not installed: ${PACKAGES}`);
  onTestFinished(() => endProcess(child));
}

async function endProcess(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
