import { type Kysely, sql } from 'kysely';

/**
 * What was taken out of a PDF before it was stored (docs/decisions/0016-hostile-files.md). PDFs are rewritten since, so the
 * same file may be stored differently than before: duplicates are also found by the digest of the upload.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table documents add column removed text check (removed <> '')`.execute(db);
  await sql`create index documents_uploaded_content on documents (sha256)`.execute(db);
}
