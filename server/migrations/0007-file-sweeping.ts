import { type Kysely, sql } from 'kysely';

/**
 * Files without a document leave no trace in the store, whatever is killed when: a key stands in `pending_files` before
 * its file is written until the document is stored, and in `discarded_files` from the document's end until the file is
 * removed. `turn` is the order of removal; what cannot be removed goes to the back.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table pending_files (
    storage_key text primary key,
    started_at timestamptz not null)`.execute(db);
  await sql`create index pending_files_age on pending_files (started_at)`.execute(db);
  await sql`create table discarded_files (
    storage_key text primary key,
    turn bigint generated always as identity unique)`.execute(db);
  await sql`create function discard_file() returns trigger language plpgsql as $$
    begin
      insert into discarded_files (storage_key) values (old.storage_key) on conflict do nothing;
      return old;
    end $$`.execute(db);
  await sql`create trigger documents_discard_file after delete on documents
    for each row execute function discard_file()`.execute(db);
}
