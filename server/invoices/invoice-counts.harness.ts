import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';

/** The clients whose stored count of invoices differs from the actual number. */
export async function findMiscounts(connection: Connection): Promise<unknown[]> {
  const { rows } = await sql`
    select * from (select scope, rows from row_counts where list = 'invoices' and rows <> 0) as counted
    full join (select business_id as scope, count(*) as rows from invoices group by 1) as listed using (scope)
    where counted.rows is distinct from listed.rows`.execute(connection);
  return rows;
}
