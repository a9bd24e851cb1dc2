import { access } from 'node:fs/promises';
import { type Config, ConfigError, readConfig } from '#server/config/config.ts';
import { describeDatabase, describeStore } from '#server/config/in-force.ts';
import { StartError } from '#server/db/connect/connect.ts';
import { refuseForeignStore } from '#server/installation/installation.ts';
import { refuseUnfinishedRestore } from '#server/installation/unfinished-restore.ts';
import { refuseUnmigrated } from '#server/migrations/pending.ts';
import { createLog } from '#server/observability/logging.ts';
import { type OpenPlatform, openPlatform } from '#server/open-platform.ts';

/** How the tools of the command line reach the server's own database and store (docs/decisions/0036-settings-and-tools.md). */

/** A tool's work with them. */
interface Purpose {
  /** Whether it looks into the store. */
  readonly readsStore?: boolean;
  /** Whether it may work on what an older version's server has left. */
  readonly mayBeOlder?: boolean;
}

/**
 * Opens the server's platform for a tool and creates nothing: no database, no table, no folder, no secret. Says first, on
 * standard error, which database and store it works on. Throws {@link ConfigError} or {@link StartError}, with nothing changed;
 * `onLost` hears when the embedded database goes away.
 */
export async function openTool(
  { readsStore = false, mayBeOlder = false }: Purpose,
  onLost: (error: Error) => void,
): Promise<OpenPlatform> {
  // In production the server's settings are elsewhere than in a checkout, and the default folder is nobody's.
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

/** The same for a restore, which makes what is missing in the place that is named. */
export async function openForRestore(onLost: (error: Error) => void): Promise<OpenPlatform> {
  return openPlatform(readFillingConfig(), createLog('silent'), onLost, { isRestore: true });
}

/** The settings of a tool that fills a database: the place must be named, because a default one would be created. */
export function readFillingConfig(): Config {
  refuseUnnamedPlace(hasDevelopmentPackages() ? ', or DATA_DIR=./data for what npm start makes here' : '');
  return readAnnounced();
}

/** The settings, and the line that says where they lead. */
function readAnnounced(): Config {
  const config = readConfig(process.env);
  process.stderr.write(`Database: ${describeDatabase(config)}. Documents: ${describeStore(config)}.\n`);
  return config;
}

/**
 * Says on standard error what failed and why, in a sentence. For an unforeseen error (not of settings, of a start, or of
 * these kinds) also where it came from.
 */
export function sayFailure(
  what: string,
  error: unknown,
  foreseen: readonly (abstract new (...given: never[]) => Error)[] = [],
): void {
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

/** `npm ci --omit=dev`, as for production, leaves them out. */
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
