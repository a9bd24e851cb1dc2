import { sql } from 'kysely';
import pg from 'pg';
import type { Connection, Database } from '#server/db/database.ts';
import { prepareClientRole } from '#server/db/roles/row-security.ts';
import type { Change } from '#server/db/transaction.ts';
import { StartError } from '#server/installation/connect.ts';
import { refuseUnfinishedRestore } from '#server/installation/unfinished-restore.ts';
import { appVersion } from '#server/machine/version.ts';
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
import * as journal from './0030-journal.ts';
import * as buyerTerms from './0031-buyer-terms.ts';
import * as payoutAccounts from './0032-payout-accounts.ts';
import * as offers from './0033-offers.ts';
import * as payingBack from './0034-paying-back.ts';
import * as journalWrites from './0035-journal-writes.ts';
import * as counterOffers from './0036-counter-offers.ts';
import * as figures from './0037-figures.ts';
import * as extensions from './0038-extensions.ts';
import * as flags from './0039-flags.ts';
import * as insiders from './0040-insiders.ts';
import * as lateCharges from './0041-late-charges.ts';
import * as transfers from './0042-transfers.ts';
import * as statements from './0043-statements.ts';
import * as payNow from './0044-pay-now.ts';
import * as holders from './0045-holders.ts';
import * as payoutBatches from './0046-payout-batches.ts';
import * as providerRecords from './0047-provider-records.ts';
import * as contradictions from './0048-contradictions.ts';
import * as payoutsInParts from './0049-payouts-in-parts.ts';
import * as statementPeriods from './0050-statement-periods.ts';
import * as payoutReferences from './0051-payout-references.ts';
import * as statementAccounts from './0052-statement-accounts.ts';
import * as otherwise from './0053-otherwise.ts';
import * as lapsedPayouts from './0057-lapsed-payouts.ts';
import * as charges from './0058-charges.ts';
import * as messagesAbout from './0059-messages-about.ts';
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
import * as matchedStatements from './0077-matched-statements.ts';
import { isOlder, lockRecord, prepareRecord, type ReleasedMigration, recordApplied, selectApplied } from './record.ts';
import { compareSchemas, describeSchema, expectedSchema, nameParts, type SchemaDifferences } from './schema.ts';

/** Every migration in order; names never change and landed ones are never edited. */
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
  '0030-journal': journal,
  '0031-buyer-terms': buyerTerms,
  '0032-payout-accounts': payoutAccounts,
  '0033-offers': offers,
  '0034-paying-back': payingBack,
  '0035-journal-writes': journalWrites,
  '0036-counter-offers': counterOffers,
  '0037-figures': figures,
  '0038-extensions': extensions,
  '0039-flags': flags,
  '0040-insiders': insiders,
  '0041-late-charges': lateCharges,
  '0042-transfers': transfers,
  '0043-statements': statements,
  '0044-pay-now': payNow,
  '0045-holders': holders,
  '0046-payout-batches': payoutBatches,
  '0047-provider-records': providerRecords,
  '0048-contradictions': contradictions,
  '0049-payouts-in-parts': payoutsInParts,
  '0050-statement-periods': statementPeriods,
  '0051-payout-references': payoutReferences,
  '0052-statement-accounts': statementAccounts,
  '0053-otherwise': otherwise,
  '0057-lapsed-payouts': lapsedPayouts,
  '0058-charges': charges,
  '0059-messages-about': messagesAbout,
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
  '0077-matched-statements': matchedStatements,
};

/** The names of every migration, in order. */
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
 * The newer release's migrations after ours, if this release works on its schema. Throws {@link StartError} if not, and
 * if the migrations that were run do not begin like ours.
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
