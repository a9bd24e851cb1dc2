import { type Kysely, sql } from 'kysely';

/**
 * A provider may keep what comes in and what goes out in two accounts, each with statements of its own
 * (docs/decisions/0050-money-that-comes.md); what earlier servers take in is of both. The constraint keeps its name, by which they
 * ask for it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table statements
    add column account text not null default 'all' check (account in ('all', 'collection', 'disbursement')),
    drop constraint statements_once,
    add constraint statements_once unique (rail, currency_id, sha256, from_on, until_on, account)`.execute(db);
}
