import { createHash } from 'node:crypto';
import { chmod, chown, lchown, lstat, readdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createWhole } from '#server/machine/atomic-folder.ts';
import { makeDataFolder } from '#server/machine/data-folder.ts';
import { unlessCode } from '#server/machine/error-codes.ts';
import { type Account, accountFor, claimOpenFolder, nameOf, passes } from './account.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError } from './error.ts';
import { SUPERUSER } from './holder.ts';
import { runGuarded } from './process.ts';

/** The folder of a cluster, existing or not, and its user. */
export interface ClusterPlace {
  readonly folder: string;
  readonly account: Account | undefined;
  readonly exists: boolean;
  /** The file in the data folder that points to a cluster elsewhere. */
  readonly pointer: string | undefined;
}

/** The common part of all messages about a damaged folder. */
export const HOW_TO_RESTORE =
  'move that folder away, then put the last backup back with npm run restore -- <the backup’s folder> --beside-documents, or set DATA_DIR to an empty folder to begin with an empty database';

const POINTER = 'postgres-location.txt';
/** PostgreSQL cannot start without all of these. */
const ESSENTIAL = ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal', 'pg_xact'] as const;

/**
 * Finds the cluster of a data folder: `postgres` inside it. If we are root and PostgreSQL's user can't enter the data
 * folder, it is instead a folder inside one of `openFolders`, always the same for a data folder. An existing cluster is
 * never ignored in favour of an empty one.
 */
export async function placeCluster(dataDir: string, openFolders: readonly string[]): Promise<ClusterPlace> {
  const parent = await realDataFolder(dataDir);
  const pointer = join(parent, POINTER);
  const [home, pointedTo] = await Promise.all([existing(join(parent, 'postgres')), readPointer(pointer)]);
  if (pointedTo !== undefined) return await pointedPlace(parent, pointer, pointedTo, home);
  if (home !== undefined) return await existingPlace(home, undefined);
  const account = await accountFor(undefined);
  const outside = account === undefined ? undefined : await findOutside(parent, openFolders);
  if (outside !== undefined) return await existingPlace(outside, pointer); // the pointer was lost, but not the data
  if (account === undefined || (await passes(account, '-x', parent))) {
    return { folder: join(parent, 'postgres'), account, exists: false, pointer: undefined };
  }
  return await placeOutside(parent, pointer, openFolders, account);
}

/** Creates the cluster atomically: an interrupted initdb leaves nothing that looks like a database. */
export async function createCluster(place: ClusterPlace, { initdb }: Binaries): Promise<void> {
  // Older macOS has no C.UTF-8; there PostgreSQL's built-in locale still decides sort order and letters.
  const locale = process.platform === 'darwin' ? ['--locale=C', '--builtin-locale=C.UTF-8'] : ['--locale=C.UTF-8'];
  await createWhole(place.folder, async (folder) => {
    if (place.account !== undefined) await chown(folder, place.account.uid, place.account.gid);
    const flags = ['-U', SUPERUSER, '--auth=trust', '-E', 'UTF8', '--locale-provider=builtin', ...locale];
    const complaint = await runGuarded([initdb, '-D', folder, ...flags, '--no-instructions'], place.account);
    if (complaint !== undefined) {
      throw new EmbeddedPostgresError(`PostgreSQL could not create a database in ${place.folder}: ${complaint}.`);
    }
  });
}

/**
 * Throws {@link EmbeddedPostgresError} unless the folder contains what a cluster of this version needs to start. If its
 * files belong to root, as after a restore by root, they are given to the account.
 */
export async function checkCluster({ folder, account }: ClusterPlace, version: string): Promise<void> {
  const owner = await stat(folder);
  if (!owner.isDirectory()) throw damaged(folder, 'it is not a folder');
  for (const name of ESSENTIAL) {
    const found = await stat(join(folder, name)).catch(unlessCode('ENOENT', 'ENOTDIR'));
    if (found === undefined) throw damaged(folder, `${name} is missing`);
    if (found.size === 0 && found.isFile()) throw damaged(folder, `${name} is empty`);
  }
  const made = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim();
  const [major] = version.split('.');
  if (!/^\d{1,3}$/.test(made)) throw damaged(folder, 'PG_VERSION holds no version');
  if (made !== major) {
    throw new EmbeddedPostgresError(
      `The database in ${folder} was made by PostgreSQL ${made} and this Kasente brings PostgreSQL ${major}: start it with the Kasente that made it, or set DATA_DIR to an empty folder to begin with an empty database; nothing in it was changed.`,
    );
  }
  if (account !== undefined && owner.uid === 0) await giveTo(account, folder);
}

/** Records where this data folder's cluster is, for the next start and for people. */
export async function rememberPlace({ folder, pointer }: ClusterPlace): Promise<void> {
  if (pointer === undefined || (await readPointer(pointer)) === folder) return;
  const text = `${folder}\n\nKasente's database is there: the user that PostgreSQL runs under may not enter this folder.\n`;
  await writeFile(`${pointer}.new`, text, { flush: true });
  await rename(`${pointer}.new`, pointer);
}

async function realDataFolder(dataDir: string): Promise<string> {
  const folder = resolve(dataDir);
  await makeDataFolder(folder);
  return await realpath(folder);
}

/** The folder that a path resolves to, or undefined. */
async function existing(path: string): Promise<string | undefined> {
  if ((await lstat(path).catch(unlessCode('ENOENT'))) === undefined) return undefined;
  const folder = await realpath(path).catch(unlessCode('ENOENT'));
  if (folder === undefined) throw damaged(path, 'it is a link that leads nowhere');
  return folder;
}

async function readPointer(pointer: string): Promise<string | undefined> {
  const text = await readFile(pointer, 'utf8').catch(unlessCode('ENOENT'));
  return text?.split('\n', 1)[0];
}

async function pointedPlace(
  parent: string,
  pointer: string,
  pointedTo: string,
  home: string | undefined,
): Promise<ClusterPlace> {
  if (home !== undefined) {
    throw new EmbeddedPostgresError(
      `There are two databases: ${home}, and ${pointedTo}, which ${pointer} names: remove that file to use the first, or move the first away to use the second.`,
    );
  }
  const folder = pointedTo.startsWith('/') ? await existing(pointedTo) : undefined;
  if (folder !== undefined) return await existingPlace(folder, pointer);
  throw new EmbeddedPostgresError(
    `The database of ${parent} is in ${pointedTo}, as ${pointer} says, but nothing is there: put that folder back from a backup, or remove the file, then put the last backup back with npm run restore -- <the backup’s folder> --beside-documents, or set DATA_DIR to an empty folder to begin with an empty database.`,
  );
}

async function existingPlace(folder: string, pointer: string | undefined): Promise<ClusterPlace> {
  const { uid } = await stat(folder);
  const self = process.getuid?.();
  if (self !== 0 && uid !== self) {
    throw new EmbeddedPostgresError(
      `The database in ${folder} belongs to the user ${await nameOf(uid)}: start Kasente as that user or as root, or set DATA_DIR to another folder.`,
    );
  }
  const account = await accountFor(folder);
  if (account !== undefined && !(await passes(account, '-x', dirname(folder)))) {
    throw new EmbeddedPostgresError(
      `The database in ${folder} cannot be opened, because a folder above it is closed to the user ${account.name}, which PostgreSQL runs under: open the way again with chmod o+x.`,
    );
  }
  return { folder, account, exists: true, pointer };
}

async function findOutside(parent: string, openFolders: readonly string[]): Promise<string | undefined> {
  for (const openFolder of openFolders) {
    const { uid } = (await lstat(openFolder).catch(unlessCode('ENOENT', 'ENOTDIR', 'EACCES'))) ?? {};
    if (uid !== process.getuid?.()) continue; // missing, or somebody else's
    const folder = await existing(join(openFolder, nameFor(parent), 'postgres'));
    if (folder !== undefined) return folder;
  }
  return undefined;
}

async function placeOutside(
  parent: string,
  pointer: string,
  openFolders: readonly string[],
  account: Account,
): Promise<ClusterPlace> {
  for (const openFolder of openFolders) {
    const own = join(openFolder, nameFor(parent));
    if ((await claimOpenFolder(openFolder)) && (await claimOpenFolder(own)) && (await passes(account, '-x', own))) {
      return { folder: join(own, 'postgres'), account, exists: false, pointer };
    }
  }
  throw new EmbeddedPostgresError(
    `The data folder ${parent} is closed to the user ${account.name}, which PostgreSQL runs under, and so are ${openFolders.join(' and ')}: set DATA_DIR to a folder that other users may enter, or start Kasente as an ordinary user.`,
  );
}

/** Readable, and always the same for a data folder: `root-kasente-data-1f0c9a52b7e4`. */
function nameFor(dataDir: string): string {
  const readable = dataDir
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(-60);
  return `${readable}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
}

async function giveTo({ uid, gid }: Account, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    // A missing file was PostgreSQL's own: another server has given the files away and started it.
    await lchown(join(entry.parentPath, entry.name), uid, gid).catch(unlessCode('ENOENT'));
  }
  await chmod(folder, 0o700);
  await chown(folder, uid, gid); // last: if interrupted, the next start repeats it
}

function damaged(folder: string, what: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database in ${folder} is damaged (${what}): ${HOW_TO_RESTORE}; nothing in it was changed.`,
  );
}
