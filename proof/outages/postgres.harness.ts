import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { onTestFinished, vi } from 'vitest';
import { accountFor, spawnAs } from '#server/embedded-postgres/account.ts';
import { type Binaries, binariesFor, findPackage } from '#server/embedded-postgres/binaries.ts';
import { createCluster } from '#server/embedded-postgres/folder.ts';
import { processesIn } from '#server/embedded-postgres/launcher.harness.ts';
import { freePort } from '#testing/free-port.ts';

/** PostgreSQL from the npm packages as a separate service, on a port, which tests can stop. */

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

  /** An empty cluster, not started, in `parent/name`; if this is root, other users must be able to enter the parent. */
  static async create(parent: string, name: string): Promise<Cluster> {
    const account = await accountFor(undefined);
    const binaries = await binariesFor(account, await findPackage(), [join(parent, 'open')], () => undefined);
    const cluster = new Cluster(join(parent, name), await freePort(), binaries);
    await createCluster({ folder: cluster.folder, account, exists: false, pointer: undefined }, binaries);
    return cluster;
  }

  /** Starts it and waits until it accepts connections. */
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
        if (/ready to accept connections/.test(line)) resolve();
      });
      child.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${lines.join('\n')}`)));
    });
  }

  async stop(mode: StopMode): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    const ended = once(child, 'exit');
    process.kill(await postmasterIn(this.folder), SIGNALS[mode]);
    await ended;
  }

  /** Sends SIGKILL to all its processes, as when the machine is lost. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    const ended = child && once(child, 'exit');
    await killPostgres(this.folder);
    await ended;
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

/** Sends SIGKILL to all processes of the PostgreSQL in that data folder, and waits until none is left. */
export async function killPostgres(folder: string): Promise<void> {
  for (const pid of [await postmasterIn(folder), ...(await processesIn(folder))]) killIfThere(pid);
  await vi.waitUntil(async () => {
    const left = await processesIn(folder);
    left.forEach(killIfThere);
    return left.length === 0;
  }, WAIT);
}

async function postmasterIn(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postmaster.pid'), 'utf8'), 10);
}

const WAIT = { timeout: 60_000, interval: 10 };

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
