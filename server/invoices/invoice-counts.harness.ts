import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';

/** Every count of invoices that differs from the invoices themselves: a client's, and the sum that releases up to 1.0.0 read. */
export async function findMiscounts(connection: Connection): Promise<unknown[]> {
  const clients = await sql`
    select * from (select scope, rows from row_counts where list = 'invoices' and rows <> 0) as counted
    full join (select business_id as scope, count(*) as rows from invoices group by 1) as listed using (scope)
    where counted.rows is distinct from listed.rows`.execute(connection);
  const sums = await sql`select sum(rows) as rows from invoice_months
    having sum(rows) <> (select count(*) from invoices)`.execute(connection);
  return [...clients.rows, ...sums.rows];
}
