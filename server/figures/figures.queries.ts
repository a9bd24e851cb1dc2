import { sql } from 'kysely';
import type { Status } from '#contract/applications/lifecycle.ts';
import type { Connection } from '#server/db/database.ts';
import { isOwed, lost } from '#server/invoices/due.ts';

/** Calendar dates in Kampala, inclusive. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

/** The sums of a group of applications, as decimal text. */
interface SumsRow {
  readonly currency: string;
  readonly applications: number;
  readonly advance: string;
  readonly discount_fee: string;
  readonly net_proceeds: string;
}

/** Sums by month, for this year, or for running advances: exactly one of the three fields is not null. */
export interface OwnRow extends SumsRow {
  readonly month: string | null;
  readonly in_year: boolean | null;
  readonly running: boolean | null;
  readonly outstanding: string;
}

/** Sums by status, and by status and week. */
export interface StatusRow extends SumsRow {
  readonly status: Status;
  /** The week's Monday; null for all weeks together. */
  readonly week: string | null;
}

/** A missing amount counts as 0.00. Sums are PostgreSQL's NUMERIC, as text. */
const sumColumns = sql`coalesce(sum(advance), 0.00)::text as advance,
  coalesce(sum(discount_fee), 0.00)::text as discount_fee, coalesce(sum(net_proceeds), 0.00)::text as net_proceeds`;

/**
 * Payouts to a business in the range, which ends today, with the extension fees and late charges in it, and everything
 * unsettled, with write-offs not paid since. Nothing is due before its payout, so payouts are ranges of the index
 * `invoices_paid_out`; charges are few, with their own index.
 */
export function selectOwnFigures(businessId: number, { from, to }: Range) {
  return sql<OwnRow>`
    with paid_out as (
      select currency_id, advance, discount_fee, net_proceeds, 0.00 as outstanding,
        date_trunc('month', on_day::timestamp)::date as month,
        on_day >= date_trunc('year', ${to}::timestamp) as in_year, null::boolean as running
      from invoices, lateral (select coalesce(invoices.paid_out_on, due_on - tenor_days)) as payout (on_day)
      where business_id = ${businessId} and status in ('Disbursed', 'Settled') and due_on >= ${from}
        and on_day between ${from} and ${to}),
    charged as (
      select entry.currency_id, null::numeric, amount, null::numeric, 0.00,
        date_trunc('month', occurred_on::timestamp)::date, occurred_on >= date_trunc('year', ${to}::timestamp), null::boolean
      from journal_entries as entry join invoices on invoices.id = invoice_id
      where business_id = ${businessId} and kind in ('extension', 'lateCharge') and reverses is null
        and occurred_on between ${from} and ${to}
        and not exists (select from journal_entries as reversal where reversal.reverses = entry.id)),
    counted as (
      select * from paid_out
      union all
      select * from charged
      union all
      select currency_id, advance, discount_fee, net_proceeds, outstanding + ${lost}, null, null, true
      from invoices
      where business_id = ${businessId} and status = 'Disbursed')
    select code as currency, month, in_year, running, count(advance)::int as applications, ${sumColumns},
      sum(outstanding)::text as outstanding
    from counted join currencies on currencies.id = currency_id
    group by grouping sets ((currency_id, code, month), (currency_id, code, in_year), (currency_id, code, running))
    having coalesce(month::text, in_year::text, running::text) is not null
    order by currency_id`;
}

/** The earliest due date in a currency. */
export interface DueRow {
  readonly currency: string;
  readonly due_on: string;
  readonly outstanding: string;
}

/** The first due date in each currency on which a business must pay back, and the total due on that day. */
export function selectDueNext(businessId: number) {
  return sql<DueRow>`
    select distinct on (currency_id) code as currency, due_on, sum(outstanding)::text as outstanding
    from invoices join currencies on currencies.id = currency_id
    where business_id = ${businessId} and ${isOwed}
    group by currency_id, code, due_on
    order by currency_id, due_on`;
}

/**
 * All applications in the range, by status and by week: one statement over one range of the index `invoices_of_all`.
 * Both ends are parameters, so that a generic plan assumes a small range.
 */
export function selectAllFigures({ from, to }: Range) {
  return sql<StatusRow>`
    with counted as (
      select currency_id, status, advance, discount_fee, net_proceeds,
        date_trunc('week', listed_on::timestamp)::date as week
      from invoices
      where listed_on between ${from} and ${to})
    select code as currency, status, week, count(*)::int as applications, ${sumColumns}
    from counted join currencies on currencies.id = currency_id
    group by grouping sets ((currency_id, code, status), (currency_id, code, status, week))
    order by currency_id`;
}

export async function findOwnFigures(connection: Connection, businessId: number, range: Range): Promise<OwnRow[]> {
  return (await selectOwnFigures(businessId, range).execute(connection)).rows;
}

export async function findAllFigures(connection: Connection, range: Range): Promise<StatusRow[]> {
  return (await selectAllFigures(range).execute(connection)).rows;
}

export async function findDueNext(connection: Connection, businessId: number): Promise<DueRow[]> {
  return (await selectDueNext(businessId).execute(connection)).rows;
}
