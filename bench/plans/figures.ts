import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import { fill } from '#bench/fills/invoice-list.fill.ts';
import { type Database, openDatabase } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { selectAllFigures, selectOwnFigures } from '#server/figures/figures.queries.ts';
import { migrate } from '#server/migrations/migrate.ts';

/**
 * What the dashboards' figures cost with a million applications of a thousand businesses: the real statements through
 * the driver, planned once for all values, and EXPLAIN (ANALYZE, BUFFERS) for these (docs/decisions/0010-figures.md).
 *
 *   node bench/plans/figures.ts [invoices]
 */

const INVOICES = Number(process.argv[2] ?? 1_000_000);
const BUSINESSES = 1000;
const RUNS = 15;
/** The last day that the helper fills. */
const TODAY = '2026-10-31';

async function measure(db: Database, name: string, statement: RawBuilder<unknown>): Promise<void> {
  const took: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const before = performance.now();
    await statement.execute(db);
    took.push(performance.now() - before);
  }
  const sorted = took.toSorted((fast, slow) => fast - slow);
  const { sql: text, parameters } = statement.compile(db);
  const plan = await db.executeQuery<Record<string, string>>(
    CompiledQuery.raw(`explain (analyze, buffers, costs off) ${text}`, [...parameters]),
  );
  console.log(`\n${name}: median ${(sorted[Math.floor(RUNS / 2)] ?? 0).toFixed(1)} ms`);
  for (const line of plan.rows) console.log(Object.values(line)[0]);
}

async function businessAt(db: Database, offset: number): Promise<number> {
  const counts = db.selectFrom('row_counts').where('list', '=', 'invoices').orderBy('rows', 'desc');
  return (await counts.select('scope').offset(offset).limit(1).executeTakeFirstOrThrow()).scope;
}

const dataDir = await mkdtemp(join(tmpdir(), 'kasente-bench-'));
await chmod(dataDir, 0o711); // PostgreSQL runs as another user when this is root, and has to get in
const settings = { max_wal_size: '4GB', plan_cache_mode: 'force_generic_plan' };
const postgres = await startEmbeddedPostgres({ dataDir, settings });
const opened = openDatabase(postgres.connection, () => undefined);
try {
  const { db } = opened;
  await migrate(db);
  await fill(db, { invoices: INVOICES, businesses: BUSINESSES });
  const filled = await sql<{ last: string }>`select max(listed_on) as last from invoices`.execute(db);
  console.log(`${INVOICES} invoices up to ${filled.rows[0]?.last}`);
  const year = { from: '2025-11-01', to: TODAY };
  await measure(db, 'client (middle)', selectOwnFigures(await businessAt(db, BUSINESSES / 2), year));
  await measure(db, 'client (largest)', selectOwnFigures(await businessAt(db, 0), year));
  await measure(db, 'staff, 12 weeks', selectAllFigures({ from: '2026-08-10', to: TODAY }));
} finally {
  await opened.close();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
