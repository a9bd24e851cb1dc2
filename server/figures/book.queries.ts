import { sql } from 'kysely';
import { type DueGroup, NAMED_SHARES } from '#contract/figures/schema.ts';
import { overdueBucketNames, overdueBuckets } from '#contract/payments/buckets.ts';
import { addDays } from '#contract/time/calendar.ts';
import type { Connection } from '#server/db/database.ts';
import { isDueThisWeek, isOwed } from '#server/invoices/due.ts';

/** A part of the outstanding amount, as decimal text: of a due group, or of a buyer or client by name. */
export interface BookRow {
  readonly kind: 'due' | 'buyer' | 'client';
  readonly currency: string;
  readonly group: DueGroup | null;
  readonly name: string | null;
  readonly applications: number;
  readonly outstanding: string;
}

/** The due group of an advance; a late one is in the latest bucket whose first day it has reached. */
function dueGroupOn(today: string) {
  const reached = [...overdueBucketNames].reverse().map((name) => {
    const { from } = overdueBuckets[name];
    return sql`when due_on <= ${addDays(today, -from)}::date then ${sql.lit(name)}`;
  });
  return sql`case ${sql.join(reached, sql` `)}
    when ${isDueThisWeek(today)} then 'dueThisWeek' else 'later' end`;
}

/**
 * Advances paid out and not paid back on a day. `outstanding` on the row equals the journal's advances
 * (journal.test.ts); adding up their lines would read every day's fee of each.
 */
export function selectBook(today: string) {
  const part = sql`count(*)::int as applications, sum(outstanding) as outstanding`;
  return sql<BookRow>`
    with running as materialized (
      select currency_id, buyer_id, business_id, outstanding, ${dueGroupOn(today)} as due_group
      from invoices where ${isOwed}),
    parts as (
      select 'due' as kind, currency_id, due_group, null::integer as business, ${part} from running group by 2, 3
      union all
      select 'buyer', currency_id, null, buyer_id, ${part} from running group by 2, 4
      union all
      select 'client', currency_id, null, business_id, ${part} from running group by 2, 4),
    ranked as (
      select *, row_number() over (partition by kind, currency_id order by outstanding desc, business) as rank from parts)
    select kind, code as currency, due_group as "group", businesses.name, applications, outstanding::text
    from ranked join currencies on currencies.id = currency_id left join businesses on businesses.id = business
    where kind = 'due' or rank <= ${NAMED_SHARES}
    order by currency_id, kind, rank`;
}

export async function findBook(connection: Connection, today: string): Promise<BookRow[]> {
  return (await selectBook(today).execute(connection)).rows;
}
