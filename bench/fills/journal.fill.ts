import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';

const TENOR_DAYS = 30;

/**
 * Adds the journal entries of paid-out invoices, with the lines that figures read: a receipt for each settled one, and for the newest
 * a fee entry a day, up to `earned` entries. The checking triggers are disabled during the fill.
 */
export async function fillJournal(db: Database, earned: number): Promise<void> {
  await withoutTriggers(db, async () => {
    await sql`insert into journal_entries (invoice_id, currency_id, kind, amount, occurred_on, method, reference, payer,
        recorded_at, recorded_by)
      select id, currency_id, 'receipt', advance, settled_on, 'bank', 'BK-' || id, 'buyer', settled_on, 1
      from invoices where status = 'Settled' order by id`.execute(db);
    await sql`insert into journal_entries (invoice_id, currency_id, kind, amount, occurred_on, recorded_at)
      select id, currency_id, 'feeEarned', 3300, due_on - ${sql.lit(TENOR_DAYS)} + day, due_on
      from (select id, currency_id, due_on from invoices where status in ('Disbursed', 'Settled') order by id desc
        limit ${sql.lit(Math.round(earned / TENOR_DAYS))}) as paid, generate_series(1, ${sql.lit(TENOR_DAYS)}) as day
      order by id, day`.execute(db);
    await sql`insert into journal_lines (entry_id, account, amount)
      select id, account, case when account in ('cashBank', 'feesNotEarned') then amount else -amount end
      from journal_entries, unnest(case kind when 'receipt' then array['cashBank', 'advances']
        else array['feesNotEarned', 'feeIncome'] end) as account`.execute(db);
  });
  await sql`vacuum (analyze) journal_entries, journal_lines`.execute(db);
}

async function withoutTriggers(db: Database, work: () => Promise<void>): Promise<void> {
  const tables = ['journal_entries', 'journal_lines'];
  for (const table of tables) await sql`alter table ${sql.table(table)} disable trigger user`.execute(db);
  await work();
  for (const table of tables) await sql`alter table ${sql.table(table)} enable trigger user`.execute(db);
}
