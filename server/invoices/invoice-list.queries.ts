import { type RawBuilder, sql } from 'kysely';
import type { Status } from '#contract/applications/lifecycle.ts';
import type { InvoiceSort } from '#contract/invoices/sorts.ts';
import { COUNTED_ROWS } from '#contract/product.ts';
import type { Connection } from '#server/platform/database.ts';
import { likePattern } from '#server/platform/like-pattern.ts';

/** Whose invoices a list is of: one business's, by id (a client's own) or by tag (what staff ask for), or all. */
export type ListScope = { readonly businessId: number } | { readonly businessTag: string } | 'all';

/** Which invoices of those a list shows, and in which order; an undefined status is every one. */
export interface InvoiceFilter {
  readonly scope: ListScope;
  readonly status: Status | undefined;
  readonly sort: InvoiceSort;
}

/** A phrase to look for in the invoice number and the buyer's name and, `inOwners`, in the client's name. */
export interface InvoiceSearch {
  readonly phrase: string;
  readonly inOwners: boolean;
}

/** Which part of a list, `page` counted from 1. */
export interface PageOf {
  readonly page: number;
  readonly size: number;
}

/**
 * A page of the list; every row carries how many there are. With a filter or a search the list ends, and the count with
 * it, at {@link COUNTED_ROWS}. One statement, and a second one for a search through everybody's that finds more.
 */
export async function findInvoicePage(
  connection: Connection,
  filter: InvoiceFilter,
  search: InvoiceSearch | undefined,
  page: PageOf,
): Promise<InvoicePageRow[]> {
  const isPartial = filter.status !== undefined || search !== undefined;
  if (isPartial && (page.page - 1) * page.size >= COUNTED_ROWS) return [];
  if (search === undefined || filter.scope !== 'all')
    return selectInvoicePage(connection, filter, search, page).execute();
  const rows = await selectPageOfSearch(connection, filter, search, page).execute();
  const isCommon = (rows[0]?.total ?? 0) > COUNTED_ROWS;
  return isCommon ? selectPageOfCommonSearch(connection, filter, search, page).execute() : rows;
}

/** The rows that a list shows, with the names of what they refer to. */
function selectRows(connection: Pick<Connection, 'selectFrom'>, filter: InvoiceFilter) {
  return connection
    .selectFrom('invoices')
    .innerJoin('currencies', 'currencies.id', 'invoices.currency_id')
    .innerJoin('businesses as owner', 'owner.id', 'invoices.business_id')
    .innerJoin('businesses as buyer', 'buyer.id', 'invoices.buyer_id')
    .orderBy(orderOf(filter, 'invoices'))
    .select([
      'invoices.tag',
      'invoices.invoice_number',
      'invoices.face_value',
      'currencies.code as currency',
      'owner.name as owner',
      'buyer.name as buyer',
      'invoices.status',
      'invoices.application_date',
      'invoices.advance',
      'invoices.discount_fee',
      'invoices.net_proceeds',
    ]);
}

/**
 * The page in one statement: its ids are read from an index alone and only they are joined
 * (docs/decisions/0006). Without filter and search the total comes from the counters, otherwise it is counted.
 */
export function selectInvoicePage(
  connection: Connection,
  filter: InvoiceFilter,
  search: InvoiceSearch | undefined,
  page: PageOf,
) {
  const listed = invoicesOf(connection, filter, search);
  const total =
    filter.status === undefined && search === undefined
      ? readCounters(connection, filter.scope)
      : sql<number>`(select count(*) from (${listed.select('invoices.id').limit(COUNTED_ROWS)}) as counted)`;
  return selectRows(connection, filter)
    .innerJoin(idsOfPage(listed, filter, page).as('page'), 'page.id', 'invoices.id')
    .select(total.as('total'));
}

export type InvoicePageRow = Awaited<ReturnType<ReturnType<typeof selectInvoicePage>['execute']>>[number];

/**
 * Part of what a search through everybody's invoices finds, while that is at most {@link COUNTED_ROWS}: gathered
 * through the indexes of each thing searched, then sorted. A `total` above COUNTED_ROWS says that not all was
 * gathered and the page is not to be trusted; then {@link selectPageOfCommonSearch} answers.
 */
export function selectPageOfSearch(
  connection: Connection,
  filter: InvoiceFilter,
  search: InvoiceSearch,
  { page, size }: PageOf,
) {
  const gathered = invoicesOf(connection, filter, undefined)
    .select(['invoices.id', `invoices.${orders[filter.sort].column}`])
    .limit(COUNTED_ROWS + 1);
  const named = businessesNamed(connection, search);
  const byNumber = gathered.where(numberMatches(search, 'byIndex'));
  const byBuyer = gathered.where('invoices.buyer_id', 'in', named);
  const byOwner = gathered.where('invoices.business_id', 'in', named);
  const byNumberOrBuyer = connection
    .selectFrom(byNumber.as('by_number'))
    .selectAll()
    .union(connection.selectFrom(byBuyer.as('by_buyer')).selectAll());
  const found = search.inOwners
    ? byNumberOrBuyer.union(connection.selectFrom(byOwner.as('by_owner')).selectAll())
    : byNumberOrBuyer;
  const ids = sql<{ id: number }>`(select id from found order by ${orderOf(filter, 'found')}
    limit ${sql.lit(size)} offset ${(page - 1) * size})`;
  return selectRows(
    connection.with(
      (cte) => cte('found').materialized(),
      () => found,
    ),
    filter,
  )
    .innerJoin(ids.as<'page'>(sql.ref('page')), 'page.id', 'invoices.id')
    .select(sql<number>`(select count(*) from found)`.as('total'));
}

/**
 * Part of what a common search finds: the list is read in its own order until the page is full, which is soon, because
 * one in a hundred or more is a find.
 */
export function selectPageOfCommonSearch(
  connection: Connection,
  filter: InvoiceFilter,
  search: InvoiceSearch,
  page: PageOf,
) {
  return selectRows(connection, filter)
    .innerJoin(idsOfPage(invoicesOf(connection, filter, search), filter, page).as('page'), 'page.id', 'invoices.id')
    .select(sql<number>`${sql.lit(COUNTED_ROWS)}`.as('total'));
}

function invoicesOf(connection: Connection, { scope, status }: InvoiceFilter, search: InvoiceSearch | undefined) {
  let query = connection.selectFrom('invoices');
  if (scope !== 'all') query = query.where('invoices.business_id', '=', businessOf(connection, scope));
  if (status !== undefined) query = query.where('invoices.status', '=', status);
  if (search === undefined) return query;
  const byNumber = numberMatches(search, 'rowByRow');
  if (!search.inOwners) return query.where((where) => where.or([byNumber, isOfBuyerNamed(search)]));
  const named = businessesNamed(connection, search);
  return query.where((where) =>
    where.or([byNumber, where('invoices.buyer_id', 'in', named), where('invoices.business_id', 'in', named)]),
  );
}

/** By a function, because row-level security keeps a client's statements from the index over names (decision 0019). */
function isOfBuyerNamed({ phrase }: InvoiceSearch): RawBuilder<boolean> {
  return sql<boolean>`invoices.buyer_id in (select buyers_named(${likePattern(phrase)}))`;
}

function businessOf(connection: Connection, scope: Exclude<ListScope, 'all'>): RawBuilder<number> {
  if ('businessId' in scope) return sql<number>`${scope.businessId}`;
  const ofTag = connection
    .selectFrom('businesses')
    .select('businesses.id')
    .where('businesses.tag', '=', scope.businessTag);
  return sql<number>`(${ofTag})`;
}

const orders = {
  date: { column: 'listed_on', direction: 'asc' },
  '-date': { column: 'listed_on', direction: 'desc' },
  applied: { column: 'advance', direction: 'asc' },
  '-applied': { column: 'advance', direction: 'desc' },
  received: { column: 'net_proceeds', direction: 'asc' },
  '-received': { column: 'net_proceeds', direction: 'desc' },
} as const satisfies Record<InvoiceSort, { readonly column: string; readonly direction: 'asc' | 'desc' }>;

/**
 * A list's order; nothing applied for is less than any amount. No index has the amounts so: one business's invoices are
 * gathered first and sorted then, whatever the planner believes.
 */
function orderOf({ sort }: InvoiceFilter, table: 'invoices' | 'found'): RawBuilder<unknown> {
  const { column, direction } = orders[sort];
  const value = sql.ref(`${table}.${column}`);
  const by = column === 'listed_on' ? value : sql`coalesce(${value}, 0)`;
  return sql`${by} ${sql.raw(direction)}, ${sql.ref(`${table}.id`)} ${sql.raw(direction)}`;
}

/** The same order as the indexes over everybody's invoices have it, forwards or backwards. */
function indexedOrderOf(filter: InvoiceFilter): RawBuilder<unknown> {
  const { column, direction } = orders[filter.sort];
  if (column === 'listed_on') return orderOf(filter, 'invoices');
  const nulls = sql.raw(direction === 'desc' ? 'nulls last' : 'nulls first');
  return sql`${sql.ref(`invoices.${column}`)} ${sql.raw(direction)} ${nulls}, invoices.id ${sql.raw(direction)}`;
}

/** A page's size stands in the statement itself: a plan made once for every value must know that a page is small. */
function idsOfPage(query: ReturnType<typeof invoicesOf>, filter: InvoiceFilter, { page, size }: PageOf) {
  return query
    .select('invoices.id')
    .orderBy(filter.scope === 'all' ? indexedOrderOf(filter) : orderOf(filter, 'invoices'))
    .limit(sql.lit(size))
    .offset((page - 1) * size);
}

/** What a trigram index can look for: three letters or digits in a row. */
const INDEXED = /[a-z0-9]{3}/i;

/**
 * `strpos` where the rows are read in their order anyway, or the trigram index is of no use: with LIKE a plan made once
 * for every phrase would read all of that index.
 */
function numberMatches({ phrase }: InvoiceSearch, way: 'byIndex' | 'rowByRow'): RawBuilder<boolean> {
  return way === 'byIndex' && INDEXED.test(phrase)
    ? sql<boolean>`lower(invoices.invoice_number) like lower(${likePattern(phrase)})`
    : sql<boolean>`strpos(lower(invoices.invoice_number), lower(${phrase})) > 0`;
}

function businessesNamed(connection: Connection, { phrase }: InvoiceSearch) {
  return connection
    .selectFrom('businesses')
    .select('businesses.id')
    .where(sql<boolean>`lower(businesses.name) like lower(${likePattern(phrase)})`);
}

/** The counters that triggers keep, one for each business. */
function readCounters(connection: Connection, scope: ListScope): RawBuilder<number> {
  const counters = connection
    .selectFrom('row_counts')
    .where('list', '=', 'invoices')
    .select(sql<number>`coalesce(sum(rows), 0)::int`.as('total'));
  const counted = scope === 'all' ? counters : counters.where('scope', '=', businessOf(connection, scope));
  return sql<number>`(${counted})`;
}
