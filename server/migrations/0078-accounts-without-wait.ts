import { type Kysely, sql } from 'kysely';

/**
 * A new client's first account can be paid to as soon as it is verified (docs/decisions/0044-payout-accounts.md). Until
 * now every account waited.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payout_accounts add column skips_wait boolean not null default false
    check (not skips_wait or verified_at is not null)`.execute(db);
}
