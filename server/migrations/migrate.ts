import { sql } from 'kysely';
import pg from 'pg';
import { appVersion } from '#server/config/version.ts';
import { StartError } from '#server/db/connect/connect.ts';
import type { Connection, Database } from '#server/db/database.ts';
import { prepareClientRole } from '#server/db/roles/row-security.ts';
import type { Change } from '#server/db/transaction.ts';
import { refuseUnfinishedRestore } from '#server/installation/unfinished-restore.ts';
import * as reference from './0001-reference.ts';
import * as peopleAndBusinesses from './0002-people-and-businesses.ts';
import * as auditAndIdempotency from './0003-audit-and-idempotency.ts';
import * as invoices from './0004-invoices.ts';
import * as accounts from './0005-accounts.ts';
import * as messages from './0006-messages.ts';
import * as fileSweeping from './0007-file-sweeping.ts';
import * as sorting from './0008-sorting.ts';
import * as decisionDesk from './0009-decision-desk.ts';
import * as auditChain from './0010-audit-chain.ts';
import * as storedFiles from './0011-stored-files.ts';
import * as secondFactor from './0012-second-factor.ts';
import * as rowSecurity from './0013-row-security.ts';
import * as unfinishedUploads from './0014-unfinished-uploads.ts';
import * as invoiceMonths from './0015-invoice-months.ts';
import * as personReferences from './0016-person-references.ts';
import * as onboarding from './0017-onboarding.ts';
import * as surplusOwed from './0018-surplus-owed.ts';
import * as twoOfficers from './0019-two-officers.ts';
import * as officersWhoCheat from './0020-officers-who-cheat.ts';
import * as anchorNumbers from './0021-anchor-numbers.ts';
import * as drawnLetters from './0022-drawn-letters.ts';
import * as heldTexts from './0024-held-texts.ts';
import * as earlierSchemas from './0025-earlier-schemas.ts';
import * as installation from './0026-installation.ts';
import * as messageStates from './0027-message-states.ts';
import * as oneCount from './0028-one-count.ts';
import * as changeInPlace from './0029-change-in-place.ts';
import { isOlder, lockRecord, prepareRecord, type ReleasedMigration, recordApplied, selectApplied } from './record.ts';
import { compareSchemas, describeSchema, expectedSchema, nameParts, type SchemaDifferences } from './schema.ts';

/** Every migration in its order; a name is never changed and a landed one never edited. */
const migrations: Record<string, ReleasedMigration> = {
  '0001-reference': reference,
  '0002-people-and-businesses': peopleAndBusinesses,
  '0003-audit-and-idempotency': auditAndIdempotency,
  '0004-invoices': invoices,
  '0005-accounts': accounts,
  '0006-messages': messages,
  '0007-file-sweeping': fileSweeping,
  '0008-sorting': sorting,
  '0009-decision-desk': decisionDesk,
  '0010-audit-chain': auditChain,
  '0011-stored-files': storedFiles,
  '0012-second-factor': secondFactor,
  '0013-row-security': rowSecurity,
  '0014-unfinished-uploads': unfinishedUploads,
  '0015-invoice-months': invoiceMonths,
  '0016-person-references': personReferences,
  '0017-onboarding': onboarding,
  '0018-surplus-owed': surplusOwed,
  '0019-two-officers': twoOfficers,
  '0020-officers-who-cheat': officersWhoCheat,
  '0021-anchor-numbers': anchorNumbers,
  '0022-drawn-letters': drawnLetters,
  '0024-held-texts': heldTexts,
  '0025-earlier-schemas': earlierSchemas,
  '0026-installation': installation,
  '0027-message-states': messageStates,
  '0028-one-count': oneCount,
  '0029-change-in-place': changeInPlace,
};

/** The names of every migration, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations);

/** For which a migration waits for a table; everybody's requests on that table wait behind it. */
const TABLE_WITHIN_MS = 3_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** What a start may have to tell of a database that it works on. */
export interface Migrated {
  /** Migrations of a newer release, on whose schema this one works, too. */
  readonly newer: readonly string[];
  /** How the schema differs from the one that this release makes; nothing is looked at in a newer one. */
  readonly differences: SchemaDifferences;
}

/**
 * Brings the database forward to this version, under an advisory lock, so that several servers may start at once.
 * Each run is one transaction: it lands whole or not at all. Throws {@link StartError} where a restore has not finished, where
 * a version made the database beside which this one does not work, where somebody holds a table, or where the schema lacks
 * what this one uses.
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

/** Runs what is missing, in one transaction; the migrations of a newer release where it is that one's database. */
async function runMigrations(db: Database): Promise<string[]> {
  try {
    return await db.inTransaction(async (change) => {
      await lockRecord(change);
      const newer = await findNewer(change);
      await sql`set local lock_timeout = ${sql.lit(TABLE_WITHIN_MS)}`.execute(change);
      if (newer.length === 0) await migrateTo(change, undefined);
      return newer;
    });
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE)) throw error;
    throw new StartError(
      `the database could not be brought to this version: somebody works on a table for more than ${TABLE_WITHIN_MS / 1000} s, such as a backup. Nothing was changed. Start again when that is done.`,
    );
  }
}

/**
 * The migrations after ours, which a newer release has run, where it left a schema on which this one works. Throws
 * {@link StartError} where it did not, and where migrations were run that are no beginning of ours.
 */
export async function findNewer(change: Connection): Promise<string[]> {
  const applied = await selectApplied(change);
  if (applied.length === 0) await refuseUnrecorded(change);
  const unknown = applied.slice(0, migrationNames.length).find(({ name }, index) => name !== migrationNames[index]);
  if (unknown !== undefined) throw madeByAnother(`its migration ${unknown.name} is not known here`);
  const newer = applied.slice(migrationNames.length);
  const breaking = newer.find(({ oldestRelease }) => oldestRelease !== null && isOlder(appVersion, oldestRelease));
  if (breaking !== undefined) {
    throw new StartError(
      `the database is of a newer version of Kasente: after its migration ${breaking.name} none before ${breaking.oldestRelease} works, and this is ${appVersion}. Start that one, or restore the backup that was made before it. Nothing was changed.`,
    );
  }
  return newer.map(({ name }) => name);
}

async function refuseUnrecorded(change: Connection): Promise<void> {
  const { rows } = await sql<{ persons: boolean }>`select to_regclass('persons') is not null as persons`.execute(
    change,
  );
  if (rows[0]?.persons === true) throw madeByAnother('it has tables, but no record of migrations');
}

function madeByAnother(why: string): StartError {
  return new StartError(
    `the database was made by another version of Kasente (${why}): start the version that made it, or name an empty database. Nothing was changed.`,
  );
}

/**
 * Brings an older schema forward to that migration, or to the newest, in the caller's transaction. Not with the
 * library's migrator: its lock is the connection's, and stays there when a transaction fails.
 */
export async function migrateTo(connection: Change, name: string | undefined): Promise<void> {
  await prepareRecord(connection);
  const applied = new Set((await selectApplied(connection)).map((done) => done.name));
  for (const [next, migration] of Object.entries(migrations)) {
    if (!applied.has(next)) {
      await migration.up(connection);
      await recordApplied(connection, next, migration);
    }
    if (next === name) break;
  }
}
