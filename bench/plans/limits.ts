import { sql } from 'kysely';
import { addBusinesses, BUYERS } from '#bench/fills/businesses.fill.ts';
import type { Database } from '#server/db/database.ts';
import { limitsStatement, raisesStatement, roomStatement } from '#server/limits/limits.queries.ts';
import { BUSINESSES, businessAt, measureAll, onFilledDatabase, ROWS, statement } from './plans.ts';

/**
 * The cost of funding limits with a million applications of a thousand clients, most of them settled
 * (docs/decisions/0014-limits-and-payments.md).
 *
 *   node bench/plans/limits.ts [invoices] [--plans] [--generic]
 */

/** Few clients have many invoices; one in a hundred waits, one in twenty is paid out, the rest is settled, 19 in 20 on time. */
async function fill(db: Database): Promise<void> {
  await addBusinesses(db, BUSINESSES);
  await sql`insert into persons (username, username_kind, password_hash, status, phone, created_at)
    values ('0700000001', 'phone', 'none', 'Active', '0700000001', timestamptz '2020-01-01')`.execute(db);
  await sql`insert into invoices (business_id, buyer_id, currency_id, invoice_number, invoice_number_key, invoice_date,
      face_value, status, listed_on, created_at, created_by, application_tag, application_version,
      application_reference, application_date, advance, financing_period_id, tenor_days, fee_rate_bps, discount_fee,
      net_proceeds, submitted_at, submitted_by, decision_target_ms, clock_runs_since, decide_by, decided_at, decided_by,
      due_on, outstanding, settled_on, settled_at)
    select 1 + floor(${sql.lit(BUSINESSES)} * random() ^ 2), ${sql.lit(BUSINESSES)} + 1 + floor(${sql.lit(BUYERS)} * random()),
      1 + (n % 10 = 0)::integer, 'INV-' || n, 'inv-' || n, day, 1000000, status, day, day, 1, gen_random_uuid(), 1,
      gen_random_uuid(), day, 900000, 3, 30, 1100, 99000, 801000, day, 1, 14400000,
      case when status = 'Submitted' then day end, day, case when status <> 'Submitted' then day end,
      case when status <> 'Submitted' then 1 end, case when status <> 'Submitted' then day + 30 end,
      case status when 'Submitted' then null when 'Disbursed' then 400000 else 0 end,
      case when status = 'Settled' then settled end, case when status = 'Settled' then settled end
    from (select n, day, day + 20 + floor(11.5 * random())::integer as settled,
        case when n % 100 = 0 then 'Submitted' when n % 20 = 1 then 'Disbursed' else 'Settled' end as status
      from generate_series(1, ${sql.lit(ROWS)}) as n,
        lateral (select date '2023-01-01' + (n * 1400.0 / ${sql.lit(ROWS)})::integer as day) as dated) as made`.execute(
    db,
  );
  // One client in three has a raised limit, some since a week before the last day.
  await sql`insert into funding_limits (business_id, currency_id, amount, set_at, set_by)
    select n, 1, 50000000 * (1 + n % 10), date '2026-10-24' - n % 300, 1
    from generate_series(1, ${sql.lit(BUSINESSES)}) as n where n % 3 = 0`.execute(db);
  await sql`vacuum (analyze)`.execute(db);
}

/** The default settings. */
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

await onFilledDatabase(fill, async ({ db }) => {
  const [{ id: largest }, { id: middle }] = [await businessAt(db, 0), await businessAt(db, BUSINESSES / 2)];
  await measureAll(
    db,
    [
      { name: 'room at submission (middle)', query: roomStatement(middle, 1) },
      { name: 'room at submission (largest)', query: roomStatement(largest, 1) },
      { name: 'own limits (middle)', query: limitsStatement(middle, rules) },
      { name: 'own limits (largest)', query: limitsStatement(largest, rules) },
      { name: 'earned raises, first page', query: raisesStatement({ ...raises, offset: 0 }) },
      { name: 'earned raises, page 50', query: raisesStatement({ ...raises, offset: 490 }) },
    ].map(({ name, query }) => statement(db, name, query.compile(db))),
  );
});
