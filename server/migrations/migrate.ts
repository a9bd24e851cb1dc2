import { sql } from 'kysely';
import pg from 'pg';
import type { Connection, Database } from '#server/db/database.ts';
import { prepareClientRole } from '#server/db/roles/row-security.ts';
import type { Change } from '#server/db/transaction.ts';
import { StartError } from '#server/installation/connect.ts';
import { refuseUnfinishedRestore } from '#server/installation/unfinished-restore.ts';
import { appVersion } from '#server/machine/version.ts';
import * as baseline from './0059-baseline.ts';
import * as withoutCopies from './0060-without-copies.ts';
import * as proposals from './0061-proposals.ts';
import * as referenceKeys from './0063-reference-keys.ts';
import * as possibleRepeats from './0064-possible-repeats.ts';
import * as rounding from './0065-rounding.ts';
import * as removedFromDocuments from './0067-removed-from-documents.ts';
import * as searchByWords from './0070-search-by-words.ts';
import * as refusedSends from './0073-refused-sends.ts';
import * as confirmedReferences from './0074-confirmed-references.ts';
import * as withdrawnStatements from './0075-withdrawn-statements.ts';
import * as buyersApplications from './0076-buyers-applications.ts';
import * as matchedStatements from './0077-matched-statements.ts';
import * as accountsWithoutWait from './0078-accounts-without-wait.ts';
import * as statedWallets from './0079-stated-wallets.ts';
import * as taxNumbers from './0080-tax-numbers.ts';
import * as holidays from './0081-holidays.ts';
import {
  type AppliedMigration,
  BASELINE,
  isOlder,
  lockRecord,
  prepareRecord,
  type ReleasedMigration,
  recordApplied,
  selectApplied,
} from './record.ts';
import { compareSchemas, describeSchema, expectedSchema, nameParts, type SchemaDifferences } from './schema.ts';

/** The baseline and every migration since, in order; names never change and landed ones are never edited. */
const migrations: Record<string, ReleasedMigration> = {
  [BASELINE]: baseline,
  '0060-without-copies': withoutCopies,
  '0061-proposals': proposals,
  '0063-reference-keys': referenceKeys,
  '0064-possible-repeats': possibleRepeats,
  '0065-rounding': rounding,
  '0067-removed-from-documents': removedFromDocuments,
  '0070-search-by-words': searchByWords,
  '0073-refused-sends': refusedSends,
  '0074-confirmed-references': confirmedReferences,
  '0075-withdrawn-statements': withdrawnStatements,
  '0076-buyers-applications': buyersApplications,
  '0077-matched-statements': matchedStatements,
  '0078-accounts-without-wait': accountsWithoutWait,
  '0079-stated-wallets': statedWallets,
  '0080-tax-numbers': taxNumbers,
  '0081-holidays': holidays,
};

/** The names of the baseline and every migration since, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations);

/** How long a migration tries to lock its tables. */
const TABLES_WITHIN_MS = 3_000;
/**
 * How long it waits for one table, while requests wait behind it: less than PostgreSQL's deadlock_timeout (1 s), so that
 * the migration retries and no request fails.
 */
const TABLE_WITHIN_MS = 200;
const LOCK_NOT_AVAILABLE = '55P03';

/** What a start reports about its database. */
export interface Migrated {
  /** Migrations of a newer release on whose schema this one works. */
  readonly newer: readonly string[];
  /** The schema's differences from this release's; not checked for a newer one. */
  readonly differences: SchemaDifferences;
}

/**
 * Migrates the database to this version, under an advisory lock, so that several servers may start at once. Each run is
 * one transaction. Throws {@link StartError} during an unfinished restore, for a database of an incompatible version,
 * if a table stays locked, or if the schema lacks something that this version uses.
 */
export async function migrate(db: Database): Promise<Migrated> {
  await refuseUnfinishedRestore(db);
  const newer = await runMigrations(db);
  await prepareClientRole(db);
  const differences =
    newer.length === 0
      ? compareSchemas(expectedSchema, await describeSchema(db))
      : { missing: [], altered: [], added: [] };
  if (differences.missing.length > 0) {
    throw new StartError(
      `the database lacks what this version uses (${nameParts(differences.missing)}): somebody changed it by hand. Put that back as docs/upgrading.md says, or restore a backup.`,
    );
  }
  return { newer, differences };
}

/** Runs the missing migrations in one transaction; none in a newer release's database. */
async function runMigrations(db: Database): Promise<string[]> {
  const deadline = performance.now() + TABLES_WITHIN_MS;
  for (;;) {
    try {
      return await db.inTransaction(runMissing);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE)) throw error;
      if (performance.now() > deadline) break;
    }
  }
  throw new StartError(
    `the database could not be brought to this version: somebody works on a table for more than ${TABLES_WITHIN_MS / 1000} s, such as a backup. Nothing was changed. Start again when that is done.`,
  );
}

async function runMissing(change: Change): Promise<string[]> {
  await lockRecord(change);
  const newer = await findNewer(change);
  const missing = migrationNames.length - (await selectApplied(change)).length;
  if (newer.length > 0 || missing === 0) return newer;
  await lockTables(change);
  await migrateTo(change, undefined);
  return newer;
}

/**
 * Every request reads its session first: while that table is locked none begins, and running ones end. Otherwise a
 * request and a migration, each with a table that the other one wants, would deadlock.
 */
async function lockTables(change: Change): Promise<void> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace
    order by relname <> 'sessions', relname`.execute(change);
  await sql`set local lock_timeout = ${sql.lit(TABLE_WITHIN_MS)}`.execute(change);
  for (const { name } of rows) await sql`lock table ${sql.table(name)} in access exclusive mode`.execute(change);
}

/**
 * The newer release's migrations after ours, if this release works on its schema. Throws {@link StartError} if not, if
 * the migrations that were run do not begin like ours, and for a database of before 1.1.0.
 */
export async function findNewer(change: Connection): Promise<string[]> {
  const applied = await selectApplied(change);
  await refuseOlder(change, applied);
  const unknown = applied.slice(0, migrationNames.length).find(({ name }, index) => name !== migrationNames[index]);
  if (unknown !== undefined) {
    throw new StartError(
      `the database was made by another version of Kasente (its migration ${unknown.name} is not known here): start the version that made it, or name an empty database. Nothing was changed.`,
    );
  }
  const newer = applied.slice(migrationNames.length);
  const breaking = newer.find(({ oldestRelease }) => oldestRelease !== null && isOlder(appVersion, oldestRelease));
  if (breaking !== undefined) {
    throw new StartError(
      `the database is of a newer version of Kasente: after its migration ${breaking.name} none before ${breaking.oldestRelease} works, and this is ${appVersion}. Start that one, or restore the backup that was made before it. Nothing was changed.`,
    );
  }
  return newer.map(({ name }) => name);
}

/**
 * Throws {@link StartError} for a database of a release before 1.1.0, whose migrations this release no longer has, and
 * for tables that no release recorded.
 */
export async function refuseOlder(connection: Connection, applied: readonly AppliedMigration[]): Promise<void> {
  if (applied[0]?.name === BASELINE) return;
  const { rows } = await sql<{ persons: boolean }>`select to_regclass('persons') is not null as persons`.execute(
    connection,
  );
  if (rows[0]?.persons !== true) return;
  throw new StartError(
    'the database was made by a release before 1.1.0, or by none: start 1.1.0 on it once, then this release (docs/upgrading.md), or name an empty database. Nothing was changed.',
  );
}

/**
 * Migrates an older schema to that migration, or to the newest, in the caller's transaction. Without the library's
 * migrator, whose lock belongs to the connection and stays when a transaction fails.
 */
export async function migrateTo(connection: Change, name: string | undefined): Promise<void> {
  await prepareRecord(connection);
  const applied = new Set((await selectApplied(connection)).map((done) => done.name));
  for (const [next, migration] of Object.entries(migrations)) {
    if (!applied.has(next)) {
      await migration.up(connection);
      // Checks now what a migration moved: PostgreSQL alters no table with pending checks.
      await sql`set constraints all immediate`.execute(connection);
      await sql`set constraints all deferred`.execute(connection);
      await recordApplied(connection, next, migration);
    }
    if (next === name) break;
  }
}
