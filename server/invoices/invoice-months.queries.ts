import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';

/**
 * Makes one row of each month that nobody waits for any more, so that a page of everybody's list sums few rows
 * (docs/decisions/0006): the last of its days is more than the ten behind on which invoices are counted in shards.
 */
export async function foldInvoiceMonths(connection: Connection): Promise<void> {
  await sql`with over as (
      delete from invoice_months where shard <> 0 and month < current_date - 45 returning month, rows, days),
    months as (
      select month, sum(rows)::integer as rows,
        array(select sum(days[day])::integer from over as of_month, generate_series(1, 31) as day
          where of_month.month = over.month group by day order by day) as days
      from over group by month)
    insert into invoice_months as existing (month, shard, rows, days) select month, 0, rows, days from months
    on conflict (month, shard) do update set rows = existing.rows + excluded.rows,
      days = array(select one + other from unnest(existing.days, excluded.days) as both_days (one, other))`.execute(
    connection,
  );
}
