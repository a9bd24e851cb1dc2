import type { InvoiceSort } from '#contract/invoices/sorts.ts';
import { COUNTED_ROWS } from '#contract/product.ts';
import { indexedOrderOf, orderOf, orders } from './invoice-filter.ts';

/**
 * A page of the list without a search as one statement: its ids are read from an index alone, and only they are joined
 * (docs/decisions/0006). Text, because building it again for each call costs as much as running it; there is one for each
 * shape. Total and rows are of one snapshot.
 */

/** What two pages have in common that are read by the same statement. */
export interface PageShape {
  /** `own` by a business's id, `named` by its tag. */
  readonly whose: 'all' | 'own' | 'named';
  readonly sort: InvoiceSort;
  readonly hasStatus: boolean;
  readonly withoutDrafts?: boolean | undefined;
  readonly place: PagePlace;
  /** It stands in the statement itself: a plan made once for every value must know that a page is small. */
  readonly size: number;
}

/** Where a page stands in its list. It says how the page is reached, and each way finds any page; the others take longer. */
export type PagePlace = 'near start' | 'far' | 'near end';

/** To pass over more of them costs more than to look where the page begins. */
const NEAR_ROWS = 500;

/** The place of the page that begins after so many rows of `probableTotal`, which may be some minutes old. */
export function placeOf(offset: number, probableTotal?: number): PagePlace {
  if (offset <= NEAR_ROWS) return 'near start';
  return probableTotal !== undefined && offset >= probableTotal - NEAR_ROWS ? 'near end' : 'far';
}

/** Whether a list has rows there at all: with a filter or a search it ends. */
export function isWithinList(offset: number, isPartial: boolean): boolean {
  return !isPartial || offset < COUNTED_ROWS;
}

/**
 * The statement's WITH list and query, without the word WITH. Its values are, from `$first` on: the business's id or tag where
 * it is of one, the status where it has one, and how many rows come before the page.
 */
export function pageStatement(shape: PageShape, first: number): string {
  const ofAll = shape.whose === 'all';
  const business = ofAll ? undefined : `$${first}`;
  const status = shape.hasStatus ? hidden(first + (ofAll ? 0 : 1), 'text') : undefined;
  const offset = hidden(first + (ofAll ? 0 : 1) + (shape.hasStatus ? 1 : 0), 'integer');
  const conditions = [
    ...(ofAll ? [] : ['invoices.business_id = (select business_id from scope)']),
    ...(status === undefined ? [] : [`invoices.status = ${status}`]),
    ...(shape.withoutDrafts === true ? [`invoices.status <> 'Draft'`] : []),
  ];
  const parts = { shape, ofAll, conditions, offset };
  return `${[...scope(shape.whose, business), ...total(parts), ...page(parts)].join(',\n')}
select invoices.tag, invoices.invoice_number, invoices.face_value, currencies.code as currency, owner.name as owner,
  buyer.name as buyer, invoices.status, invoices.application_date, invoices.advance, invoices.discount_fee,
  invoices.net_proceeds, invoices.due_on, invoices.outstanding, (select total from counted) as total
from page
  join invoices on invoices.id = page.id
  join currencies on currencies.id = invoices.currency_id
  join businesses as owner on owner.id = invoices.business_id
  join businesses as buyer on buyer.id = invoices.buyer_id
order by ${orderOf(shape.sort, 'invoices')}`;
}

/**
 * A value that the planner cannot see. Where it can, a plan for the value at hand seems better than one for all, as to pass over
 * few rows seems, and PostgreSQL plans anew each time, which takes longer than the rest.
 */
function hidden(number: number, type: 'integer' | 'text'): string {
  return `(select $${number}::${type})`;
}

interface Parts {
  readonly shape: PageShape;
  readonly ofAll: boolean;
  readonly conditions: readonly string[];
  readonly offset: string;
}

function scope(whose: PageShape['whose'], business: string | undefined): string[] {
  switch (whose) {
    case 'all':
      return [];
    case 'own':
      return [`scope as (select ${business}::integer as business_id)`];
    case 'named':
      return [`scope as (select id as business_id from businesses where tag = ${business}::uuid)`];
  }
}

/** Whether only some of the invoices are listed, so that no counter knows how many. */
function isPartial({ hasStatus, withoutDrafts = false }: PageShape): boolean {
  return hasStatus || withoutDrafts;
}

/** From the counters that triggers keep; of part of the invoices counted, as far as the list goes. */
function total({ shape, ofAll, conditions }: Parts): string[] {
  if (isPartial(shape)) {
    const listed = `select from invoices where ${conditions.join(' and ')} limit ${COUNTED_ROWS}`;
    return [`counted as (select count(*)::integer as total from (${listed}) as listed)`];
  }
  const counted = 'counted as (select coalesce(sum(rows), 0)::integer as total from counters)';
  return ofAll
    ? ['counters as (select month, sum(rows)::integer as rows from invoice_months group by month)', counted]
    : [
        `counters as (select rows, months from row_counts
  where list = 'invoices' and scope = (select business_id from scope))`,
        counted,
      ];
}

function page(parts: Parts): string[] {
  const { shape, offset } = parts;
  if (shape.place === 'near start' || isPartial(shape)) return [`page as (${ids(parts, shape.sort, offset)})`];
  if (shape.place === 'near end') return [`page as (${idsFromEnd(parts)})`];
  return orders[shape.sort].column === 'listed_on' ? pageByCounts(parts) : [pageFromEitherEnd(parts)];
}

function ids({ shape, ofAll, conditions }: Parts, sort: InvoiceSort, offset: string, condition?: string): string {
  const all = condition === undefined ? conditions : [...conditions, condition];
  const where = all.length === 0 ? '' : `where ${all.join(' and ')} `;
  const order = ofAll ? indexedOrderOf(sort) : orderOf(sort, 'invoices');
  return `select invoices.id from invoices ${where}order by ${order} limit ${shape.size} offset ${offset}`;
}

const COUNTED = '(select total from counted)';

/** Read in reverse; the last page may be a short one. */
function idsFromEnd(parts: Parts, condition?: string): string {
  const { shape, offset } = parts;
  const fromEnd = `greatest(${COUNTED} - ${offset} - ${shape.size}, 0)`;
  return `select id from (${ids(parts, orders[shape.sort].reverse, fromEnd, condition)}) as read_back
    limit greatest(${COUNTED} - ${offset}, 0)`;
}

/** From whichever end is nearer; the other half is not run. */
function pageFromEitherEnd(parts: Parts): string {
  const { shape, offset } = parts;
  return `page as (
  select id from (${ids(parts, shape.sort, offset, `${offset} < ${COUNTED} / 2`)}) as from_start
  union all
  select id from (${idsFromEnd(parts, `${offset} >= ${COUNTED} / 2`)}) as from_end)`;
}

/** Over whole months by their counts, and of everybody's over days; then over rows of that month or day alone. */
function pageByCounts(parts: Parts): string[] {
  const { shape, ofAll } = parts;
  const until = orders[shape.sort].direction === 'desc' ? '<=' : '>=';
  const reached = `invoices.listed_on ${until} (select day from reached)`;
  return [
    ...(ofAll ? dayReached(parts) : [monthReached(parts)]),
    `page as (${ids(parts, shape.sort, '(select further from reached)', reached)})`,
  ];
}

/**
 * The first day in the list's order of the month that a business's page begins in. The function stands in the select list: in FROM
 * its one row would be put by in a store first, a tenth of the statement's time.
 */
function monthReached({ shape, offset }: Parts): string {
  const isBackwards = orders[shape.sort].direction === 'desc';
  const day = isBackwards
    ? 'make_interval(months => (found).place))::date - 1'
    : 'make_interval(months => (found).place - 1))::date';
  return `reached as (select (date '2000-01-01' + ${day} as day, (found).further
  from (select find_place(months, ${offset}, ${isBackwards}) as found from counters offset 0) as finding)`;
}

function dayReached({ shape, offset }: Parts): string[] {
  const isBackwards = orders[shape.sort].direction === 'desc';
  return [
    `month_reached as (select months[place] as month, further
  from (select array_agg(month order by month) as months, array_agg(rows order by month) as counts from counters) as listed,
    find_place(counts, ${offset}, ${isBackwards}))`,
    `days_of_month as (select number, sum(of_month.rows)::integer as rows
  from invoice_months, unnest(days) with ordinality as of_month (rows, number)
  where month = (select month from month_reached) group by number)`,
    `reached as (select (select month from month_reached) + place - 1 as day, further
  from (select array_agg(rows order by number) as counts from days_of_month) as listed,
    find_place(counts, (select further from month_reached), ${isBackwards}))`,
  ];
}
