import { type RawBuilder, sql } from 'kysely';
import type { Status } from '#contract/applications/lifecycle.ts';
import type { InvoiceSort } from '#contract/invoices/sorts.ts';

/** What a list of invoices is of, and the orders that its indexes have (docs/decisions/0006). */

/** Whose invoices a list is of: one business's, by id (a client's own) or by tag (what staff ask for), or all. */
export type ListScope = { readonly businessId: number } | { readonly businessTag: string } | 'all';

/** Which invoices of those a list shows, and in which order; an undefined status is every one. */
export interface InvoiceFilter {
  readonly scope: ListScope;
  readonly status: Status | undefined;
  readonly sort: InvoiceSort;
}

/** Which part of a list, `page` counted from 1. */
export interface PageOf {
  readonly page: number;
  readonly size: number;
}

/** The column of each order, and which way it is read. */
export const orders = {
  date: { column: 'listed_on', direction: 'asc' },
  '-date': { column: 'listed_on', direction: 'desc' },
  applied: { column: 'advance', direction: 'asc' },
  '-applied': { column: 'advance', direction: 'desc' },
  received: { column: 'net_proceeds', direction: 'asc' },
  '-received': { column: 'net_proceeds', direction: 'desc' },
} as const satisfies Record<InvoiceSort, { readonly column: string; readonly direction: 'asc' | 'desc' }>;

const reversed = {
  date: '-date',
  '-date': 'date',
  applied: '-applied',
  '-applied': 'applied',
  received: '-received',
  '-received': 'received',
} as const satisfies Record<InvoiceSort, InvoiceSort>;

/** The same order from its other end. */
export function reverseOf(sort: InvoiceSort): InvoiceSort {
  return reversed[sort];
}

/**
 * A list's order; nothing applied for is less than any amount. No index has the amounts so: one business's invoices are
 * gathered first and sorted then, whatever the planner believes.
 */
export function orderOf(sort: InvoiceSort, table: 'invoices' | 'found'): RawBuilder<unknown> {
  const { column, direction } = orders[sort];
  const value = sql.ref(`${table}.${column}`);
  const by = column === 'listed_on' ? value : sql`coalesce(${value}, 0)`;
  return sql`${by} ${sql.raw(direction)}, ${sql.ref(`${table}.id`)} ${sql.raw(direction)}`;
}

/** The same order as the indexes over everybody's invoices have it, forwards or backwards. */
export function indexedOrderOf(sort: InvoiceSort): RawBuilder<unknown> {
  const { column, direction } = orders[sort];
  if (column === 'listed_on') return orderOf(sort, 'invoices');
  const nulls = sql.raw(direction === 'desc' ? 'nulls last' : 'nulls first');
  return sql`${sql.ref(`invoices.${column}`)} ${sql.raw(direction)} ${nulls}, invoices.id ${sql.raw(direction)}`;
}
