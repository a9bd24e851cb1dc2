import { type Kysely, sql } from 'kysely';

/** Whether the proposer of a receipt has seen where else its reference is (docs/decisions/0050-money-that-comes.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table write_off_proposals
    add column reference_confirmed boolean not null default false`.execute(db);
}
