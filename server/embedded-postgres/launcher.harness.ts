import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type Account, spawnAs } from './account.ts';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts';
import { readLockFile } from './holder.ts';

/** Shared by the launcher's tests: temporary folders, child servers, and the machine's processes. */

export const isRoot = process.getuid?.() === 0;

const message = z.object({
  ready: z.literal(true).optional(),
  owner: z.boolean().optional(),
  kept: z.array(z.number()).optional(),
  socketFolder: z.string().optional(),
  acknowledged: z.number().optional(),
  last: z.number().optional(),
  stopped: z.literal(true).optional(),
  lost: z.string().optional(),
  log: z.string().optional(),
  error: z.string().optional(),
  name: z.string().optional(),
});
export type Message = z.output<typeof message>;

/** A folder that other users may enter, so that root's PostgreSQL can use it. Removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kasente-test-'));
  await chmod(folder, 0o711);
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  return folder;
}

/**
 * One cluster for the file's tests. Each test copies it to `folder/data/postgres`, which is faster than a first start.
 * As root, the copy's files belong to root, as after a restored backup.
 */
export function clusterToCopy(): () => Promise<{ folder: string; cluster: string }> {
  let template = '';
  beforeAll(async () => {
    template = await mkdtemp(join(tmpdir(), 'kasente-whole-'));
    await chmod(template, 0o711);
    const postgres = await startEmbeddedPostgres({ dataDir: join(template, 'data') });
    await postgres.stop();
  });
  afterAll(() => rm(template, { recursive: true, force: true }));
  return async () => {
    const folder = await temporaryFolder();
    const cluster = join(folder, 'data/postgres');
    await mkdir(join(folder, 'data'));
    // Over a thousand files: `cp` takes half as long as Node's own.
    await promisify(execFile)('cp', ['-R', join(template, 'data/postgres'), cluster]);
    return { folder, cluster };
  };
}

/** Starts in this process. Whatever root must store elsewhere goes into the test's folder. Stopped after the test. */
export async function startHere(folder: string, options: Partial<EmbeddedPostgresOptions> = {}) {
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'data'),
    openFolders: [join(folder, 'open')],
    ...options,
  });
  onTestFinished(() => postgres.stop());
  return postgres;
}

export interface ChildServer {
  readonly process: ChildProcess;
  readonly messages: readonly Message[];
  /** The first message, past or future, that has the key. Rejects if the server ends without it. */
  until(key: keyof Message, count?: number): Promise<Message>;
  /** Sends SIGKILL, then returns every message that was still on its way. */
  kill(): Promise<void>;
}

/** A server in a process of its own, on `folder/data`. */
export function startChild(folder: string, task: 'hold' | 'insert', account?: Account): ChildServer {
  const script = fileURLToPath(new URL('./launcher.child.ts', import.meta.url));
  const child = spawn(process.execPath, [script, join(folder, 'data'), task, join(folder, 'open')], {
    ...spawnAs(account),
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  const messages: Message[] = [];
  const arrivals = new EventEmitter();
  createInterface({ input: child.stdout }).on('line', (line) => {
    messages.push(message.parse(JSON.parse(line)));
    arrivals.emit('message');
  });
  let ended = false;
  const end = closed.then(() => {
    ended = true;
  });
  const until = async (key: keyof Message, count = 1): Promise<Message> => {
    for (;;) {
      const found = messages.filter((each) => each[key] !== undefined)[count - 1];
      if (found !== undefined) return found;
      if (ended) throw new Error(`the server ended without '${key}': ${JSON.stringify(messages.slice(-3))}`);
      await Promise.race([once(arrivals, 'message'), end]);
    }
  };
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await closed;
  };
  return { process: child, messages, until, kill };
}

/**
 * The ids of the processes whose working directory is the folder, as is the cluster's for every process of PostgreSQL.
 */
export async function processesIn(folder: string): Promise<readonly number[]> {
  if (process.platform !== 'linux') return await processesByLsof(folder);
  const here = await stat(folder);
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    const there = /^\d+$/.test(name) ? await stat(`/proc/${name}/cwd`).catch(() => undefined) : undefined;
    if (there?.ino === here.ino && there.dev === here.dev) found.push(Number(name));
  }
  return found;
}

async function processesByLsof(folder: string): Promise<readonly number[]> {
  const listed = await promisify(execFile)('lsof', ['-a', '-d', 'cwd', '-c', 'postgres', '-F', 'pn']).catch(
    () => undefined,
  );
  const processes = (listed?.stdout ?? '').split(/^p/m).slice(1);
  return processes.filter((text) => text.split('\n').includes(`n${folder}`)).map((text) => Number.parseInt(text, 10));
}

/** The postmaster's process id. */
export async function postmasterOf(cluster: string): Promise<number> {
  const lock = await readLockFile(cluster);
  if (typeof lock !== 'object') throw new Error(`no PostgreSQL runs in ${cluster}`);
  return lock.pid;
}

/**
 * Everything in a folder by path: hashes of contents, targets of links, modes. If two are equal, nothing was changed.
 */
export async function snapshot(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const { mode } = await lstat(path);
    const content = entry.isFile()
      ? hash('sha256', await readFile(path))
      : entry.isSymbolicLink()
        ? await readlink(path)
        : '';
    entries.set(path, `${mode.toString(8)} ${content}`);
  }
  return entries;
}
