import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { median } from '#bench/rounds.ts';
import { type Database, type OpenDatabase, openDatabase } from '#server/db/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { migrate } from '#server/migrations/migrate.ts';

/**
 * The cost and the plans of the product's statements on many rows. All these benches take
 *
 *   [rows]     the number of rows; a million by default
 *   --plans    prints the plans too
 *   --generic  forces generic plans, which PostgreSQL may choose itself
 */

export const ROWS = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 1_000_000);
export const BUSINESSES = 1000;
export const withPlans = process.argv.includes('--plans');
const RUNS = 15;

/** A measurement: the time of `run`, and the plans of the statements that it may send. */
export interface Measured {
  readonly name: string;
  /** Returns the number of rows. */
  run(): Promise<number | undefined>;
  readonly statements: readonly CompiledQuery[];
}

/** Measures one statement. */
export function statement(db: Database, name: string, query: CompiledQuery): Measured {
  return { name, run: async () => (await db.executeQuery(query)).rows.length, statements: [query] };
}

/** Does work on a new, migrated and filled database, and removes it. */
export async function onFilledDatabase(
  fill: (db: Database) => Promise<void>,
  work: (opened: OpenDatabase, postgres: EmbeddedPostgres) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kasente-bench-'));
  await chmod(dataDir, 0o711); // for root: PostgreSQL runs as another user, who needs access
  const planning = process.argv.includes('--generic') ? 'force_generic_plan' : 'auto';
  const postgres = await startEmbeddedPostgres({
    dataDir,
    settings: { max_wal_size: '4GB', plan_cache_mode: planning },
  });
  const opened = openDatabase(postgres.connection, () => undefined);
  try {
    await migrate(opened.db);
    await fill(opened.db);
    await work(opened, postgres);
  } finally {
    await opened.close();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Takes the measurements one after the other, and prints a table. */
export async function measureAll(db: Database, all: readonly Measured[]): Promise<void> {
  console.log('| what | rows | median ms | worst ms | buffers |\n|---|---|---|---|---|');
  for (const { name, run, statements } of all) {
    const took: number[] = [];
    let rows: number | undefined;
    // The first five runs have custom plans, and later ones may have a generic one; both count.
    for (let time = 0; time < RUNS; time += 1) {
      const before = performance.now();
      rows = await run();
      took.push(performance.now() - before);
    }
    const plans = await Promise.all(statements.map((query) => planOf(db, query)));
    const buffers = plans[0]?.find((line) => line.includes('Buffers:'))?.replace(/.*Buffers: /, '') ?? '';
    const [middle, worst] = [median(took), Math.max(...took)].map((ms) => ms.toFixed(1));
    console.log(`| ${name} | ${rows ?? 'none'} | ${middle} | ${worst} | ${buffers} |`);
    if (withPlans) for (const plan of plans) printPlan(plan);
  }
}

/** The lines of a statement's plan, with times and buffers. */
export async function planOf(db: Database, { sql: text, parameters }: CompiledQuery): Promise<string[]> {
  const explain = CompiledQuery.raw(`explain (analyze, buffers) ${text}`, [...parameters]);
  const { rows } = await db.executeQuery<Record<string, string>>(explain);
  return rows.map((line) => String(Object.values(line)[0]));
}

/** Prints a plan below its row. */
export function printPlan(plan: readonly string[]): void {
  console.log(['', '```', ...plan, '```', ''].join('\n'));
}

/** The client in this position by number of invoices. */
export function businessAt(db: Database, place: number): Promise<{ id: number; tag: string; rows: number }> {
  return db
    .selectFrom('row_counts')
    .innerJoin('businesses', 'businesses.id', 'row_counts.scope')
    .where('list', '=', 'invoices')
    .orderBy('rows', 'desc')
    .select(['businesses.id', 'businesses.tag', 'rows'])
    .offset(place)
    .limit(1)
    .executeTakeFirstOrThrow();
}
