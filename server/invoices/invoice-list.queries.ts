import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import { COUNTED_ROWS } from '#contract/product.ts';
import { searchWords } from '#contract/text/search.ts';
import type { Connection } from '#server/db/database.ts';
import { likePattern } from '#server/db/like-pattern.ts';
import { hasWords } from '#server/db/search-words.ts';
import {
  type InvoiceFilter,
  type InvoicePageRow,
  indexedOrderOf,
  type ListScope,
  orderOf,
  orders,
  type PageOf,
} from './invoice-filter.ts';
import { type PageShape, pageStatement } from './invoice-page.queries.ts';

/** A phrase to search in invoice number and buyer's name and, with `inOwners`, in the client's name. */
export interface InvoiceSearch {
  readonly phrase: string;
  readonly inOwners: boolean;
}

/**
 * A page of the list; every row carries the total. With a filter or a search, and for a buyer, both list and total end
 * at {@link COUNTED_ROWS}. This takes one statement, or two for a search over all clients with more matches.
 */
export async function findInvoicePage(
  connection: Connection,
  filter: InvoiceFilter,
  search: InvoiceSearch | undefined,
  page: PageOf,
): Promise<InvoicePageRow[]> {
  const { scope, status, withoutDrafts } = filter;
  const isOfBuyer = scope !== 'all' && 'buyerTag' in scope;
  const isPartial = status !== undefined || withoutDrafts === true || search !== undefined || isOfBuyer;
  if (isPartial && (page.page - 1) * page.size >= COUNTED_ROWS) return [];
  if (search === undefined) return (await connection.executeQuery(selectPage(filter, page))).rows;
  if (scope !== 'all') return selectPageOfOwnSearch(connection, filter, search, page).execute();
  const rows = await selectPageOfSearch(connection, filter, search, page).execute();
  const isCommon = (rows[0]?.total ?? 0) > COUNTED_ROWS;
  return isCommon ? selectPageOfCommonSearch(connection, filter, search, page).execute() : rows;
}

/** The rows of a list, with the names that they refer to. */
function selectRows(connection: Pick<Connection, 'selectFrom'>, filter: InvoiceFilter) {
  return connection
    .selectFrom('invoices')
    .innerJoin('currencies', 'currencies.id', 'invoices.currency_id')
    .innerJoin('businesses as owner', 'owner.id', 'invoices.business_id')
    .innerJoin('businesses as buyer', 'buyer.id', 'invoices.buyer_id')
    .orderBy(sql.raw(orderOf(filter.sort, 'invoices')))
    .select([
      'invoices.tag',
      'invoices.invoice_number',
      'invoices.face_value',
      'currencies.code as currency',
      'owner.name as owner',
      'owner.tag as owner_tag',
      'buyer.name as buyer',
      'buyer.tag as buyer_tag',
      'invoices.status',
      'invoices.application_date',
      'invoices.advance',
      'invoices.discount_fee',
      'invoices.net_proceeds',
      'invoices.due_on',
      'invoices.outstanding',
    ]);
}

const statements = new Map<string, string>();

/** A page without a search. Each shape's statement is built only once. */
export function selectPage(
  { scope, status, withoutDrafts, sort }: InvoiceFilter,
  { page, size }: PageOf,
): CompiledQuery<InvoicePageRow> {
  const offset = (page - 1) * size;
  const [whose, business] = whoseOf(scope);
  const hasStatus = status !== undefined;
  const shape: PageShape = { whose, sort, hasStatus, withoutDrafts, size };
  const key = Object.values(shape).join();
  const text = statements.get(key) ?? pageStatement(shape);
  statements.set(key, text);
  return CompiledQuery.raw(text, [...business, ...(status === undefined ? [] : [status]), offset]);
}

function whoseOf(scope: ListScope): [PageShape['whose'], (string | number)[]] {
  if (scope === 'all') return ['all', []];
  if ('buyerTag' in scope) return ['buyer', [scope.buyerTag]];
  return 'businessId' in scope ? ['own', [scope.businessId]] : ['named', [scope.businessTag]];
}

/** A page of a search in the list of one client or buyer, read in list order. */
export function selectPageOfOwnSearch(
  connection: Connection,
  filter: InvoiceFilter,
  search: InvoiceSearch,
  page: PageOf,
) {
  const found = invoicesOf(connection, filter, search);
  return selectRows(connection, filter)
    .innerJoin(idsOfPage(found, filter, page).as('page'), 'page.id', 'invoices.id')
    .select(
      sql<number>`(select count(*) from (${found.select('invoices.id').limit(COUNTED_ROWS)}) as counted)`.as('total'),
    );
}

/**
 * A page of a search over all invoices with at most {@link COUNTED_ROWS} matches: gathered through the index of each
 * searched column, then sorted. If `total` exceeds COUNTED_ROWS, not all matches were gathered and the page is wrong;
 * then use {@link selectPageOfCommonSearch}.
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
  const ids = sql<{ id: number }>`(select id from found order by ${sql.raw(orderOf(filter.sort, 'found'))}
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
 * A page of a search with many matches. We read the list in its own order until the page is full, which happens soon,
 * because at least one row in a hundred matches.
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

function invoicesOf(
  connection: Connection,
  { scope, status, withoutDrafts }: InvoiceFilter,
  search: InvoiceSearch | undefined,
) {
  let query = connection.selectFrom('invoices');
  if (scope !== 'all') {
    const party = 'buyerTag' in scope ? 'invoices.buyer_id' : 'invoices.business_id';
    query = query.where(party, '=', businessOf(connection, scope));
  }
  if (status !== undefined) query = query.where('invoices.status', '=', status);
  if (withoutDrafts === true) query = query.where('invoices.status', '<>', 'Draft');
  if (search === undefined) return query;
  const byNumber = numberMatches(search, 'rowByRow');
  if (!search.inOwners) return query.where((where) => where.or([byNumber, isOfBuyerNamed(search)]));
  const named = businessesNamed(connection, search);
  return query.where((where) =>
    where.or([byNumber, where('invoices.buyer_id', 'in', named), where('invoices.business_id', 'in', named)]),
  );
}

/**
 * Uses a function, because row-level security keeps a client's statements from the index over names
 * (docs/decisions/0019).
 */
function isOfBuyerNamed({ phrase }: InvoiceSearch): RawBuilder<boolean> {
  const words = searchWords(phrase);
  if (words.length === 0) return sql<boolean>`false`;
  return sql<boolean>`invoices.buyer_id in (select buyers_with_words(${words}))`;
}

function businessOf(connection: Connection, scope: Exclude<ListScope, 'all'>): RawBuilder<number> {
  if ('businessId' in scope) return sql<number>`${scope.businessId}`;
  const ofTag = connection
    .selectFrom('businesses')
    .select('businesses.id')
    .where('businesses.tag', '=', 'buyerTag' in scope ? scope.buyerTag : scope.businessTag);
  return sql<number>`(${ofTag})`;
}

/** The page size is a literal, because a generic plan must know that a page is small. */
function idsOfPage(query: ReturnType<typeof invoicesOf>, filter: InvoiceFilter, { page, size }: PageOf) {
  return query
    .select('invoices.id')
    .orderBy(sql.raw(filter.scope === 'all' ? indexedOrderOf(filter.sort) : orderOf(filter.sort, 'invoices')))
    .limit(sql.lit(size))
    .offset((page - 1) * size);
}

/** A trigram index needs three letters or digits in a row. */
const INDEXED = /[a-z0-9]{3}/i;

/**
 * Uses `strpos` if the rows are read in list order anyway, or if the trigram index can't help: with LIKE, a generic
 * plan would read the whole index.
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
    .where(hasWords('businesses.search_form', searchWords(phrase)));
}
