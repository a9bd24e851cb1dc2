import { type Kysely, sql } from 'kysely';

/**
 * What says that a database, a store of documents and a secret belong together (docs/decisions/0036-settings-and-tools.md): one row,
 * written by the first start. The check is a keyed digest of a fixed text, of which only the secret makes the same.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table installation (
    only_one boolean primary key default true check (only_one),
    tag uuid not null,
    secret_check bytea not null check (length(secret_check) = 32))`.execute(db);
}
