import { type Kysely, sql } from 'kysely';

/**
 * What a late day costs on an application, in basis points of what is unpaid, as it was when the client submitted it
 * (docs/decisions/0046-paying-back.md). What was submitted before costs nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invoices
    add column late_charge_bps integer not null default 0 check (late_charge_bps between 0 and 10000)`.execute(db);
}
