import { type Kysely, sql } from 'kysely';

/**
 * A statement may have a line otherwise than an earlier one (docs/decisions/0050-money-that-comes.md): what it says of it. What
 * was recorded lately is found by when it was recorded; the index is small, because entries are only ever added.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table contradictions
    add column occurred_on date,
    add column amount numeric(15,2),
    add column payer_number text,
    add column payer_name text,
    add column details text,
    add constraint contradictions_otherwise check (
      (amount is null) = (occurred_on is null) and (amount is null) = (details is null))`.execute(db);
  await sql`create index journal_entries_recorded_at on journal_entries using brin (recorded_at)`.execute(db);
}
