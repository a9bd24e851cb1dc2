import type { InvoiceSort } from '#contract/invoices/sorts.ts';
import { COUNTED_ROWS } from '#contract/product.ts';
import { indexedOrderOf, orderOf } from './invoice-filter.ts';

/**
 * A page without a search as one statement: its ids come from an index alone, and only those rows are joined
 * (docs/decisions/0006). It is plain text, one for each shape, because building it for each call costs as much as
 * running it. Total and rows come from one snapshot.
 */

/** The shape of a page: pages of equal shape share a statement. */
export interface PageShape {
  /** `own`: one client, by its id. `named`: one client, by its tag. `buyer`: one buyer, by its tag. */
  readonly whose: 'all' | 'own' | 'named' | 'buyer';
  readonly sort: InvoiceSort;
  readonly hasStatus: boolean;
  readonly withoutDrafts?: boolean | undefined;
  /** A literal, because a generic plan must know that a page is small. */
  readonly size: number;
}

/**
 * The text of the statement. Its parameters are the business's id or tag (unless it covers all), the status if there is
 * one, and the number of rows before the page.
 */
export function pageStatement({ whose, sort, hasStatus, withoutDrafts, size }: PageShape): string {
  const ofAll = whose === 'all';
  const ofBuyer = whose === 'buyer';
  const status = hidden(ofAll ? 1 : 2, 'text');
  const offset = hidden(1 + Number(!ofAll) + Number(hasStatus), 'integer');
  const conditions = [
    ...(ofAll ? [] : [`invoices.${ofBuyer ? 'buyer_id' : 'business_id'} = (select business_id from scope)`]),
    ...(hasStatus ? [`invoices.status = ${status}`] : []),
    ...(withoutDrafts === true ? [`invoices.status <> 'Draft'`] : []),
  ];
  const listed = ['from invoices', conditions.join(' and ')].filter((part) => part !== '').join(' where ');
  // No counter exists for a filtered list or a buyer's, so we count its rows up to the list's end.
  const counted =
    hasStatus || withoutDrafts === true || ofBuyer
      ? `select count(*)::integer as total from (select ${listed} limit ${COUNTED_ROWS}) as listed`
      : `select coalesce(sum(rows), 0)::integer as total from row_counts
  where list = 'invoices'${ofAll ? '' : ' and scope = (select business_id from scope)'}`;
  const order = ofAll ? indexedOrderOf(sort) : orderOf(sort, 'invoices');
  return `with ${scopeOf(whose)}counted as (${counted}),
page as (select invoices.id ${listed} order by ${order} limit ${size} offset ${offset})
select invoices.tag, invoices.invoice_number, invoices.face_value, currencies.code as currency, owner.name as owner,
  owner.tag as owner_tag, buyer.name as buyer, buyer.tag as buyer_tag, invoices.status, invoices.application_date, invoices.advance, invoices.discount_fee,
  invoices.net_proceeds, invoices.due_on, invoices.outstanding, (select total from counted) as total
from page
  join invoices on invoices.id = page.id
  join currencies on currencies.id = invoices.currency_id
  join businesses as owner on owner.id = invoices.business_id
  join businesses as buyer on buyer.id = invoices.buyer_id
order by ${orderOf(sort, 'invoices')}`;
}

/**
 * Hides a value from the planner. Otherwise PostgreSQL would plan for each value, which seems cheaper for few rows, and
 * planning again each time takes longer than the rest.
 */
function hidden(number: number, type: 'integer' | 'text'): string {
  return `(select $${number}::${type})`;
}

function scopeOf(whose: PageShape['whose']): string {
  switch (whose) {
    case 'all':
      return '';
    case 'own':
      return 'scope as (select $1::integer as business_id),\n';
    case 'named':
    case 'buyer':
      return 'scope as (select id as business_id from businesses where tag = $1::uuid),\n';
  }
}
