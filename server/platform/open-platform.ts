import { join, resolve } from 'node:path';
import { databaseClock } from '#server/platform/clock.ts';
import type { Config } from '#server/platform/config.ts';
import { connectDatabase, StartError } from '#server/platform/connect.ts';
import { makeDataFolder } from '#server/platform/data-folder.ts';
import { databaseTime } from '#server/platform/database.ts';
import { openFileStore } from '#server/platform/files.ts';
import { openFileReaders } from '#server/platform/harmless-files/readers.ts';
import type { Log } from '#server/platform/logging.ts';
import { createPasswords } from '#server/platform/passwords.ts';
import type { Platform } from '#server/platform/platform.ts';
import { createSealer, loadSecret } from '#server/platform/sealer.ts';

const CLOCK_SYNCHRONISED_EVERY_MS = 60_000;

/** A platform and how to let go of it. */
export interface OpenPlatform {
  readonly platform: Platform;
  readonly close: () => Promise<void>;
}

/**
 * Opens what the server and the tools stand on, on the database and in the folders that the settings name. `onLost`
 * hears when the embedded database goes away. Throws {@link StartError}.
 */
export async function openPlatform(config: Config, log: Log, onLost: (error: Error) => void): Promise<OpenPlatform> {
  const dataDir = resolve(config.dataDir);
  const sealer = createSealer(await readableSecret(config, dataDir), config.previousSecretKey);
  const database = await connectDatabase(config, log, onLost);
  const { db, pool } = database;
  const clock = await databaseClock(() => databaseTime(db));
  const timer = setInterval(() => {
    clock
      .synchronise()
      .catch((error: unknown) => log.warn({ err: error }, 'the clock could not be compared with the database'));
  }, CLOCK_SYNCHRONISED_EVERY_MS);
  const files = await openFileStore(config.storageUrl, join(dataDir, 'documents'));
  const readers = openFileReaders(files, log);
  return {
    platform: { config, db, pool, clock, files, readers, passwords: await createPasswords(), sealer, log },
    close: async () => {
      clearInterval(timer);
      readers.close();
      await database.close();
    },
  };
}

async function readableSecret(config: Config, dataDir: string): Promise<string> {
  try {
    await makeDataFolder(dataDir);
    return await loadSecret(config.secretKey, dataDir);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `the data folder ${dataDir} cannot be written to (${reason}). Give this user the right to, or name another with DATA_DIR.`,
    );
  }
}
