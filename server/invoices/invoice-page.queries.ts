import type { InvoiceSort } from '#contract/invoices/sorts.ts';
import { COUNTED_ROWS } from '#contract/product.ts';
import { indexedOrderOf, orderOf } from './invoice-filter.ts';

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
  /** It stands in the statement itself: a plan made once for every value must know that a page is small. */
  readonly size: number;
}

/**
 * The statement. Its values are the business's id or tag where it is of one, the status where it has one, and how many rows come
 * before the page.
 */
export function pageStatement({ whose, sort, hasStatus, withoutDrafts, size }: PageShape): string {
  const ofAll = whose === 'all';
  const status = hidden(ofAll ? 1 : 2, 'text');
  const offset = hidden(1 + Number(!ofAll) + Number(hasStatus), 'integer');
  const conditions = [
    ...(ofAll ? [] : ['invoices.business_id = (select business_id from scope)']),
    ...(hasStatus ? [`invoices.status = ${status}`] : []),
    ...(withoutDrafts === true ? [`invoices.status <> 'Draft'`] : []),
  ];
  const listed = ['from invoices', conditions.join(' and ')].filter((part) => part !== '').join(' where ');
  // No counter knows how many there are of part of the invoices: they are counted as far as the list goes.
  const counted =
    hasStatus || withoutDrafts === true
      ? `select count(*)::integer as total from (select ${listed} limit ${COUNTED_ROWS}) as listed`
      : `select coalesce(sum(rows), 0)::integer as total from row_counts
  where list = 'invoices'${ofAll ? '' : ' and scope = (select business_id from scope)'}`;
  const order = ofAll ? indexedOrderOf(sort) : orderOf(sort, 'invoices');
  return `with ${scopeOf(whose)}counted as (${counted}),
page as (select invoices.id ${listed} order by ${order} limit ${size} offset ${offset})
select invoices.tag, invoices.invoice_number, invoices.face_value, currencies.code as currency, owner.name as owner,
  buyer.name as buyer, invoices.status, invoices.application_date, invoices.advance, invoices.discount_fee,
  invoices.net_proceeds, invoices.due_on, invoices.outstanding, (select total from counted) as total
from page
  join invoices on invoices.id = page.id
  join currencies on currencies.id = invoices.currency_id
  join businesses as owner on owner.id = invoices.business_id
  join businesses as buyer on buyer.id = invoices.buyer_id
order by ${orderOf(sort, 'invoices')}`;
}

/**
 * A value that the planner cannot see. Where it can, a plan for the value at hand seems better than one for all, as to pass over
 * few rows seems, and PostgreSQL plans anew each time, which takes longer than the rest.
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
      return 'scope as (select id as business_id from businesses where tag = $1::uuid),\n';
  }
}
