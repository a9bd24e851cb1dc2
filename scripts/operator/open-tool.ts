import { access } from 'node:fs/promises';
import { type Config, ConfigError, readConfig } from '#server/config/config.ts';
import { readEnvFile } from '#server/config/env-file.ts';
import { StartError } from '#server/installation/connect.ts';
import { describeDatabase, describeStore } from '#server/installation/in-force.ts';
import { refuseForeignStore } from '#server/installation/installation.ts';
import { refuseUnfinishedRestore } from '#server/installation/unfinished-restore.ts';
import { refuseUnmigrated } from '#server/migrations/pending.ts';
import { createLog } from '#server/observability/logging.ts';
import { type OpenPlatform, openPlatform } from '#server/open-platform.ts';
import type { Platform } from '#server/platform/platform.ts';

/** Opens the server's database and store for command-line tools (docs/decisions/0036-settings-and-tools.md). */

/** Opens a platform; `onLost` is called if the embedded database stops. */
type Open = (onLost: (error: Error) => void) => Promise<OpenPlatform>;

/** Works on the opened platform, then closes it. */
type UsePlatform = <Result>(work: (platform: Platform) => Promise<Result>) => Promise<Result>;

interface Tool {
  readonly usage?: string;
  readonly open: Open;
  /** Reports an error, including a stopped database; returns the exit code. */
  readonly fail: (error: unknown) => number;
}

/** Runs a tool: `main` gets the arguments without `--env-file`; returns the exit code, or undefined to print the usage. */
export async function runCommand(
  { usage = '', open, fail }: Tool,
  main: (args: string[], use: UsePlatform) => Promise<number | undefined>,
): Promise<void> {
  const use: UsePlatform = async (work) => {
    const { platform, close } = await open((error) => process.exit(fail(error)));
    try {
      return await work(platform);
    } finally {
      await close();
    }
  };
  try {
    const code = await main(readEnvFile(process.argv.slice(2)), use);
    if (code === undefined) process.stderr.write(usage);
    process.exitCode = code ?? 2;
  } catch (error) {
    process.exitCode = fail(error);
  }
}

/** Reports errors as {@link sayFailure} does. */
export function failing(what: string, { code = 1, foreseen = [] }: { code?: number; foreseen?: Foreseen } = {}) {
  return (error: unknown): number => {
    sayFailure(what, error, foreseen);
    return code;
  };
}

/** A tool's needs. */
interface Purpose {
  /** Whether it reads the store. */
  readonly readsStore?: boolean;
  /** Whether it works on an older version's database. */
  readonly mayBeOlder?: boolean;
}

/**
 * Opens the server's platform without creating a database, table, folder or secret. First prints the names of the
 * database and store on standard error. Throws {@link ConfigError} or {@link StartError} without changing anything.
 */
export const openTool =
  (purpose: Purpose = {}): Open =>
  (onLost) =>
    openExisting(purpose, onLost);

async function openExisting(
  { readsStore = false, mayBeOlder = false }: Purpose,
  onLost: (error: Error) => void,
): Promise<OpenPlatform> {
  // In production, the default folder is not the server's.
  if (!hasDevelopmentPackages()) refuseUnnamedPlace('');
  const config = readAnnounced();
  if (readsStore) await refuseMissingFolder(config);
  const opened = await openPlatform(config, createLog('silent'), onLost, {
    isTool: true,
    inspect: async ({ db }) => {
      await refuseUnfinishedRestore(db);
      await refuseUnmigrated(db, mayBeOlder);
    },
  });
  try {
    if (readsStore) await refuseForeignStore(opened.platform);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Opens the named database and store for a restore, creating them if missing. */
export const openForRestore: Open = async (onLost) =>
  openPlatform(readFillingConfig(), createLog('silent'), onLost, { isRestore: true });

/** Opens the named database and store to fill them. */
export const openToFill: Open = async (onLost) => openPlatform(readFillingConfig(), createLog('silent'), onLost);

/** The settings, which must name a place, because otherwise a default one would be created. */
function readFillingConfig(): Config {
  refuseUnnamedPlace(hasDevelopmentPackages() ? ', or DATA_DIR=./data for what npm start makes here' : '');
  return readAnnounced();
}

/** Reads the settings and prints the database and store that they name. */
function readAnnounced(): Config {
  const config = readConfig(process.env);
  process.stderr.write(`Database: ${describeDatabase(config)}. Documents: ${describeStore(config)}.\n`);
  return config;
}

/** Kinds of errors that need no stack trace. */
type Foreseen = readonly (abstract new (...args: never[]) => Error)[];

/** Prints a failure and its cause on standard error; for unforeseen errors also the stack. */
export function sayFailure(what: string, error: unknown, foreseen: Foreseen = []): void {
  process.stderr.write(`${what}: ${error instanceof Error ? error.message : String(error)}\n`);
  const isKnown = [ConfigError, StartError, ...foreseen].some((kind) => error instanceof kind);
  if (!isKnown && error instanceof Error) process.stderr.write(`${error.stack}\n`);
}

function refuseUnnamedPlace(orElse: string): void {
  const { DATABASE_URL = '', DATA_DIR = '' } = process.env;
  if (DATABASE_URL !== '' || DATA_DIR !== '') return;
  throw new ConfigError(
    `neither DATABASE_URL nor DATA_DIR is set: give it the settings of the server, such as --env-file /etc/kasente/kasente.env${orElse}. Nothing was done.`,
  );
}

/** Production's `npm ci --omit=dev` does not install them. */
function hasDevelopmentPackages(): boolean {
  try {
    import.meta.resolve('vitest');
    return true;
  } catch {
    return false;
  }
}

async function refuseMissingFolder(config: Config): Promise<void> {
  if (config.storageUrl !== undefined) return;
  const folder = describeStore(config);
  await access(folder).catch(() => {
    throw new StartError(
      `there is no folder ${folder}: set DATA_DIR, or STORAGE_URL, as the server has it. Nothing was made.`,
    );
  });
}
