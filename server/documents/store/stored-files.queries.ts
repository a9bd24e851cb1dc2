import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import { BACKUP_LOCK } from '#server/installation/backup-lock.ts';

/**
 * Whether files may be removed. False during a backup: its snapshot may contain documents that have been deleted since,
 * so their files stay until the next sweep. This statement sees deletions committed before it, so either the backup
 * already has the lock, or its snapshot is later and does not contain the document.
 */
const mayRemoveFiles = sql<boolean>`(select pg_try_advisory_xact_lock_shared(hashtext(${sql.lit(BACKUP_LOCK)})))`;

/** Records a file before it is written. */
export async function insertPending(connection: Connection, storageKey: string, now: Date): Promise<void> {
  await connection.insertInto('pending_files').values({ storage_key: storageKey, started_at: now }).execute();
}

/** Deletes the record of a pending file; false if there is none. Waits for other transactions that use the record. */
export async function deletePending(connection: Connection, storageKey: string): Promise<boolean> {
  const { numDeletedRows } = await connection
    .deleteFrom('pending_files')
    .where('storage_key', '=', storageKey)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Discards the files that have been pending since before that time. */
export async function discardPendingBefore(connection: Connection, before: Date): Promise<void> {
  await connection
    .with('expired', (query) =>
      query.deleteFrom('pending_files').where('started_at', '<', before).returning('storage_key'),
    )
    .insertInto('discarded_files')
    .columns(['storage_key'])
    .expression((query) => query.selectFrom('expired').select('storage_key'))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Discards a file, unless a document owns it. */
export async function discardUnlessDocument(connection: Connection, storageKey: string): Promise<void> {
  await sql`insert into discarded_files (storage_key)
    select ${storageKey} where not exists (select from documents where storage_key = ${storageKey})
    on conflict do nothing`.execute(connection);
}

/** The next discarded files; none during a backup. */
export async function selectDiscarded(connection: Connection, limit: number): Promise<string[]> {
  const rows = await connection
    .selectFrom('discarded_files')
    .select('storage_key')
    .where(mayRemoveFiles)
    .orderBy('turn')
    .limit(limit)
    .execute();
  return rows.map(({ storage_key }) => storage_key);
}

/** Whether the file is discarded and may be removed now: not during a backup. */
export async function mayBeRemoved(connection: Connection, storageKey: string): Promise<boolean> {
  const row = await connection
    .selectFrom('discarded_files')
    .select('storage_key')
    .where('storage_key', '=', storageKey)
    .where(mayRemoveFiles)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the record of a removed file. */
export async function deleteDiscarded(connection: Connection, storageKey: string): Promise<void> {
  await connection.deleteFrom('discarded_files').where('storage_key', '=', storageKey).execute();
}

/** Moves a discarded file to the end of the queue. */
export async function postponeDiscarded(connection: Connection, storageKey: string): Promise<void> {
  await connection
    .updateTable('discarded_files')
    .set({ turn: sql<number>`default` })
    .where('storage_key', '=', storageKey)
    .execute();
}
