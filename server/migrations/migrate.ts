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
};

/** The names of every migration, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations);

/**
 * Brings the database forward to this version, under an advisory lock, so that several servers may start at once.
 * Each run is one transaction: it lands whole or not at all. Throws where a restore has not finished.
 */
export async function migrate(db: Database): Promise<void> {
  await refuseUnfinishedRestore(db);
  await migrateTo(db, undefined);
  await prepareClientRole(db);
}

/** Brings an older schema forward to that migration, or to the newest; in the caller's transaction, if it is one. */
export async function migrateTo(connection: Connection, name: string | undefined): Promise<void> {
  const migrator = new Migrator({ db: connection, provider: { getMigrations: async () => migrations } });
  const { error } = name === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(name);
  if (error !== undefined) throw error;
}
