import { type Kysely, sql } from 'kysely';

/**
 * A person who waits for activation can say in whose name their mobile money is, so that it becomes the first payout
 * account of their business (docs/decisions/0044-payout-accounts.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table persons add column stated_holder text check (length(stated_holder) between 2 and 100)`.execute(
    db,
  );
}
