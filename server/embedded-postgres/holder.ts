import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { isAlive } from '#server/machine/atomic-folder.ts';
import { codeOf, unlessCode } from '#server/machine/error-codes.ts';
import { EmbeddedPostgresError } from './error.ts';

/** The cluster's superuser. The socket's private folder keeps others out. */
export const SUPERUSER = 'kasente';

/** A PostgreSQL that accepts connections but sends no reply for this long is suspended. */
const ANSWER_WAIT_MS = 10_000;

/** The contents of `postmaster.pid`: the process that has, or had, the cluster open, and where it listens. */
export interface LockFile {
  readonly pid: number;
  readonly port: number;
  readonly socketFolder: string;
}

/**
 * Reads PostgreSQL's lock file: undefined if there is none. 'unreadable' while it is being written, or permanently if a
 * full disk or a power cut left it empty.
 */
export async function readLockFile(clusterFolder: string): Promise<LockFile | 'unreadable' | undefined> {
  const text = await readFile(join(clusterFolder, 'postmaster.pid'), 'utf8').catch(unlessCode('ENOENT'));
  if (text === undefined) return undefined;
  const [pid, , , port, socketFolder] = text.split('\n');
  if (pid === undefined || !/^-?\d+$/.test(pid)) return 'unreadable';
  return { pid: Math.abs(Number(pid)), port: Number(port), socketFolder: socketFolder ?? '' };
}

/** Removes a lock file if it still has no process number. */
export async function removeUnreadableLockFile(clusterFolder: string): Promise<void> {
  if ((await readLockFile(clusterFolder)) === 'unreadable') await rm(join(clusterFolder, 'postmaster.pid'));
}

/**
 * Whether the process is a PostgreSQL that has exactly this cluster open. After a kill or a power cut, another process
 * may have the number, which is likely in a container. And the lock file in a copy of a live folder names the
 * original's process.
 */
export async function holds(pid: number, clusterFolder: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  try {
    const [there, here] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(clusterFolder)]);
    return there.dev === here.dev && there.ino === here.ino; // PostgreSQL's working directory is its cluster's folder
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
 * Connects to the PostgreSQL that holds the cluster; undefined while it is starting or stopping. Throws {@link
 * EmbeddedPostgresError} if Kasente did not start it, or if it has another version.
 */
export async function connectToHolder(
  lock: LockFile,
  clusterFolder: string,
  version: string,
): Promise<pg.Client | undefined> {
  const { port, socketFolder: host } = lock;
  const connectionTimeoutMillis = ANSWER_WAIT_MS;
  const client = new pg.Client({ host, port, user: SUPERUSER, database: 'postgres', connectionTimeoutMillis });
  client.on('error', () => {}); // its 'end' event reports the same
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

/** The error for a cluster that is held by a process we can't share it with. */
export async function heldByAnother(pid: number, clusterFolder: string): Promise<EmbeddedPostgresError> {
  const command = await commandOf(pid);
  return new EmbeddedPostgresError(
    `The database in ${clusterFolder} is in use by another program (process ${pid}: ${command.slice(0, 200)}): stop it, or set DATA_DIR to another folder.`,
  );
}

/** Whether there is no socket, or the reply is "starting up", "shutting down" or "terminated". */
export function isPassing(error: unknown): boolean {
  const passing = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P03'];
  return passing.includes(codeOf(error) ?? '') || (error instanceof Error && /terminated/.test(error.message));
}
