import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { isAlive } from '#server/machine/atomic-folder.ts';
import { codeOf, unlessCode } from '#server/machine/error-codes.ts';
import { EmbeddedPostgresError } from './error.ts';

/** The cluster's superuser; the socket's private folder keeps others out. */
export const SUPERUSER = 'kasente';

/** A PostgreSQL that accepts connections without a reply for this long is suspended. */
const ANSWER_WAIT_MS = 10_000;

/** The contents of `postmaster.pid`: which process has, or had, the cluster open, and where it listens. */
export interface LockFile {
  readonly pid: number;
  readonly port: number;
  readonly socketFolder: string;
}

/**
 * PostgreSQL's lock file: undefined if there is none, 'unreadable' while it is being written, or for good if a full
 * disk or a power cut left it empty.
 */
export async function readLockFile(clusterFolder: string): Promise<LockFile | 'unreadable' | undefined> {
  const text = await readFile(join(clusterFolder, 'postmaster.pid'), 'utf8').catch(unlessCode('ENOENT'));
  if (text === undefined) return undefined;
  const [pid, , , port, socketFolder] = text.split('\n');
  if (pid === undefined || !/^-?\d+$/.test(pid)) return 'unreadable';
  return { pid: Math.abs(Number(pid)), port: Number(port), socketFolder: socketFolder ?? '' };
}

/** Removes a lock file without a process number, if it is still so. */
export async function removeUnreadableLockFile(clusterFolder: string): Promise<void> {
  if ((await readLockFile(clusterFolder)) === 'unreadable') await rm(join(clusterFolder, 'postmaster.pid'));
}

/**
 * Whether the process is a PostgreSQL that has this very cluster open. After a kill or a power cut the number may be
 * somebody else's by now, in a container quite likely; and a copy of a live folder names the original's process.
 */
export async function holds(pid: number, clusterFolder: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  try {
    const [there, here] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(clusterFolder)]);
    return there.dev === here.dev && there.ino === here.ino; // PostgreSQL works in its cluster's folder
  } catch {
    return (await commandOf(pid)).includes(clusterFolder);
  }
}

/** A process's command line, for messages. */
export async function commandOf(pid: number): Promise<string> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
  } catch {
    const listed = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'args=']).catch(() => undefined);
    return listed?.stdout.trim() ?? '';
  }
}

/**
 * Connects to the PostgreSQL that holds the cluster: undefined while it is starting or stopping. Throws
 * {@link EmbeddedPostgresError} when it is not one that Kasente started, or of another version.
 */
export async function connectToHolder(
  lock: LockFile,
  clusterFolder: string,
  version: string,
): Promise<pg.Client | undefined> {
  const { port, socketFolder: host } = lock;
  const connectionTimeoutMillis = ANSWER_WAIT_MS;
  const client = new pg.Client({ host, port, user: SUPERUSER, database: 'postgres', connectionTimeoutMillis });
  client.on('error', () => {}); // its 'end' reports the same
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string; version: string }>(
      `select current_setting('cluster_name') as name, current_setting('server_version') as version`,
    );
    if (rows[0]?.name === 'kasente' && rows[0].version.split(' ')[0] === version) return client;
    await client.end();
  } catch (error) {
    await client.end().catch(() => {});
    if (isPassing(error)) return undefined;
  }
  throw await heldByAnother(lock.pid, clusterFolder);
}

/** The error for a cluster whose process it cannot be shared with. */
export async function heldByAnother(pid: number, clusterFolder: string): Promise<EmbeddedPostgresError> {
  const command = await commandOf(pid);
  return new EmbeddedPostgresError(
    `The database in ${clusterFolder} is in use by another program (process ${pid}: ${command.slice(0, 200)}): stop it, or set DATA_DIR to another folder.`,
  );
}

/** There is no socket yet or any more, or the reply is "starting up", "shutting down", "terminated". */
export function isPassing(error: unknown): boolean {
  const passing = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P03'];
  return passing.includes(codeOf(error) ?? '') || (error instanceof Error && /terminated/.test(error.message));
}
