import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { Range } from './figures.queries.ts';

/** A sum of a period, which begins on `from`, as decimal text. */
export interface PeriodRow {
  readonly currency: string;
  readonly from: string;
  readonly sum: string;
}

/**
 * Advances, with the fees of their extensions, by the week in which they are or were due, paid back or not. Fees are
 * read separately, so that advances need only their index.
 */
export function selectDue({ from, to }: Range) {
  const isDue = sql`invoices.status in ('Disbursed', 'Settled') and invoices.due_on between ${from} and ${to}`;
  return sql<PeriodRow>`
    select code as currency, "from", sum(amount)::text
    from (
      select currency_id, advance as amount, date_trunc('week', due_on::timestamp)::date as "from" from invoices
      where ${isDue}
      union all
      select invoices.currency_id, amount, date_trunc('week', invoices.due_on::timestamp)::date
      from journal_entries join invoices on invoices.id = invoice_id
      where kind = 'extension' and ${isDue}) as due
      join currencies on currencies.id = currency_id
    group by currency_id, code, "from" order by currency_id`;
}

/**
 * Repayments of advances, by the week of the receipt; a reversal counts on its own day. `offset 0` makes PostgreSQL
 * look up each receipt's line: the journal has many more other lines, a fee a day for each advance.
 */
export function selectCollected({ from, to }: Range) {
  return sql<PeriodRow>`
    select code as currency, "from", sum(amount)::text
    from (select currency_id, -line.amount as amount, date_trunc('week', occurred_on::timestamp)::date as "from"
      from journal_entries as entry cross join lateral (
        select amount from journal_lines where entry_id = entry.id and account = 'advances' offset 0) as line
      where kind = 'receipt' and occurred_on between ${from} and ${to}) as received
      join currencies on currencies.id = currency_id
    group by currency_id, code, "from" order by currency_id`;
}

/** Fees earned, by month. The amount is the entry's line on the account of fee income. */
export function selectEarned({ from, to }: Range) {
  return sql<PeriodRow>`
    select code as currency, date_trunc('month', occurred_on::timestamp)::date as "from", sum(amount)::text
    from (select occurred_on, currency_id, sum(amount) as amount from journal_entries
      where kind = 'feeEarned' and occurred_on between ${from} and ${to} group by 1, 2) as day
      join currencies on currencies.id = currency_id
    group by currency_id, code, 2 order by currency_id`;
}

export async function findPeriods(connection: Connection, select: typeof selectDue, range: Range) {
  return (await select(range).execute(connection)).rows;
}
