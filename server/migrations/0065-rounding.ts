import { type Kysely, sql } from 'kysely';

/** What is below the smallest payable unit goes to the rounding account by an entry that nobody records. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table journal_entries
    drop constraint journal_entries_kind_check,
    drop constraint journal_entries_recorded,
    add constraint journal_entries_kind_check check (kind in ('disbursement', 'receipt', 'surplus', 'deduction',
      'feeEarned', 'extension', 'lateCharge', 'rounding', 'writeOff', 'arrival', 'returned')),
    add constraint journal_entries_recorded check (
      recorded_by is not null or kind in ('feeEarned', 'lateCharge', 'rounding')
      or statement_line_id is not null or transfer_id is not null)`.execute(db);
}
