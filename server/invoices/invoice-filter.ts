import type { Status } from '#contract/applications/lifecycle.ts';
import type { InvoiceSort } from '#contract/invoices/sorts.ts';

/** The filters and orders of invoice lists (docs/decisions/0006). */

/**
 * Whose invoices are listed: one client's, by id (their own) or by tag (requested by staff), those to one buyer, or all.
 */
export type ListScope =
  | { readonly businessId: number }
  | { readonly businessTag: string }
  | { readonly buyerTag: string }
  | 'all';

/** Which invoices are listed, and in which order; an undefined status means any, except drafts with `withoutDrafts`. */
export interface InvoiceFilter {
  readonly scope: ListScope;
  readonly status: Status | undefined;
  readonly withoutDrafts?: boolean | undefined;
  readonly sort: InvoiceSort;
}

/** The requested page, counted from 1. */
export interface PageOf {
  readonly page: number;
  readonly size: number;
}

/** A row of the list, money in minor units. `total` is the number of all rows. */
export interface InvoicePageRow {
  readonly tag: string;
  readonly invoice_number: string;
  readonly face_value: number;
  readonly currency: string;
  readonly owner: string;
  readonly owner_tag: string;
  readonly buyer: string;
  readonly buyer_tag: string;
  readonly status: Status;
  readonly application_date: string | null;
  readonly advance: number | null;
  readonly discount_fee: number | null;
  readonly net_proceeds: number | null;
  readonly due_on: string | null;
  readonly outstanding: number | null;
  readonly total: number;
}

/** The column of each order, and its direction. */
export const orders = {
  date: { column: 'listed_on', direction: 'asc' },
  '-date': { column: 'listed_on', direction: 'desc' },
  applied: { column: 'advance', direction: 'asc' },
  '-applied': { column: 'advance', direction: 'desc' },
  received: { column: 'net_proceeds', direction: 'asc' },
  '-received': { column: 'net_proceeds', direction: 'desc' },
} as const satisfies Record<InvoiceSort, { readonly column: string; readonly direction: 'asc' | 'desc' }>;

/**
 * A list's order as SQL; a missing amount sorts below all others. No index has this expression: we gather one
 * business's invoices first and then sort them, whatever the planner estimates.
 */
export function orderOf(sort: InvoiceSort, table: 'invoices' | 'found'): string {
  const { column, direction } = orders[sort];
  const by = column === 'listed_on' ? `${table}.listed_on` : `coalesce(${table}.${column}, 0)`;
  return `${by} ${direction}, ${table}.id ${direction}`;
}

/** The same order as the indexes over all invoices, forwards or backwards. */
export function indexedOrderOf(sort: InvoiceSort): string {
  const { column, direction } = orders[sort];
  if (column === 'listed_on') return orderOf(sort, 'invoices');
  const nulls = direction === 'desc' ? 'nulls last' : 'nulls first';
  return `invoices.${column} ${direction} ${nulls}, invoices.id ${direction}`;
}
