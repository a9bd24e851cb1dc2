import { type Kysely, sql } from 'kysely';

/**
 * Requests to pay (docs/decisions/0051-pay-now.md): Kasente itself records what a provider says was paid, once for each
 * request. To servers of 1.0.0 it is of the person who asked.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table journal_entries
    add column transfer_id integer references transfers,
    drop constraint journal_entries_recorded,
    add constraint journal_entries_recorded check (recorded_by is not null or kind in ('feeEarned', 'lateCharge')
      or statement_line_id is not null or transfer_id is not null),
    add constraint journal_entries_asked_for check (
      transfer_id is null or kind = 'receipt' and reverses is null and statement_line_id is null)`.execute(db);
  await sql`create unique index journal_entries_transfer on journal_entries (transfer_id)
    where transfer_id is not null`.execute(db);
  await sql`create or replace function copy_to_ledger() returns trigger language plpgsql as $$
    begin
      if new.kind not in ('disbursement', 'receipt', 'surplus')
        or exists (select from ledger_entries where tag = new.tag) then return null; end if;
      insert into ledger_entries (tag, invoice_id, kind, amount, paid_on, method, reference, payer, reverses, reason,
        recorded_at, recorded_by)
      values (new.tag, new.invoice_id, new.kind, new.amount - new.carried, new.occurred_on,
        case new.method when 'bank' then 'bank' else 'mobileMoney' end, new.reference, new.payer,
        (select copied.id from ledger_entries as copied join journal_entries as original using (tag)
          where original.id = new.reverses), new.reason, new.recorded_at,
        coalesce(new.recorded_by, (select imported_by from statements join statement_lines as line
          on line.statement_id = statements.id where line.id = new.statement_line_id),
          (select created_by from transfers where transfers.id = new.transfer_id)));
      return null;
    end $$`.execute(db);
}
