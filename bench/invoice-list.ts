import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type InvoiceFilter, selectInvoicePage } from '#server/invoices/invoice-list.queries.ts';
import { migrate } from '#server/migrations/migrate.ts';
import { type Database, openDatabase } from '#server/platform/database.ts';
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts';
import { fill } from './invoice-list.fill.ts';

/**
 * What a page of the invoice list costs with a million applications of a thousand businesses: the real query under
 * EXPLAIN (ANALYZE, BUFFERS), and how long it takes through the driver (docs/decisions/0006-invoice-list.md).
 *
 *   node bench/invoice-list.ts [invoices] [--plans]
 */

const INVOICES = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 1_000_000);
const BUSINESSES = 1000;
const RUNS = 15;

interface Case {
  readonly name: string;
  readonly filter: InvoiceFilter;
  readonly page: number;
}

const everybody = { searchPhrase: '', withOwner: true } as const;

/** The largest client holds some thirty thousand invoices, the one in the middle some five hundred. */
function cases(largest: { id: number; tag: string; rows: number }, middle: { id: number; rows: number }): Case[] {
  const client = (id: number) => ({ business: { id }, searchPhrase: '', withOwner: false }) as const;
  const lastPage = (rows: number) => Math.ceil(rows / 10);
  return [
    { name: 'client (middle), first page', filter: client(middle.id), page: 1 },
    { name: 'client (middle), last page', filter: client(middle.id), page: lastPage(middle.rows) },
    { name: 'client (largest), first page', filter: client(largest.id), page: 1 },
    { name: 'client (largest), last page', filter: client(largest.id), page: lastPage(largest.rows) },
    { name: 'client (largest), drafts', filter: { ...client(largest.id), status: 'Draft' }, page: 1 },
    { name: 'client (largest), search "0042"', filter: { ...client(largest.id), searchPhrase: '0042' }, page: 1 },
    { name: 'client (largest), search "inv"', filter: { ...client(largest.id), searchPhrase: 'inv' }, page: 1 },
    { name: 'client (middle), search buyer', filter: { ...client(middle.id), searchPhrase: 'buyer 77 ' }, page: 1 },
    { name: 'staff, first page', filter: everybody, page: 1 },
    { name: 'staff, page 1000', filter: everybody, page: 1000 },
    { name: 'staff, middle page', filter: everybody, page: lastPage(INVOICES / 2) },
    { name: 'staff, last page', filter: everybody, page: lastPage(INVOICES) },
    { name: 'staff, past the last page', filter: everybody, page: lastPage(INVOICES) + 1 },
    { name: 'staff, one business', filter: { ...everybody, business: { tag: largest.tag } }, page: 1 },
    { name: 'staff, drafts (3 %)', filter: { ...everybody, status: 'Draft' }, page: 1 },
    { name: 'staff, drafts, page 1000', filter: { ...everybody, status: 'Draft' }, page: 1000 },
    { name: 'staff, submitted', filter: { ...everybody, status: 'Submitted' }, page: 1 },
    { name: 'staff, search one number', filter: { ...everybody, searchPhrase: 'INV-0500042' }, page: 1 },
    { name: 'staff, search "0042"', filter: { ...everybody, searchPhrase: '0042' }, page: 1 },
    { name: 'staff, search a client', filter: { ...everybody, searchPhrase: 'client 500 ' }, page: 1 },
    { name: 'staff, search a buyer', filter: { ...everybody, searchPhrase: 'buyer 77 ' }, page: 1 },
    { name: 'staff, search "client" (all)', filter: { ...everybody, searchPhrase: 'client' }, page: 1 },
    { name: 'staff, search "inv" (most)', filter: { ...everybody, searchPhrase: 'inv' }, page: 1 },
    { name: 'staff, search "inv", page 1000', filter: { ...everybody, searchPhrase: 'inv' }, page: 1000 },
    { name: 'staff, search "42" (2 letters)', filter: { ...everybody, searchPhrase: '42' }, page: 1 },
    { name: 'staff, search "zq" (none)', filter: { ...everybody, searchPhrase: 'zq' }, page: 1 },
    { name: 'staff, search "zqx" (none)', filter: { ...everybody, searchPhrase: 'zqx' }, page: 1 },
  ];
}

async function measure(db: Database, { name, filter, page }: Case, withPlans: boolean): Promise<void> {
  const query = selectInvoicePage(db, filter, { page, size: 10 });
  const took: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const before = performance.now();
    await query.execute();
    took.push(performance.now() - before);
  }
  const rows = await query.execute();
  // The first five runs of a statement are planned for their values, the later ones for any: both count.
  const median = took.toSorted((one, other) => one - other)[Math.floor(RUNS / 2)] ?? 0;
  const plan = await query.explain('text', sql`analyze, buffers`);
  const lines = plan.map((line) => String(Object.values(line)[0]));
  const buffers = lines.find((line) => line.includes('Buffers:'))?.trim() ?? '';
  console.log(
    `| ${name} | ${rows[0]?.total ?? 'none'} | ${median.toFixed(1)} | ${Math.max(...took).toFixed(1)} | ${buffers.replace('Buffers: ', '')} |`,
  );
  if (withPlans) console.log(['', '```', ...lines, '```', ''].join('\n'));
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
  const postgres = await startEmbeddedPostgres({ dataDir, settings: { max_wal_size: '4GB' } });
  const { db, close } = openDatabase(postgres.connection, () => undefined);
  try {
    await migrate(db);
    await fill(db, { invoices: INVOICES, businesses: BUSINESSES });
    console.log('| list | total | median ms | worst ms | buffers |\n|---|---|---|---|---|');
    const [largest, middle] = [await businessAt(db, 0), await businessAt(db, BUSINESSES / 2)];
    for (const one of cases(largest, middle)) await measure(db, one, process.argv.includes('--plans'));
  } finally {
    await close();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
