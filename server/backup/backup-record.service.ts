import { sql } from 'kysely';
import type { Caller } from '#server/calls/caller.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Measured } from '#server/health/metrics.ts';
import { findInstallation } from '#server/installation/installation.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Manifest } from './manifest.ts';

/**
 * Records backups in the audit log, because each is a copy of everybody's data. The server also reads the time of the
 * last backup there, so it needs no setting for the location of backups (docs/decisions/0018-backup.md).
 */

const MADE = 'backup.made';

/** Records a backup. Does nothing if the database is of an earlier version without an installation. */
export async function recordBackup(
  { db }: Pick<Platform, 'db'>,
  caller: Caller<null>,
  { folder, manifest }: { readonly folder: string; readonly manifest: Manifest },
): Promise<void> {
  const installation = await findInstallation(db);
  if (installation === undefined) return;
  const { madeAt, documents, lost } = manifest;
  await db.inTransaction(async (change) =>
    recordEvent({ change, caller }, MADE, ['installation', installation.tag], {
      after: { madeAt, folder, documents: documents.count, lost: lost.length },
    }),
  );
}

/** For /metrics: the time of the last backup's snapshot. */
export const backupMetric: Measured = {
  name: 'kasente_backup_last_timestamp_seconds',
  help: 'The moment that the last backup is of; 0 while none was made',
  kind: 'gauge',
  labels: [],
  measure: async ({ db }) => {
    const made = await db
      .selectFrom('audit_events')
      .innerJoin('installation', 'installation.tag', 'audit_events.subject_tag')
      .where('action', '=', MADE)
      .select(sql<string>`after ->> 'madeAt'`.as('at'))
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirst();
    return [{ labels: {}, value: made === undefined ? 0 : Date.parse(made.at) / 1000 }];
  },
};
