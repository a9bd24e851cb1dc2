import { type Kysely, sql } from 'kysely';

/**
 * The days of a statement are said with its import (docs/decisions/0050-money-that-comes.md): a file comes again where they
 * were said wrongly. The constraint keeps its name, by which earlier servers ask for it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table statements drop constraint statements_once,
    add constraint statements_once unique (rail, currency_id, sha256, from_on, until_on)`.execute(db);
}
