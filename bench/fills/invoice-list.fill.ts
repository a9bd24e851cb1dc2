import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';
import { addBusinesses, BUYERS } from './businesses.fill.ts';

/** The number of rows. */
interface Size {
  readonly invoices: number;
  readonly businesses: number;
}

const EVENTS = 20_000;
const EVENTS_A_TRANSACTION = 2000;

/** Fills an empty, migrated database with invoices: few clients have many, 3 % are drafts, buyers are shared. */
export async function fill(db: Database, { invoices, businesses }: Size): Promise<void> {
  await addBusinesses(db, businesses);
  await sql`insert into persons (username, username_kind, password_hash, status, phone, created_at)
    values ('0700000001', 'phone', 'none', 'Active', '0700000001', timestamptz '2020-01-01')`.execute(db);
  await sql`insert into invoices (business_id, buyer_id, currency_id, invoice_number, invoice_number_key, invoice_date,
      face_value, status, listed_on, created_at, created_by, application_tag, application_version,
      application_reference, application_date, advance, financing_period_id, tenor_days, fee_rate_bps, discount_fee,
      net_proceeds, submitted_at, submitted_by, decision_target_ms, clock_runs_since, decide_by)
    select 1 + floor(${sql.lit(businesses)} * random() ^ 2), ${sql.lit(businesses)} + 1 + floor(${sql.lit(BUYERS)} * random()), 1,
      case n % 5 when 0 then 'No ' else 'INV-' end || lpad(n::text, 7, '0'), 'inv-' || n, day, 1000000,
      status, day, day, 1, gen_random_uuid(), 1, gen_random_uuid(),
      day, advance, 3, 30, 1100, advance * 0.11, advance * 0.89, day, 1,
      case when status = 'Submitted' then 14400000 end, case when status = 'Submitted' then day end,
      case when status = 'Submitted' then day end
    from (select n, case when random() < 0.03 then 'Draft' else 'Submitted' end as status, 1000 * (1 + floor(900 * random())) as advance, date '2023-01-01' + (n * 1400.0 / ${sql.lit(invoices)})::integer as day
      from generate_series(1, ${sql.lit(invoices)}) as n) as made`.execute(db);
  // With an empty audit log, the server would keep a plan made for an empty table. Each event locks its subject until
  // its transaction ends, and PostgreSQL has room for a few thousand locks.
  for (let first = 1; first <= EVENTS; first += EVENTS_A_TRANSACTION) {
    await sql`insert into audit_events (at, action, subject_type, subject_tag, after)
      select created_at, 'invoice.created', 'invoice', tag, '{}' from invoices
      where id between ${sql.lit(first)} and ${sql.lit(first + EVENTS_A_TRANSACTION - 1)} order by id`.execute(db);
  }
  await sql`insert into idempotency_keys (person_id, key, request_hash, reply, created_at)
    select 1, 'filled-' || n, '', '{}', now() from generate_series(1, ${sql.lit(EVENTS)}) as n`.execute(db);
  await sql`vacuum (analyze)`.execute(db);
}
