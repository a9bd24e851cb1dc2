import { type Kysely, sql } from 'kysely';

/** What the figures of a week or month read: advances by the day on which they are due, and the journal by kind and day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index invoices_by_due_day on invoices (due_on) include (currency_id, advance)
    where status in ('Disbursed', 'Settled')`.execute(db);
  await sql`create index journal_entries_by_kind on journal_entries (kind, occurred_on, currency_id)
    include (id, amount)`.execute(db);
}
