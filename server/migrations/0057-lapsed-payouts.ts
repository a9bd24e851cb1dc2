import { type Kysely, sql } from 'kysely';

/** A payout that is prepared ends with its approval: nobody cancelled it then (docs/decisions/0045-offers.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payouts drop constraint payouts_cancelled,
    add constraint payouts_cancelled check (
      (cancelled_at is null) = (cancel_reason is null) and (cancelled_by is null or cancelled_at is not null))`.execute(
    db,
  );
}
