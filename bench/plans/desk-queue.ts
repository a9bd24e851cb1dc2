import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { fill } from '#bench/fills/desk-queue.fill.ts';
import { queueViewNames } from '#contract/desk/schema.ts';
import { selectAttention } from '#server/applications/attention.queries.ts';
import { type Database, openDatabase } from '#server/db/database.ts';
import { findHistory } from '#server/desk/case.queries.ts';
import {
  findQueuePage,
  type QueueMoment,
  type QueuePage,
  selectQueueCounts,
  selectQueuePage,
} from '#server/desk/queue.queries.ts';
import { selectKept, selectKeptByWeek } from '#server/desk/sla/sla-kept.queries.ts';
import { selectDueIds } from '#server/desk/sla/sla-sweep.queries.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { migrate } from '#server/migrations/migrate.ts';

/**
 * What the decision desk's queues, counts and figures cost with a million applications, five thousand of which wait: the
 * real queries under EXPLAIN (ANALYZE, BUFFERS), and how long they take through the driver (docs/decisions/0013).
 *
 *   node bench/plans/desk-queue.ts [invoices] [--plans] [--generic]
 *
 * `--generic` has every statement planned once for all values, as PostgreSQL may decide to do.
 */

const INVOICES = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 1_000_000);
const BUSINESSES = 1000;
const UNDECIDED = Math.min(5000, INVOICES / 10);
const RUNS = 15;
const NOW = new Date('2026-11-20T09:00:00Z');
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

const moment: QueueMoment = {
  personId: 1,
  now: NOW,
  soon: new Date(NOW.getTime() + HOUR_MS),
  today: '2026-11-20',
  weekAhead: '2026-11-27',
  monthBegan: new Date('2026-10-31T21:00:00Z'),
};

interface Measured {
  readonly name: string;
  /** Runs it and answers how many there are, or how many rows came. */
  run(): Promise<number | undefined>;
  explain(): Promise<string[]>;
}

function queue(db: Database, page: QueuePage): Measured {
  const search = page.searchPhrase === '' ? '' : `, search "${page.searchPhrase}"`;
  return {
    name: `queue: ${page.view}, page ${page.page}${search}`,
    run: async () => (await findQueuePage(db, page, moment))[0]?.total,
    explain: async () => {
      const lines = await selectQueuePage(db, page, moment).explain('text', sql`analyze, buffers`);
      return lines.map((line) => String(Object.values(line)[0]));
    },
  };
}

function statement(db: Database, name: string, query: RawBuilder<unknown>): Measured {
  return {
    name,
    run: async () => (await query.execute(db)).rows.length,
    explain: async () => {
      const { rows } = await sql<Record<string, string>>`explain (analyze, buffers) ${query}`.execute(db);
      return rows.map((row) => String(Object.values(row)[0]));
    },
  };
}

function plain(name: string, run: () => Promise<number | undefined>): Measured {
  return { name, run, explain: async () => [] };
}

function everything(db: Database, largest: number): Measured[] {
  const page = { searchPhrase: '', page: 1, size: 10 };
  const undecided = { ...page, view: 'undecided' } as const;
  return [
    ...queueViewNames.map((view) => queue(db, { ...page, view })),
    queue(db, { ...undecided, page: UNDECIDED / 10 }),
    queue(db, { ...undecided, searchPhrase: 'client 500 ' }),
    queue(db, { ...undecided, searchPhrase: 'inv-099' }),
    queue(db, { ...undecided, searchPhrase: 'zq' }),
    queue(db, { ...page, view: 'disbursed', searchPhrase: 'zq' }),
    queue(db, { ...page, view: 'decidedThisMonth', searchPhrase: 'buyer 77 ' }),
    statement(db, 'counts of the queues', selectQueueCounts(moment)),
    statement(db, 'promise kept, this month', selectKept(moment.monthBegan, NOW)),
    statement(db, 'promise kept, twelve weeks', selectKeptByWeek(new Date(NOW.getTime() - 84 * DAY_MS), NOW)),
    plain('promises to tell as missed', async () => (await selectDueIds(db, NOW, 500)).length),
    plain('what matters to the largest client', async () => (await selectAttention(db, largest, moment.today)).length),
    plain('history of the largest client', async () => {
      const client = { id: INVOICES, businessId: largest, buyerId: BUSINESSES + 1 };
      return (await findHistory(db, client, moment.today)).applications;
    }),
  ];
}

async function measure({ name, run, explain }: Measured, withPlans: boolean): Promise<void> {
  const took: number[] = [];
  let count: number | undefined;
  // The first five runs of a statement are planned for their values, the later ones may be for any: both count.
  for (let time = 0; time < RUNS; time += 1) {
    const before = performance.now();
    count = await run();
    took.push(performance.now() - before);
  }
  const sorted = took.toSorted((fast, slow) => fast - slow);
  const [median, worst] = [sorted[Math.floor(RUNS / 2)] ?? 0, sorted.at(-1) ?? 0];
  const plan = await explain();
  const buffers = plan.find((line) => line.includes('Buffers:'))?.replace(/.*Buffers: /, '') ?? '';
  console.log(`| ${name} | ${count ?? 'none'} | ${median.toFixed(1)} | ${worst.toFixed(1)} | ${buffers} |`);
  if (withPlans && plan.length > 0) console.log(['', '```', ...plan, '```', ''].join('\n'));
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
    await fill(db, { invoices: INVOICES, businesses: BUSINESSES, undecided: UNDECIDED }, NOW);
    console.log('| what | rows | median ms | worst ms | buffers |\n|---|---|---|---|---|');
    const counters = db.selectFrom('row_counts').where('list', '=', 'invoices').orderBy('rows', 'desc').select('scope');
    const { scope: largest } = await counters.limit(1).executeTakeFirstOrThrow();
    for (const one of everything(db, largest)) await measure(one, process.argv.includes('--plans'));
  } finally {
    await opened.close();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
