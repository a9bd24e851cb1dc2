import { type Kysely, sql } from 'kysely';

/**
 * What the desk's 'Pay out' and 'History' read (docs/decisions/0013). What is owed to a client after their invoice is paid
 * back follows from the ledger; it stands on the invoice's row as well, like `outstanding`, because no index could find
 * those few among all that are paid back by adding up their entries. Both indexes are partial: saving a draft, submitting
 * and deciding write to neither.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invoices add column surplus_owed numeric(15,2) not null default 0,
    add constraint invoices_surplus_owed check (surplus_owed = 0 or (surplus_owed > 0 and status = 'Settled'))`.execute(
    db,
  );
  await sql`update invoices set surplus_owed = received.above - received.paid
    from (select invoice_id, sum(amount) filter (where kind = 'receipt') - advance as above,
        coalesce(sum(amount) filter (where kind = 'surplus'), 0) as paid
      from ledger_entries join invoices on invoices.id = invoice_id
      where status = 'Settled' group by invoice_id, advance) as received
    where invoices.id = received.invoice_id and received.above > received.paid`.execute(db);
  await sql`create index invoices_with_surplus on invoices (settled_at, id) where surplus_owed > 0`.execute(db);
  await sql`create index invoices_settled on invoices (settled_at desc, id desc) where status = 'Settled'`.execute(db);
}
