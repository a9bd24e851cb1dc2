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
import * as unfinishedUploads from '#server/migrations/0013-unfinished-uploads.ts';
import type { Database } from '#server/platform/database.ts';

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
  '0013-unfinished-uploads': unfinishedUploads,
};

/**
 * Brings the database forward to this version, under an advisory lock, so that several servers may start at once.
 * Each run is one transaction: it lands whole or not at all.
 */
export async function migrate(db: Database): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
