import { type CompiledQuery, sql } from 'kysely';
import { fill } from '#bench/fills/invoice-list.fill.ts';
import type { Database } from '#server/db/database.ts';
import type { InvoiceFilter } from '#server/invoices/invoice-filter.ts';
import {
  findInvoicePage,
  selectPage,
  selectPageOfCommonSearch,
  selectPageOfOwnSearch,
  selectPageOfSearch,
} from '#server/invoices/invoice-list.queries.ts';
import { BUSINESSES, businessAt, type Measured, measureAll, onFilledDatabase, ROWS } from './plans.ts';

/**
 * The cost of a page of the invoice list with a million applications of a thousand businesses
 * (docs/decisions/0006-invoice-list.md).
 *
 *   node bench/plans/invoice-list.ts [invoices] [--plans] [--generic]
 */

interface Case {
  readonly name: string;
  readonly filter: InvoiceFilter;
  readonly search?: string;
  readonly page: number;
}

/** The largest client has about thirty thousand invoices, the median one about seven hundred. */
function cases(largest: { id: number; tag: string; rows: number }, middle: { id: number; rows: number }): Case[] {
  const all = { scope: 'all', status: undefined, sort: '-date' } as const;
  const client = (businessId: number) => ({ scope: { businessId }, status: undefined, sort: '-date' }) as const;
  const lastPage = (rows: number) => Math.ceil(rows / 10);
  return [
    { name: 'client (middle), first page', filter: client(middle.id), page: 1 },
    { name: 'client (middle), middle page', filter: client(middle.id), page: lastPage(middle.rows / 2) },
    { name: 'client (middle), last page', filter: client(middle.id), page: lastPage(middle.rows) },
    { name: 'client (middle), drafts', filter: { ...client(middle.id), status: 'Draft' }, page: 1 },
    { name: 'client (middle), search "0042"', filter: client(middle.id), search: '0042', page: 1 },
    { name: 'client (largest), first page', filter: client(largest.id), page: 1 },
    { name: 'client (largest), middle page', filter: client(largest.id), page: lastPage(largest.rows / 2) },
    { name: 'client (largest), last page', filter: client(largest.id), page: lastPage(largest.rows) },
    { name: 'client (largest), drafts', filter: { ...client(largest.id), status: 'Draft' }, page: 1 },
    { name: 'client (largest), search "0042"', filter: client(largest.id), search: '0042', page: 1 },
    { name: 'client (largest), search "inv"', filter: client(largest.id), search: 'inv', page: 1 },
    { name: 'client (largest), search "buyer" (all)', filter: client(largest.id), search: 'buyer', page: 1 },
    { name: 'staff, first page', filter: all, page: 1 },
    { name: 'staff, page 1000', filter: all, page: 1000 },
    { name: 'staff, middle page', filter: all, page: lastPage(ROWS / 2) },
    { name: 'staff, last page', filter: all, page: lastPage(ROWS) },
    { name: 'staff, past the last page', filter: all, page: lastPage(ROWS) + 1 },
    { name: 'staff, one business', filter: { ...all, scope: { businessTag: largest.tag } }, page: 1 },
    { name: 'staff, drafts (3 %)', filter: { ...all, status: 'Draft' }, page: 1 },
    { name: 'staff, drafts, page 1000', filter: { ...all, status: 'Draft' }, page: 1000 },
    { name: 'staff, submitted', filter: { ...all, status: 'Submitted' }, page: 1 },
    { name: 'client (middle), by amount applied for', filter: { ...client(middle.id), sort: '-applied' }, page: 1 },
    { name: 'client (largest), by amount applied for', filter: { ...client(largest.id), sort: '-applied' }, page: 1 },
    { name: 'staff, oldest first', filter: { ...all, sort: 'date' }, page: 1 },
    { name: 'staff, oldest first, middle page', filter: { ...all, sort: 'date' }, page: lastPage(ROWS / 2) },
    { name: 'staff, largest first', filter: { ...all, sort: '-applied' }, page: 1 },
    { name: 'staff, smallest first, page 1000', filter: { ...all, sort: 'received' }, page: 1000 },
    { name: 'staff, largest first, middle page', filter: { ...all, sort: '-applied' }, page: lastPage(ROWS / 2) },
    { name: 'staff, largest first, last page', filter: { ...all, sort: '-applied' }, page: lastPage(ROWS) },
    { name: 'staff, drafts, largest first', filter: { ...all, status: 'Draft', sort: '-applied' }, page: 1 },
    { name: 'staff, search "0042", largest first', filter: { ...all, sort: '-applied' }, search: '0042', page: 1 },
    { name: 'staff, search "inv", largest first', filter: { ...all, sort: '-applied' }, search: 'inv', page: 1 },
    { name: 'staff, search one number', filter: all, search: 'INV-0500042', page: 1 },
    { name: 'staff, search "0042"', filter: all, search: '0042', page: 1 },
    { name: 'staff, search a client', filter: all, search: 'client 500 ', page: 1 },
    { name: 'staff, search a buyer', filter: all, search: 'buyer 77 ', page: 1 },
    { name: 'staff, drafts, search a buyer', filter: { ...all, status: 'Draft' }, search: 'buyer 77 ', page: 1 },
    { name: 'staff, search "client" (all)', filter: all, search: 'client', page: 1 },
    { name: 'staff, search "inv" (most)', filter: all, search: 'inv', page: 1 },
    { name: 'staff, search "inv", page 1000', filter: all, search: 'inv', page: 1000 },
    { name: 'staff, search "42" (2 letters)', filter: all, search: '42', page: 1 },
    { name: 'staff, search "zq" (none)', filter: all, search: 'zq', page: 1 },
    { name: 'staff, search "zqx" (none)', filter: all, search: 'zqx', page: 1 },
  ];
}

/** A buyer with as many invoices as the largest client, and the lists of its page. */
async function buyersCases(db: Database): Promise<Case[]> {
  const buyer = db
    .selectFrom('businesses')
    .select(['id', 'tag'])
    .where('id', '=', BUSINESSES + 1);
  const { id, tag: buyerTag } = await buyer.executeTakeFirstOrThrow();
  await sql`update invoices set buyer_id = ${id} where id % 32 = 0`.execute(db);
  await sql`vacuum (analyze) invoices`.execute(db);
  const ofBuyer = { scope: { buyerTag }, status: undefined, sort: '-date' } as const;
  return [
    { name: 'staff, one buyer, first page', filter: ofBuyer, page: 1 },
    { name: 'staff, one buyer, page 1000', filter: ofBuyer, page: 1000 },
    { name: 'staff, one buyer, drafts', filter: { ...ofBuyer, status: 'Draft' }, page: 1 },
    { name: 'staff, one buyer, without drafts', filter: { ...ofBuyer, withoutDrafts: true }, page: 1 },
    { name: 'staff, one buyer, largest first', filter: { ...ofBuyer, sort: '-applied' }, page: 1 },
    { name: 'staff, one buyer, search "0042"', filter: ofBuyer, search: '0042', page: 1 },
  ];
}

/** The statements that `findInvoicePage` may send for the case. */
function statements(db: Database, { filter, search: phrase, page: number }: Case): CompiledQuery[] {
  const page = { page: number, size: 10 };
  if (phrase === undefined) return [selectPage(filter, page)];
  const search = { phrase, inOwners: filter.scope === 'all' };
  if (filter.scope !== 'all') return [selectPageOfOwnSearch(db, filter, search, page).compile()];
  return [
    selectPageOfSearch(db, filter, search, page).compile(),
    selectPageOfCommonSearch(db, filter, search, page).compile(),
  ];
}

function measured(db: Database, one: Case): Measured {
  const { name, filter, search: phrase, page } = one;
  const search = phrase === undefined ? undefined : { phrase, inOwners: filter.scope === 'all' };
  return {
    name,
    run: async () => (await findInvoicePage(db, filter, search, { page, size: 10 }))[0]?.total,
    statements: statements(db, one),
  };
}

await onFilledDatabase(
  (db) => fill(db, { invoices: ROWS, businesses: BUSINESSES }),
  async ({ db }) => {
    const [largest, middle] = [await businessAt(db, 0), await businessAt(db, BUSINESSES / 2)];
    for (const taken of [() => cases(largest, middle), () => buyersCases(db)])
      await measureAll(
        db,
        (await taken()).map((one) => measured(db, one)),
      );
  },
);
