import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';

/** Every count of invoices that differs from the invoices themselves: of a day, of a business's month, and sums of counts. */
export async function findMiscounts(connection: Connection): Promise<unknown[]> {
  const days = await sql`
    with counted as (
      select month + number::integer - 1 as day, sum(of_month.rows) as rows
      from invoice_months, unnest(days) with ordinality as of_month (rows, number) group by 1 having sum(of_month.rows) <> 0)
    select * from counted full join (select listed_on as day, count(*) as rows from invoices group by 1) as listed using (day)
    where counted.rows is distinct from listed.rows`.execute(connection);
  const months = await sql`
    with counted as (
      select scope, number, months[number] as rows from row_counts, generate_subscripts(months, 1) as number
      where list = 'invoices' and months[number] <> 0)
    select * from counted full join (
      select business_id as scope, month_number(listed_on) as number, count(*) as rows from invoices group by 1, 2) as listed
      using (scope, number)
    where counted.rows is distinct from listed.rows`.execute(connection);
  const sums = await sql`
    select month::text as counted, rows from invoice_months where rows <> (select sum(n) from unnest(days) as n)
    union all select list || ' of ' || scope, rows from row_counts
    where list = 'invoices' and rows <> (select coalesce(sum(n), 0) from unnest(months) as n)`.execute(connection);
  return [...days.rows, ...months.rows, ...sums.rows];
}
