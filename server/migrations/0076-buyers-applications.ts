import { type Kysely, sql } from 'kysely';

/**
 * Indexes for the page of a business: the applications on invoices to a buyer in list order, as `invoices_of_business`
 * has them for a client (docs/decisions/0006-invoice-list.md), and what is out on them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index invoices_to_buyer on invoices (buyer_id, listed_on desc, id desc) include (status)`.execute(
    db,
  );
  await sql`create index invoices_out_to_buyer on invoices (buyer_id, currency_id) include (outstanding)
    where status = 'Disbursed'`.execute(db);
}
