import { type Kysely, sql } from 'kysely';

/** The few entries that change what a client owes beside their advance, which figures and the overdue block look up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index journal_entries_charged on journal_entries (invoice_id, kind)
    where kind in ('extension', 'lateCharge', 'writeOff')`.execute(db);
}
