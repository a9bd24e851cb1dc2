import { type Kysely, sql } from 'kysely';

/**
 * Pictures are drawn anew before they are kept (docs/decisions/0016): `sha256` stays that of what was uploaded, by which
 * the same file is known again, and `stored_sha256` is that of what is in the store. Until now the two were one.
 * `store_findings` is what the last look at the store found to be wrong, for the metrics of every server.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table documents add column stored_sha256 bytea`.execute(db);
  await sql`update documents set stored_sha256 = sha256`.execute(db);
  await sql`alter table documents alter column stored_sha256 set not null,
    add constraint documents_stored_sha256 check (length(stored_sha256) = 32)`.execute(db);
  await sql`create table store_findings (
    storage_key text primary key,
    finding text not null check (finding in ('orphan', 'missing', 'altered')),
    found_at timestamptz not null)`.execute(db);
}
