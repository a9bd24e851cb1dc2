import { sql } from 'kysely';
import type { Connection, Database } from '#server/db/database.ts';
import { StartError } from './connect.ts';

/**
 * A table that marks an unfinished restore, so that nobody mistakes the database for empty or complete after an
 * interruption (docs/decisions/0018-backup.md).
 */

/** The sources of an unfinished restore. */
export interface UnfinishedRestore {
  readonly backup: string;
  /** As written by `describeStore`; null if an earlier version started the restore. */
  readonly store: string | null;
}

/** The unfinished restore of this database, if any. */
export async function unfinishedRestore(connection: Connection): Promise<UnfinishedRestore | undefined> {
  const { rows: found } = await sql<{ there: boolean }>`
    select to_regclass('unfinished_restore') is not null as there`.execute(connection);
  if (found[0]?.there !== true) return undefined;
  const { rows } = await sql<{ backup: string; store?: string }>`select * from unfinished_restore`.execute(connection);
  return { backup: rows[0]?.backup ?? '', store: rows[0]?.store ?? null };
}

/** Throws {@link StartError} during an unfinished restore. */
export async function refuseUnfinishedRestore(connection: Connection): Promise<void> {
  const unfinished = await unfinishedRestore(connection);
  if (unfinished === undefined) return;
  const { backup } = unfinished;
  throw new StartError(
    `the database is being restored from ${backup}, or that was interrupted. Wait for its end, or run it again: npm run restore -- ${backup}`,
  );
}

/** Marks the start of a restore. */
export async function markUnfinishedRestore(db: Database, { backup, store }: UnfinishedRestore): Promise<void> {
  await db.inTransaction(async (change) => {
    await sql`create table if not exists unfinished_restore (backup text not null)`.execute(change);
    await sql`alter table unfinished_restore add column if not exists store text`.execute(change);
    await sql`truncate unfinished_restore`.execute(change);
    await sql`insert into unfinished_restore (backup, store) values (${backup}, ${store})`.execute(change);
  });
}

/** Removes the mark, in the transaction that completes the database. */
export async function unmarkUnfinishedRestore(connection: Connection): Promise<void> {
  await sql`drop table unfinished_restore`.execute(connection);
}
