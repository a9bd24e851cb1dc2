import { resolve } from 'node:path';
import { sql } from 'kysely';
import type { Config } from '#server/platform/config.ts';
import { type OpenDatabase, openDatabase } from '#server/platform/database.ts';
import { describeHosts } from '#server/platform/database-hosts.ts';
import { EmbeddedPostgresError, startEmbeddedPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts';
import type { Log } from '#server/platform/logging.ts';
import type { AwayReport } from '#server/platform/patient-pool.ts';

/** What keeps the server or a tool from starting: a sentence that says what to do about it. */
export class StartError extends Error {}

/** `server_version_num` of PostgreSQL 15. */
const OLDEST_VERSION = 150_000;

/**
 * Connects to the PostgreSQL that `DATABASE_URL` names, or starts (or joins) the embedded one in the data folder.
 * `onLost` hears when the embedded one goes away for good. Throws {@link StartError}; nothing stays open then.
 */
export async function connectDatabase(config: Config, log: Log, onLost: (error: Error) => void): Promise<OpenDatabase> {
  const opened =
    config.databaseUrl === undefined ? await openEmbedded(config, log, onLost) : openRemote(config.databaseUrl, log);
  try {
    await refuseOldVersion(opened);
    return opened;
  } catch (error) {
    await opened.close();
    if (error instanceof StartError || config.databaseUrl === undefined) throw error;
    throw unreachable(config.databaseUrl, error);
  }
}

async function openEmbedded(config: Config, log: Log, onLost: (error: Error) => void): Promise<OpenDatabase> {
  try {
    const postgres = await startEmbeddedPostgres({
      dataDir: resolve(config.dataDir),
      log: (line) => log.warn(line),
      onExit: onLost,
    });
    const opened = openDatabase(postgres.connection, reportTo(log));
    return {
      ...opened,
      close: async () => {
        await opened.close();
        await postgres.stop();
      },
    };
  } catch (error) {
    throw error instanceof EmbeddedPostgresError ? new StartError(error.message) : error;
  }
}

function openRemote(connectionString: string, log: Log): OpenDatabase {
  return openDatabase({ connectionString }, reportTo(log), awayReport(log));
}

function awayReport(log: Log): AwayReport {
  return {
    away: (reason) => log.error({ reason }, 'the database is away'),
    back: (seconds) => log.warn({ seconds }, 'the database is back'),
  };
}

/** The message alone: the driver's error carries the whole connection, secrets included. */
function reportTo(log: Log): (error: Error) => void {
  return ({ message }) => log.warn({ reason: message }, 'a database connection broke');
}

async function refuseOldVersion({ db }: OpenDatabase): Promise<void> {
  const { rows } = await sql<{ version: number }>`select current_setting('server_version_num')::int as version`.execute(
    db,
  );
  const version = rows[0]?.version ?? 0;
  if (version < OLDEST_VERSION) {
    throw new StartError(`DATABASE_URL names a PostgreSQL ${Math.floor(version / 10_000)}; Kasente needs 15 or later.`);
  }
}

/** Says where it looked, never the user or the password. */
function unreachable(databaseUrl: string, error: unknown): StartError {
  const reason = error instanceof Error ? error.message || String(Reflect.get(error, 'code')) : String(error);
  return new StartError(
    `the database ${describeHosts(databaseUrl)} cannot be used (${reason}). Check that it runs and that DATABASE_URL is right.`,
  );
}
