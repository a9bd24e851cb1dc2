import { type Kysely, sql } from 'kysely';

/**
 * Takes away what servers of 1.0.0 alone read (docs/decisions/0035-releases.md): the count of invoices by month, and the copy
 * of the journal. `ledger_entries` stays as it is, because events of 1.0.0 name an entry by its number.
 */
export const oldestRelease = '1.1.0';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger journal_entries_to_ledger on journal_entries`.execute(db);
  await sql`drop trigger ledger_entries_to_journal on ledger_entries`.execute(db);
  await sql`drop function copy_to_ledger(), copy_to_journal(), post_payment(journal_entries)`.execute(db);
  await sql`create or replace function count_invoices() returns trigger language plpgsql as $$
    begin
      perform count_row('invoices', changed.business_id,
        changed.invoices * case tg_op when 'INSERT' then 1 else -1 end)
      from (select business_id, count(*)::integer as invoices from changed_invoices group by 1 order by 1) as changed;
      return null;
    end $$`.execute(db);
  // As migration 0013 has it: the work is the database's, whoever caused it.
  await sql`do $$ begin
    execute format('alter function count_invoices() security definer set search_path to %I, pg_temp', current_schema());
  end $$`.execute(db);
  await sql`drop table invoice_months`.execute(db);
  await sql`drop function find_place(integer[], integer, boolean)`.execute(db);
  await sql`alter table row_counts drop column months`.execute(db);
}
