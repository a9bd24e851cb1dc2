import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import { type Database, openDatabase } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { limitsStatement, raisesStatement, roomStatement } from '#server/limits/limits.queries.ts';
import { migrate } from '#server/migrations/migrate.ts';

/**
 * What funding limits cost with a million applications of a thousand clients, most of them settled: the real statements
 * through the driver, planned once for all values, and EXPLAIN (ANALYZE, BUFFERS) for these
 * (docs/decisions/0014-limits-and-payments.md).
 *
 *   node bench/plans/limits.ts [invoices] [clients]
 */

const [INVOICES = 1_000_000, CLIENTS = 1000] = process.argv.slice(2).map(Number);
const BUYERS = 2000;
const RUNS = 15;

/** Few clients have many; one in a hundred waits, one in twenty is paid out, the rest is settled, 19 in 20 on time. */
async function fill(db: Database): Promise<void> {
  await sql`select setseed(0.42)`.execute(db);
  await sql`insert into businesses (name, industry_id, district_id, is_client, is_buyer, active, created_at)
    select case when n <= ${sql.lit(CLIENTS)} then 'Client ' || n || ' Traders Ltd' else 'Buyer ' || n || ' Group' end,
      1, 1, n <= ${sql.lit(CLIENTS)}, n > ${sql.lit(CLIENTS)}, true, timestamptz '2020-01-01'
    from generate_series(1, ${sql.lit(CLIENTS + BUYERS)}) as n`.execute(db);
  await sql`insert into persons (username, username_kind, password_hash, status, phone, created_at)
    values ('0700000001', 'phone', 'none', 'Active', '0700000001', timestamptz '2020-01-01')`.execute(db);
  await sql`insert into invoices (business_id, buyer_id, currency_id, invoice_number, invoice_number_key, invoice_date,
      face_value, status, listed_on, created_at, created_by, application_tag, application_version,
      application_reference, application_date, advance, financing_period_id, tenor_days, fee_rate_bps, discount_fee,
      net_proceeds, submitted_at, submitted_by, decision_target_ms, clock_runs_since, decide_by, decided_at, decided_by,
      due_on, outstanding, settled_on, settled_at)
    select 1 + floor(${sql.lit(CLIENTS)} * random() ^ 2), ${sql.lit(CLIENTS)} + 1 + floor(${sql.lit(BUYERS)} * random()),
      1 + (n % 10 = 0)::integer, 'INV-' || n, 'inv-' || n, day, 1000000, status, day, day, 1, gen_random_uuid(), 1,
      gen_random_uuid(), day, 900000, 3, 30, 1100, 99000, 801000, day, 1, 14400000,
      case when status = 'Submitted' then day end, day, case when status <> 'Submitted' then day end,
      case when status <> 'Submitted' then 1 end, case when status <> 'Submitted' then day + 30 end,
      case status when 'Submitted' then null when 'Disbursed' then 400000 else 0 end,
      case when status = 'Settled' then settled end, case when status = 'Settled' then settled end
    from (select n, day, day + 20 + floor(11.5 * random())::integer as settled,
        case when n % 100 = 0 then 'Submitted' when n % 20 = 1 then 'Disbursed' else 'Settled' end as status
      from generate_series(1, ${sql.lit(INVOICES)}) as n,
        lateral (select date '2023-01-01' + (n * 1400.0 / ${sql.lit(INVOICES)})::integer as day) as dated) as made`.execute(
    db,
  );
  // One client in three has been raised, some a week before the last day.
  await sql`insert into funding_limits (business_id, currency_id, amount, set_at, set_by)
    select n, 1, 50000000 * (1 + n % 10), date '2026-10-24' - n % 300, 1
    from generate_series(1, ${sql.lit(CLIENTS)}) as n where n % 3 = 0`.execute(db);
  await sql`vacuum (analyze)`.execute(db);
}

async function measure(db: Database, name: string, statement: RawBuilder<unknown>): Promise<void> {
  const took: number[] = [];
  let rows = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const before = performance.now();
    rows = (await statement.execute(db)).rows.length;
    took.push(performance.now() - before);
  }
  const sorted = took.toSorted((fast, slow) => fast - slow);
  const { sql: text, parameters } = statement.compile(db);
  const plan = await db.executeQuery<Record<string, string>>(
    CompiledQuery.raw(`explain (analyze, buffers, costs off) ${text}`, [...parameters]),
  );
  console.log(`\n${name}: ${rows} rows, median ${(sorted[Math.floor(RUNS / 2)] ?? 0).toFixed(1)} ms`);
  for (const line of plan.rows) console.log(Object.values(line)[0]);
}

async function businessAt(db: Database, offset: number): Promise<number> {
  const counts = db.selectFrom('row_counts').where('list', '=', 'invoices').orderBy('rows', 'desc');
  return (await counts.select('scope').offset(offset).limit(1).executeTakeFirstOrThrow()).scope;
}

/** The settings' own rule. */
const raises = {
  rules: [
    { currency: 'UGX', start: 5_000_000_000, maximum: 50_000_000_000, highest: 200_000_000_000 },
    { currency: 'USD', start: 1_500_000, maximum: 15_000_000, highest: 60_000_000 },
  ],
  growthAfter: 3,
  growthPercent: 25,
  size: 10,
  counting: { sizePercent: 5, minimumDays: 7 },
};

const amounts = (of: 'start' | 'highest') => new Map(raises.rules.map((rule) => [rule.currency, rule[of]]));
const rules = { bounds: { start: amounts('start'), highest: amounts('highest') }, counting: raises.counting };

const dataDir = await mkdtemp(join(tmpdir(), 'kasente-bench-'));
await chmod(dataDir, 0o711); // PostgreSQL runs as another user when this is root, and has to get in
const settings = { max_wal_size: '4GB', plan_cache_mode: 'force_generic_plan' };
const postgres = await startEmbeddedPostgres({ dataDir, settings });
const opened = openDatabase(postgres.connection, () => undefined);
try {
  const { db } = opened;
  await migrate(db);
  await fill(db);
  const [largest, middle] = [await businessAt(db, 0), await businessAt(db, Math.floor(CLIENTS / 2))];
  await measure(db, 'room at submission (middle)', roomStatement(middle, 1));
  await measure(db, 'room at submission (largest)', roomStatement(largest, 1));
  await measure(db, 'own limits (middle)', limitsStatement(middle, rules));
  await measure(db, 'own limits (largest)', limitsStatement(largest, rules));
  await measure(db, 'earned raises, first page', raisesStatement({ ...raises, offset: 0 }));
  await measure(db, 'earned raises, page 50', raisesStatement({ ...raises, offset: 490 }));
} finally {
  await opened.close();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
