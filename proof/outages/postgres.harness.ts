import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import pg from 'pg';
import { onTestFinished, vi } from 'vitest';
import { accountFor, spawnAs } from '#server/embedded-postgres/account.ts';
import { type Binaries, binariesFor, findPackage } from '#server/embedded-postgres/binaries.ts';
import { createCluster } from '#server/embedded-postgres/folder.ts';
import { processesIn } from '#server/embedded-postgres/launcher.harness.ts';
import { freePort } from '#testing/free-port.ts';

/** PostgreSQL of the npm packages as a separate service: on a port, stopped and killed at will, with a standby. */

/** Ends PostgreSQL with the test's process, however that ends. */
const GUARD = `
exec 4<&0
"$0" "$@" 4<&- </dev/null &
guarded=$!
( read -r _ <&4; kill -QUIT $guarded ) &
watch=$!
wait $guarded
kill $watch`;

const USER = 'kasente';
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  lc_messages: 'C',
  log_min_messages: 'log',
  max_connections: '60',
  max_wal_size: '256MB',
  wal_keep_size: '128MB',
  // A standby notices at once that its primary is gone, and reconnects at once.
  wal_retrieve_retry_interval: '100ms',
};

/** `fast` disconnects clients; `immediate` drops everything, as in a crash. */
export type StopMode = 'fast' | 'immediate';
const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** Starts a cluster with an empty database `kasente`; it is stopped with the test. */
export async function startCluster(folder: string, name: string): Promise<Cluster> {
  const cluster = await Cluster.create(folder, name);
  onTestFinished(() => cluster.stop('immediate'));
  await cluster.start();
  await cluster.use('postgres', (client) => client.query('create database kasente'));
  return cluster;
}

export class Cluster {
  readonly folder: string;
  readonly port: number;
  readonly #binaries: Binaries;
  #child: ChildProcess | undefined;

  private constructor(folder: string, port: number, binaries: Binaries) {
    this.folder = folder;
    this.port = port;
    this.#binaries = binaries;
  }

  /** An empty cluster, not started, in `parent/name`; as root, other users must be able to enter the parent. */
  static async create(parent: string, name: string): Promise<Cluster> {
    const cluster = await Cluster.#place(parent, name);
    const place = { folder: cluster.folder, account: await accountFor(undefined), exists: false, pointer: undefined };
    await createCluster(place, cluster.#binaries);
    return cluster;
  }

  static async #place(parent: string, name: string, port?: number): Promise<Cluster> {
    const account = await accountFor(undefined);
    const binaries = await binariesFor(account, await findPackage(), [join(parent, 'open')], () => undefined);
    return new Cluster(join(parent, name), port ?? (await freePort()), binaries);
  }

  /** A streaming standby of this running cluster, from a copy of its folder under the low-level backup calls. Not started. */
  async makeStandby(parent: string, name: string, port?: number): Promise<Cluster> {
    const standby = await Cluster.#place(parent, name, port);
    const label = await this.#whileBackedUp(async () => {
      // The log that is replayed has the files that vanish during the copy.
      await promisify(execFile)('cp', ['-Rp', this.folder, standby.folder]).catch(() => undefined);
    });
    for (const file of ['postmaster.pid', 'postmaster.opts', 'backup_label'])
      await rm(join(standby.folder, file), { force: true });
    const own = { ...spawnAs(await accountFor(standby.folder)) };
    await writeAs(own, join(standby.folder, 'backup_label'), label);
    await writeAs(own, join(standby.folder, 'standby.signal'), '');
    const source = `host=127.0.0.1 port=${this.port} user=${USER} application_name=standby`;
    await appendFile(
      join(standby.folder, 'postgresql.auto.conf'),
      `primary_conninfo = '${source}'\nsynchronous_standby_names = ''\n`,
    );
    return standby;
  }

  async #whileBackedUp(copy: () => Promise<void>): Promise<string> {
    return this.use('postgres', async (client) => {
      await client.query("select pg_backup_start('standby', fast => true)");
      await copy();
      const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
      return rows[0]?.labelfile ?? '';
    });
  }

  /** Starts it and waits until it accepts connections: read-only ones on a standby. */
  async start(): Promise<void> {
    const flags = Object.entries({ ...SETTINGS, port: String(this.port) }).flatMap(([key, value]) => [
      '-c',
      `${key}=${value}`,
    ]);
    const child = spawn('/bin/sh', ['-c', GUARD, this.#binaries.postgres, '-D', this.folder, ...flags], {
      ...spawnAs(await accountFor(this.folder)),
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    this.#child = child;
    child.stdin?.on('error', () => undefined);
    const lines: string[] = [];
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stderr }).on('line', (line) => {
        lines.push(line);
        if (lines.length > 20) lines.shift();
        if (/ready to accept (read-only )?connections/.test(line)) resolve();
      });
      child.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${lines.join('\n')}`)));
    });
  }

  async stop(mode: StopMode): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    const ended = once(child, 'exit');
    process.kill(await this.#postmaster(), SIGNALS[mode]);
    await ended;
  }

  /** Sends SIGKILL to all its processes, as when the machine is lost. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    const ended = child && once(child, 'exit');
    for (const pid of [await this.#postmaster(), ...(await processesIn(this.folder))]) killIfThere(pid);
    await vi.waitUntil(async () => {
      const left = await processesIn(this.folder);
      left.forEach(killIfThere);
      return left.length === 0;
    }, WAIT);
    await ended;
  }

  async #postmaster(): Promise<number> {
    return Number.parseInt(await readFile(join(this.folder, 'postmaster.pid'), 'utf8'), 10);
  }

  /** Makes a standby the primary, and waits until it accepts writes. */
  async promote(): Promise<void> {
    await this.use('postgres', (client) => client.query('select pg_promote(true, 60)'));
  }

  /** Makes commits wait for the standby; returns when the standby has every earlier commit. */
  async waitForStandby(): Promise<void> {
    await this.use('postgres', async (client) => {
      await client.query("alter system set synchronous_standby_names = '*'");
      await client.query('select pg_reload_conf()');
      await vi.waitUntil(async () => {
        const { rows } = await client.query(
          "select 1 from pg_stat_replication where sync_state = 'sync' and flush_lsn >= pg_current_wal_flush_lsn()",
        );
        return rows.length > 0;
      }, WAIT);
      // Commits in flight when the setting changed have been answered: this one waits for the standby.
      await client.query(
        'create table if not exists standby_seen (at timestamptz); insert into standby_seen values (now())',
      );
    });
  }

  /** The process that sends the log to the standby. */
  async walSender(): Promise<number> {
    const { rows } = await this.use('postgres', (client) =>
      client.query<{ pid: number }>(`select pid from pg_stat_activity where backend_type = 'walsender'`),
    );
    return rows[0]?.pid ?? Number.NaN;
  }

  urlOf(database: string): string {
    return `postgres://${USER}@127.0.0.1:${this.port}/${database}`;
  }

  async use<Result>(database: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client(this.urlOf(database));
    client.on('error', () => undefined); // the running statement reports it
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}

const WAIT = { timeout: 60_000, interval: 10 };

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Writes a file that PostgreSQL's user owns. */
async function writeAs(user: { uid?: number; gid?: number }, file: string, content: string): Promise<void> {
  await writeFile(file, content, { mode: 0o600 });
  if (user.uid !== undefined)
    await promisify(execFile)('chown', [`${user.uid >>> 0}:${(user.gid ?? user.uid) >>> 0}`, file]);
}
