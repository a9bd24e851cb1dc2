import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { codeOf } from '#server/machine/error-codes.ts';
import { EmbeddedPostgresError } from './error.ts';

const run = promisify(execFile);

/** The user that runs PostgreSQL if Kasente is root, because PostgreSQL refuses to run as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

/**
 * The account for a cluster: undefined (our own) unless we are root. As root, the owner of an existing cluster, else
 * `postgres`, else `nobody`.
 */
export async function accountFor(existingCluster: string | undefined): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = existingCluster === undefined ? undefined : await stat(existingCluster);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, name: await nameOf(owner.uid) };
  for (const name of ['postgres', 'nobody']) {
    const account = await accountNamed(name);
    if (account !== undefined) return account;
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and this machine has neither a user postgres nor a user nobody to run it under: start Kasente as an ordinary user, or set DATABASE_URL.',
  );
}

/** `spawn` options that run a process under the account. Signed, because macOS gives `nobody` a negative id. */
export function spawnAs(account: Account | undefined): { uid?: number; gid?: number } {
  return account === undefined ? {} : { uid: account.uid | 0, gid: account.gid | 0 };
}

/**
 * Whether a shell test on a path succeeds under the account (`-x` on a folder: may it enter?). We run it as that user,
 * so that the modes, ACLs and mount options of parent folders count.
 */
export async function passes(account: Account | undefined, test: '-x' | '-r', path: string): Promise<boolean> {
  return await succeeds(account, '/bin/sh', ['-c', `test ${test} "$1"`, 'sh', path]);
}

/**
 * Whether the command exits with 0 under the account. Throws {@link EmbeddedPostgresError} if we can't become that
 * user.
 */
export async function succeeds(
  account: Account | undefined,
  command: string,
  args: readonly string[],
): Promise<boolean> {
  try {
    await run(command, args, { ...spawnAs(account), cwd: '/', env: {} });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EPERM') {
      throw new EmbeddedPostgresError(
        `Kasente runs as root but may not start PostgreSQL under the user ${account?.name}: start Kasente as an ordinary user, or set DATABASE_URL.`,
      );
    }
    return false;
  }
}

/** A user of this machine; undefined if unknown. */
export async function accountNamed(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout), name };
  } catch {
    return undefined; // no such user here
  }
}

/** A user's name for messages, or `uid 1000` if unknown, as in a container or after the user was removed. */
export async function nameOf(uid: number): Promise<string> {
  try {
    return (await run('id', ['-un', String(uid)])).stdout.trim();
  } catch {
    return `uid ${uid}`;
  }
}

/**
 * Creates a folder that others may enter but not list. Returns false if that fails, or if somebody else created it
 * first, because its content can't be trusted then.
 */
export async function claimOpenFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true });
    const found = await lstat(folder);
    if (!found.isDirectory() || found.uid !== process.getuid?.()) return false;
    await chmod(folder, 0o711);
    return true;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false; // a read-only or foreign location: the caller tries others
  }
}
