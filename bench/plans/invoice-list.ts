import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { fill } from '#bench/fills/invoice-list.fill.ts';
import { type Database, openDatabase } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import type { InvoiceFilter } from '#server/invoices/invoice-filter.ts';
import {
  findInvoicePage,
  selectPage,
  selectPageOfCommonSearch,
  selectPageOfOwnSearch,
  selectPageOfSearch,
} from '#server/invoices/invoice-list.queries.ts';
import { migrate } from '#server/migrations/migrate.ts';

/**
 * What a page of the invoice list costs with a million applications of a thousand businesses: the real query under
 * EXPLAIN (ANALYZE, BUFFERS), and how long it takes through the driver (docs/decisions/0006-invoice-list.md).
 *
 *   node bench/plans/invoice-list.ts [invoices] [--plans] [--generic]
 *
 * `--generic` has every statement planned once for all values, as PostgreSQL may decide to do.
 */

const INVOICES = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 1_000_000);
const BUSINESSES = 1000;
const RUNS = 15;

interface Case {
  readonly name: string;
  readonly filter: InvoiceFilter;
  readonly search?: string;
  readonly page: number;
}

/** The largest client holds some thirty thousand invoices, the one in the middle some seven hundred. */
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
    { name: 'staff, middle page', filter: all, page: lastPage(INVOICES / 2) },
    { name: 'staff, last page', filter: all, page: lastPage(INVOICES) },
    { name: 'staff, past the last page', filter: all, page: lastPage(INVOICES) + 1 },
    { name: 'staff, one business', filter: { ...all, scope: { businessTag: largest.tag } }, page: 1 },
    { name: 'staff, drafts (3 %)', filter: { ...all, status: 'Draft' }, page: 1 },
    { name: 'staff, drafts, page 1000', filter: { ...all, status: 'Draft' }, page: 1000 },
    { name: 'staff, submitted', filter: { ...all, status: 'Submitted' }, page: 1 },
    { name: 'client (middle), by amount applied for', filter: { ...client(middle.id), sort: '-applied' }, page: 1 },
    { name: 'client (largest), by amount applied for', filter: { ...client(largest.id), sort: '-applied' }, page: 1 },
    { name: 'staff, oldest first', filter: { ...all, sort: 'date' }, page: 1 },
    { name: 'staff, oldest first, middle page', filter: { ...all, sort: 'date' }, page: lastPage(INVOICES / 2) },
    { name: 'staff, largest first', filter: { ...all, sort: '-applied' }, page: 1 },
    { name: 'staff, smallest first, page 1000', filter: { ...all, sort: 'received' }, page: 1000 },
    { name: 'staff, largest first, middle page', filter: { ...all, sort: '-applied' }, page: lastPage(INVOICES / 2) },
    { name: 'staff, largest first, last page', filter: { ...all, sort: '-applied' }, page: lastPage(INVOICES) },
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

async function planOf(db: Database, { sql: text, parameters }: CompiledQuery): Promise<string[]> {
  const explain = CompiledQuery.raw(`explain (analyze, buffers) ${text}`, [...parameters]);
  const { rows } = await db.executeQuery<Record<string, string>>(explain);
  return rows.map((line) => String(Object.values(line)[0]));
}

async function measure(db: Database, one: Case, withPlans: boolean): Promise<void> {
  const { name, filter, search: phrase, page } = one;
  const search = phrase === undefined ? undefined : { phrase, inOwners: filter.scope === 'all' };
  const took: number[] = [];
  let total: number | undefined;
  // The first five runs of a statement are planned for their values, the later ones may be for any: both count.
  for (let run = 0; run < RUNS; run += 1) {
    const before = performance.now();
    const rows = await findInvoicePage(db, filter, search, { page, size: 10 });
    took.push(performance.now() - before);
    total = rows[0]?.total;
  }
  const sorted = took.toSorted((fast, slow) => fast - slow);
  const [median, worst] = [sorted[Math.floor(RUNS / 2)] ?? 0, sorted.at(-1) ?? 0];
  const texts = await Promise.all(statements(db, one).map((query) => planOf(db, query)));
  const buffers = texts[0]?.find((line) => line.includes('Buffers:'))?.replace(/.*Buffers: /, '');
  console.log(`| ${name} | ${total ?? 'none'} | ${median.toFixed(1)} | ${worst.toFixed(1)} | ${buffers} |`);
  if (withPlans) for (const text of texts) console.log(['', '```', ...text, '```', ''].join('\n'));
}

async function businessAt(db: Database, offset: number) {
  return db
    .selectFrom('row_counts')
    .innerJoin('businesses', 'businesses.id', 'row_counts.scope')
    .where('list', '=', 'invoices')
    .orderBy('rows', 'desc')
    .select(['businesses.id', 'businesses.tag', 'rows'])
    .offset(offset)
    .limit(1)
    .executeTakeFirstOrThrow();
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kasente-bench-'));
  await chmod(dataDir, 0o711); // PostgreSQL runs as another user when this is root, and has to get in
  const planning = process.argv.includes('--generic') ? 'force_generic_plan' : 'auto';
  const settings = { max_wal_size: '4GB', plan_cache_mode: planning };
  const postgres = await startEmbeddedPostgres({ dataDir, settings });
  const opened = openDatabase(postgres.connection, () => undefined);
  const { db } = opened;
  try {
    await migrate(db);
    await fill(db, { invoices: INVOICES, businesses: BUSINESSES });
    console.log('| list | total | median ms | worst ms | buffers |\n|---|---|---|---|---|');
    const [largest, middle] = [await businessAt(db, 0), await businessAt(db, BUSINESSES / 2)];
    for (const one of cases(largest, middle)) await measure(db, one, process.argv.includes('--plans'));
  } finally {
    await opened.close();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
