import { type ExpressionBuilder, sql } from 'kysely';
import type { Status } from '#contract/applications/lifecycle.ts';
import type { Connection } from '#server/platform/database.ts';
import type { Tables } from '#server/platform/tables.ts';

/** Totals with a filter are exact to this many (decisions, 'The wire'). */
export const COUNTED_ROWS = 10_000;

/** Which invoices a list is of. */
export interface InvoiceFilter {
  /** One business's by id (a client's own) or by tag (what staff ask for); neither: everybody's. */
  readonly business?: { readonly id: number } | { readonly tag: string };
  readonly status?: Status;
  /** Looked for in the invoice number and the buyer's name, and, when `withOwner`, in the client's name. */
  readonly searchPhrase: string;
  readonly withOwner: boolean;
}

/** Which part of the list, `page` counted from 1. */
export interface PageOf {
  readonly page: number;
  readonly size: number;
}

/**
 * A page of invoices, newest first, and in every row how many there are: one statement. The page's ids come first,
 * from the index alone, and only they are joined (docs/decisions/0006). An unfiltered total is read from the
 * counters, a filtered one counted as far as {@link COUNTED_ROWS}; past the last page neither is looked at.
 */
export function selectInvoicePage(connection: Connection, filter: InvoiceFilter, { page, size }: PageOf) {
  const isFiltered = filter.status !== undefined || filter.searchPhrase !== '';
  return connection
    .with('page', (query) =>
      matching(query, filter)
        .select('invoices.id')
        .orderBy('invoices.listed_on', 'desc')
        .orderBy('invoices.id', 'desc')
        .limit(size)
        .offset((page - 1) * size),
    )
    .selectFrom('page')
    .innerJoin('invoices', 'invoices.id', 'page.id')
    .innerJoin('currencies', 'currencies.id', 'invoices.currency_id')
    .innerJoin('businesses as owner', 'owner.id', 'invoices.business_id')
    .innerJoin('businesses as buyer', 'buyer.id', 'invoices.buyer_id')
    .orderBy('invoices.listed_on', 'desc')
    .orderBy('invoices.id', 'desc')
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
    ])
    .select(() => (isFiltered ? countMatching(connection, filter) : readCounters(connection, filter)).as('total'));
}

export type InvoicePageRow = Awaited<ReturnType<ReturnType<typeof selectInvoicePage>['execute']>>[number];

function matching(connection: Pick<Connection, 'selectFrom'>, filter: InvoiceFilter) {
  const { business, status, searchPhrase, withOwner } = filter;
  let query = connection.selectFrom('invoices');
  if (business !== undefined) query = query.where((where) => isOfBusiness(where, business));
  if (status !== undefined) query = query.where('invoices.status', '=', status);
  if (searchPhrase !== '') query = query.where((where) => containsPhrase(where, searchPhrase, withOwner));
  return query;
}

type Where = ExpressionBuilder<Tables, 'invoices'>;

function isOfBusiness(where: Where, business: NonNullable<InvoiceFilter['business']>) {
  if ('id' in business) return where('invoices.business_id', '=', business.id);
  return where(
    'invoices.business_id',
    '=',
    where.selectFrom('businesses').select('businesses.id').where('businesses.tag', '=', business.tag),
  );
}

/** An array rather than a join, so that each of the three can use its own index (docs/decisions/0006). */
function containsPhrase(where: Where, phrase: string, withOwner: boolean) {
  const pattern = `%${phrase.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const named = where
    .selectFrom('businesses')
    .select('businesses.id')
    .where(sql<boolean>`lower(businesses.name) like lower(${pattern})`);
  return where.or([
    sql<boolean>`lower(invoices.invoice_number) like lower(${pattern})`,
    sql<boolean>`invoices.buyer_id = any (array(${named}))`,
    ...(withOwner ? [sql<boolean>`invoices.business_id = any (array(${named}))`] : []),
  ]);
}

function countMatching(connection: Connection, filter: InvoiceFilter) {
  const counted = matching(connection, filter).select('invoices.id').limit(COUNTED_ROWS);
  return sql<number>`(select count(*) from (${counted}) as counted)`;
}

/** The counters that triggers keep: a row for each business. */
function readCounters(connection: Connection, { business }: InvoiceFilter) {
  let counters = connection
    .selectFrom('row_counts')
    .where('list', '=', 'invoices')
    .select(sql<number>`coalesce(sum(rows), 0)::int`.as('total'));
  if (business !== undefined && 'id' in business) counters = counters.where('scope', '=', business.id);
  if (business !== undefined && 'tag' in business) {
    const ofTag = connection.selectFrom('businesses').select('businesses.id').where('tag', '=', business.tag);
    counters = counters.where('scope', '=', ofTag);
  }
  return sql<number>`(${counters})`;
}
