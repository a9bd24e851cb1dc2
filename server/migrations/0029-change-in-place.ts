import { type Kysely, sql } from 'kysely';

/**
 * A draft whose amount is changed writes to no index any more. PostgreSQL leaves the indexes alone only where none of them has a
 * column that was changed, a partial one as well, and only where the new version has room on its page. Near amounts of one buyer
 * are found by the date instead (`selectTwins`), in the index that a search for the buyer uses, too (docs/decisions/0006-invoice-list.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index invoices_amount`.execute(db);
  await sql`drop index invoices_of_buyer`.execute(db);
  await sql`create index invoices_of_buyer on invoices (buyer_id, invoice_date)`.execute(db);
  await sql`alter table invoices set (fillfactor = 85)`.execute(db);
}
