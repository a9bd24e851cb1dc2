import { resolve } from 'node:path';
import { sql } from 'kysely';
import { MINUTE_MS } from '#contract/time/durations.ts';
import type { Config } from '#server/config/config.ts';
import { type Database, databaseTime, type OpenDatabase } from '#server/db/database.ts';
import { openFileStore } from '#server/files/files.ts';
import { openFileReaders } from '#server/files/sanitizing/readers.ts';
import { connectDatabase, type Opening, StartError } from '#server/installation/connect.ts';
import { refuseAnotherSecret } from '#server/installation/installation.ts';
import { Jobs } from '#server/jobs/jobs.ts';
import { databaseClock } from '#server/machine/clock.ts';
import { documentsFolder, makeDataFolder } from '#server/machine/data-folder.ts';
import type { Log } from '#server/observability/logging.ts';
import { openLetters } from '#server/pdf/letters.ts';
import type { Platform } from '#server/platform/platform.ts';
import { openRails } from '#server/rails/open-rails.ts';
import { createPasswords } from '#server/secrets/passwords.ts';
import { createSealer, type Sealer } from '#server/secrets/sealer.ts';
import { makeSecret, readSecret, SecretError, secretPath } from '#server/secrets/secret-file.ts';

const CLOCK_SYNCHRONISED_EVERY_MS = MINUTE_MS;

/** A platform, and a function that closes it. */
export interface OpenPlatform {
  readonly platform: Platform;
  readonly close: () => Promise<void>;
}

/**
 * Opens the platform for a server or a tool, on the configured database and folders. `onLost` is called when the
 * embedded database goes away. Tools work as the owner of the tables; a server runs `prepare` as the owner, and then
 * works as its own role (db/roles/server-role.ts). Throws {@link StartError}.
 */
export async function openPlatform(
  config: Config,
  log: Log,
  onLost: (error: Error) => void,
  opening: Opening = {},
): Promise<OpenPlatform> {
  const dataDir = resolve(config.dataDir);
  const { isTool = false } = opening;
  const known = await inDataFolder(dataDir, async () => {
    if (!isTool) await makeDataFolder(dataDir);
    return config.secretKey ?? (await readSecret(dataDir));
  });
  const sealerOf = (secret: string): Sealer => createSealer(secret, config.previousSecretKey);
  const database = await connectDatabase(config, log, onLost, {
    ...opening,
    inspect: async (owner) => {
      if (known !== undefined && opening.isRestore !== true)
        await refuseAnotherSecret(owner.db, sealerOf(known), config.secretKeyLost);
      await opening.inspect?.(owner);
    },
  });
  try {
    const secret = known ?? (isTool ? noSecret(dataDir) : await firstSecret(dataDir, database.db));
    return await standOn(config, log, sealerOf(secret), database, isTool);
  } catch (error) {
    await database.close();
    throw error;
  }
}

function noSecret(dataDir: string): never {
  throw new StartError(
    `there is no secret: set SECRET_KEY to the server's value, or restore ${secretPath(dataDir)}. Nothing was created.`,
  );
}

async function standOn(
  config: Config,
  log: Log,
  sealer: Sealer,
  database: OpenDatabase,
  isTool: boolean,
): Promise<OpenPlatform> {
  const { db, pool } = database;
  const clock = await databaseClock(() => databaseTime(db));
  const timer = setInterval(() => {
    clock
      .synchronise()
      .catch((error: unknown) => log.warn({ err: error }, 'the clock could not be compared with the database'));
  }, CLOCK_SYNCHRONISED_EVERY_MS);
  const files = await openFileStore(config.storageUrl, documentsFolder(config.dataDir), { isReadOnly: isTool });
  const readers = openFileReaders(files, log);
  const letters = openLetters(log);
  return {
    platform: {
      config,
      db,
      pool,
      clock,
      files,
      readers,
      letters,
      passwords: await createPasswords(),
      sealer,
      log,
      jobs: new Jobs(pool),
      rails: openRails(config, clock),
    },
    close: async () => {
      clearInterval(timer);
      readers.close();
      await letters.close();
      await database.close();
    },
  };
}

/** The secret for a new installation. Throws for a database that has data, because its secret is missing here. */
async function firstSecret(dataDir: string, db: Database): Promise<string> {
  return inDataFolder(dataDir, async () => {
    if (!(await hasData(db))) return makeSecret(dataDir);
    // A server that starts at the same time may have created it.
    const made = await readSecret(dataDir);
    if (made !== undefined) return made;
    throw new SecretError(
      `the database has data, but its secret is missing: ${secretPath(dataDir)}. Restore that file, or set SECRET_KEY to what it held. If it is lost for good, set SECRET_KEY to a new value and start again: the server then says what else to do. Nothing was changed.`,
    );
  });
}

async function hasData(db: Database): Promise<boolean> {
  const { rows: tables } = await sql<{ there: boolean }>`select to_regclass('persons') is not null as there`.execute(
    db,
  );
  if (tables[0]?.there !== true) return false;
  return (await db.selectFrom('persons').select('id').limit(1).executeTakeFirst()) !== undefined;
}

async function inDataFolder<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof SecretError) throw new StartError(reason);
    throw new StartError(
      `the data folder ${dataDir} cannot be written to (${reason}). Give this user the right to, or name another with DATA_DIR.`,
    );
  }
}
