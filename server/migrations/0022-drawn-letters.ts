import { type Kysely, sql } from 'kysely';

/**
 * Letters that were drawn as PDFs, by the digest of what they say and how they are drawn (docs/decisions/0034-fair-turns.md). The
 * server's seal is on each: whoever writes to the database cannot have it hand out another. PDFs do not compress.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table drawn_letters (
    digest bytea primary key check (length(digest) = 32),
    content bytea not null check (length(content) > 0),
    seal bytea not null,
    asked_at timestamptz not null)`.execute(db);
  await sql`alter table drawn_letters alter column content set storage external`.execute(db);
  await sql`create index drawn_letters_age on drawn_letters (asked_at)`.execute(db);
  // No policy: a letter is handed out to who may see what it says (docs/decisions/0019-row-security.md).
  await sql`alter table drawn_letters enable row level security`.execute(db);
}
