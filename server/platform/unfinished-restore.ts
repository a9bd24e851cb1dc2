import { sql } from 'kysely';
import { StartError } from '#server/platform/connect.ts';
import type { Connection } from '#server/platform/database.ts';

/**
 * A table that stands in a database from a restore's beginning until it is whole: whatever interrupts the restore, nobody
 * takes the database for an empty one or for a whole one (docs/decisions/0018-backup.md).
 */

/** The backup that this database is being filled from, if it is. */
export async function unfinishedRestore(connection: Connection): Promise<string | undefined> {
  const { rows: found } = await sql<{ there: boolean }>`
    select to_regclass('unfinished_restore') is not null as there`.execute(connection);
  if (found[0]?.there !== true) return undefined;
  const { rows } = await sql<{ backup: string }>`select backup from unfinished_restore`.execute(connection);
  return rows[0]?.backup ?? '';
}

/** Throws {@link StartError} in a database that a restore has not finished. */
export async function refuseUnfinishedRestore(connection: Connection): Promise<void> {
  const backup = await unfinishedRestore(connection);
  if (backup === undefined) return;
  throw new StartError(
    `the database is being restored from ${backup}, or that was interrupted. Wait for its end, or run it again: npm run restore -- ${backup}`,
  );
}

/** Says that a restore has begun. */
export async function markUnfinishedRestore(connection: Connection, backup: string): Promise<void> {
  await sql`create table if not exists unfinished_restore (backup text not null)`.execute(connection);
  await sql`truncate unfinished_restore`.execute(connection);
  await sql`insert into unfinished_restore values (${backup})`.execute(connection);
}

/** Takes the mark away, in the transaction that makes the restored database whole. */
export async function unmarkUnfinishedRestore(connection: Connection): Promise<void> {
  await sql`drop table unfinished_restore`.execute(connection);
}
