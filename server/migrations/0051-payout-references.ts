import { type Kysely, sql } from 'kysely';

/**
 * A payout has its provider's reference from its preparation on (docs/decisions/0047-rails.md): who releases it again, after a
 * backup or a standby has lost the release, orders the same payment. Earlier servers give none, and get one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payouts add column reference uuid not null default gen_random_uuid()`.execute(db);
  await sql`update payouts set reference = transfers.reference from transfers
    where transfers.payout_id = payouts.id`.execute(db);
  await sql`alter table payouts add constraint payouts_reference unique (reference)`.execute(db);
}
