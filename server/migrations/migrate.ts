import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import * as reference from '#server/migrations/0001-reference.ts';
import * as peopleAndBusinesses from '#server/migrations/0002-people-and-businesses.ts';
import * as auditAndIdempotency from '#server/migrations/0003-audit-and-idempotency.ts';
import * as invoices from '#server/migrations/0004-invoices.ts';
import * as accounts from '#server/migrations/0005-accounts.ts';
import * as messages from '#server/migrations/0006-messages.ts';
import * as fileSweeping from '#server/migrations/0007-file-sweeping.ts';
import * as sorting from '#server/migrations/0008-sorting.ts';
import * as decisionDesk from '#server/migrations/0009-decision-desk.ts';
import * as auditChain from '#server/migrations/0010-audit-chain.ts';
import * as storedFiles from '#server/migrations/0011-stored-files.ts';
import * as secondFactor from '#server/migrations/0012-second-factor.ts';
import * as rowSecurity from '#server/migrations/0013-row-security.ts';
import * as unfinishedUploads from '#server/migrations/0014-unfinished-uploads.ts';
import * as invoiceMonths from '#server/migrations/0015-invoice-months.ts';
import * as personReferences from '#server/migrations/0016-person-references.ts';
import * as onboarding from '#server/migrations/0017-onboarding.ts';
import * as surplusOwed from '#server/migrations/0018-surplus-owed.ts';
import * as twoOfficers from '#server/migrations/0019-two-officers.ts';
import * as officersWhoCheat from '#server/migrations/0020-officers-who-cheat.ts';
import * as anchorNumbers from '#server/migrations/0021-anchor-numbers.ts';
import * as drawnLetters from '#server/migrations/0022-drawn-letters.ts';
import * as heldTexts from '#server/migrations/0024-held-texts.ts';
import * as earlierSchemas from '#server/migrations/0025-earlier-schemas.ts';
import { StartError } from '#server/platform/connect.ts';
import type { Connection, Database } from '#server/platform/database.ts';
import { prepareClientRole } from '#server/platform/row-security.ts';
import { refuseUnfinishedRestore } from '#server/platform/unfinished-restore.ts';

/** Every migration in its order; a name is never changed and a landed one never edited. */
const migrations: Record<string, Migration> = {
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
};

/** The names of every migration, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations);

/**
 * Brings the database forward to this version, under an advisory lock, so that several servers may start at once.
 * Each run is one transaction: it lands whole or not at all. Throws {@link StartError} where a restore has not finished, or
 * where another version made the database.
 */
export async function migrate(db: Database): Promise<void> {
  await refuseUnfinishedRestore(db);
  await refuseUnknownVersion(db);
  await migrateTo(db, undefined);
  await prepareClientRole(db);
}

/** A database whose migrations are not a beginning of ours was made by a version that this one cannot bring forward. */
async function refuseUnknownVersion(db: Database): Promise<void> {
  const { rows: tables } = await sql<{ migrations: boolean; persons: boolean }>`select
    to_regclass('kysely_migration') is not null as migrations, to_regclass('persons') is not null as persons`.execute(
    db,
  );
  const hasRecord = tables[0]?.migrations === true;
  const { rows: done } = hasRecord
    ? await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
    : { rows: [] };
  const unknown = done.find(({ name }, index) => name !== migrationNames[index])?.name;
  if (unknown === undefined && (done.length > 0 || tables[0]?.persons !== true)) return;
  const why =
    unknown === undefined ? 'it has tables, but no record of migrations' : `its migration ${unknown} is not known here`;
  throw new StartError(
    `the database was made by another version of Kasente (${why}): start the version that made it, or name an empty database. Nothing was changed.`,
  );
}

/** Brings an older schema forward to that migration, or to the newest; in the caller's transaction, if it is one. */
export async function migrateTo(connection: Connection, name: string | undefined): Promise<void> {
  const migrator = new Migrator({ db: connection, provider: { getMigrations: async () => migrations } });
  const { error } = name === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(name);
  if (error !== undefined) throw error;
}
