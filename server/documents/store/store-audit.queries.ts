import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { StoreFindings } from '#server/db/tables/tables.ts';

export type Finding = Pick<StoreFindings, 'storage_key' | 'finding'>;

/** Which documents to check: one of several equal shares, or all of them as a single share. */
export interface Share {
  readonly index: number;
  readonly of: number;
}

/** The given keys that no document owns and that are neither pending nor discarded. */
export async function selectUnknown(connection: Connection, storageKeys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ storage_key: string }>`select storage_key from unnest(${storageKeys}::text[]) storage_key
    where not exists (select from documents d where d.storage_key = storage_key.storage_key)
      and not exists (select from pending_files p where p.storage_key = storage_key.storage_key)
      and not exists (select from discarded_files g where g.storage_key = storage_key.storage_key)`.execute(connection);
  return rows.map(({ storage_key }) => storage_key);
}

/** The next documents of a share after an id, in order of id. */
export function selectStored(connection: Connection, { index, of }: Share, afterId: number, limit: number) {
  return connection
    .selectFrom('documents')
    .select(['id', 'tag', 'storage_key as storageKey', 'size_bytes as size', 'stored_sha256 as storedSha256'])
    .where('id', '>', afterId)
    .where(sql<boolean>`id % ${of} = ${index}`)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Whether a document still owns the file. */
export async function isStored(connection: Connection, storageKey: string): Promise<boolean> {
  const row = await connection
    .selectFrom('documents')
    .select('id')
    .where('storage_key', '=', storageKey)
    .executeTakeFirst();
  return row !== undefined;
}

/** Replaces the earlier findings about the same files. */
export async function replaceFindings(connection: Connection, share: Share, findings: readonly Finding[], now: Date) {
  await sql`delete from store_findings f where finding = 'orphan' or not exists (
    select from documents d where d.storage_key = f.storage_key and d.id % ${share.of} <> ${share.index})`.execute(
    connection,
  );
  if (findings.length === 0) return;
  const values = findings.map((finding) => ({ ...finding, found_at: now }));
  await connection
    .insertInto('store_findings')
    .values(values)
    .onConflict((conflict) => conflict.column('storage_key').doNothing())
    .execute();
}

/** The number of current findings by kind. */
export async function countFindings(connection: Connection) {
  return connection
    .selectFrom('store_findings')
    .select(['finding', sql<number>`count(*)::int`.as('files')])
    .groupBy('finding')
    .execute();
}
