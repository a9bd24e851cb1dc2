import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';
import { addBusinesses, BUYERS } from './businesses.fill.ts';

/** The number of rows. */
interface Size {
  readonly invoices: number;
  readonly businesses: number;
  /** The newest applications, which wait for a decision. */
  readonly undecided: number;
}

/**
 * Fills an empty, migrated database with applications of four years up to `now`: the newest wait for a decision, a third of them
 * assigned; older ones are approved, then paid out; the rest is settled or declined.
 */
export async function fill(db: Database, { invoices, businesses, undecided }: Size, now: Date): Promise<void> {
  await addBusinesses(db, businesses);
  await sql`insert into persons (username, username_kind, password_hash, status, permissions, phone, created_at)
    select '070000000' || n, 'phone', 'none', 'Active', '{KSTAF}', '070000000' || n, timestamptz '2020-01-01'
    from generate_series(1, 9) as n`.execute(db);
  await sql`
    with made as (
      select n, random() as luck, ${now}::timestamptz - (${sql.lit(invoices)} - n) * interval '4 years' / ${sql.lit(invoices)}
        as at,
        case when n > ${sql.lit(invoices - undecided)} then (array['Submitted', 'In Review', 'Info Requested'])[1 + n % 3]
          when n > ${sql.lit(invoices - undecided - 2000)} then 'Approved'
          when n > ${sql.lit(invoices - undecided - 30_000)} then 'Disbursed'
          when n % 10 = 0 then 'Declined' else 'Settled' end as status
      from generate_series(1, ${sql.lit(invoices)}) as n),
    dated as (
      select *, at::date as day, status in ('Submitted', 'In Review', 'Info Requested') as waits,
        status in ('Submitted', 'In Review') as runs, status in ('Disbursed', 'Settled') as paid from made)
    insert into invoices (business_id, buyer_id, currency_id, invoice_number, invoice_number_key, invoice_date,
      face_value, status, listed_on, created_at, created_by, application_tag, application_version,
      application_reference, application_date, advance, financing_period_id, tenor_days, fee_rate_bps, discount_fee,
      net_proceeds, submitted_at, submitted_by, holder_id, held_since, first_approved_by, first_approved_at,
      decision_target_ms, clock_runs_since, clock_used_ms, decide_by, decided_at, decided_by, decline_reason,
      decline_note, due_on, outstanding, surplus_owed, settled_on, settled_at)
    select 1 + floor(${sql.lit(businesses)} * random() ^ 2), ${sql.lit(businesses)} + 1 + floor(${sql.lit(BUYERS)} * random()), 1,
      'INV-' || lpad(n::text, 7, '0'), 'inv-' || n, day, 1000000, status, day, at, 1, gen_random_uuid(), 1,
      gen_random_uuid(), day, 900000, 3, 30, 1100, 99000, 801000, at, 1,
      case when waits and n % 3 = 0 then 1 + n % 9 end, case when waits and n % 3 = 0 then at end,
      case when status = 'In Review' and n % 5 = 0 then 9 end, case when status = 'In Review' and n % 5 = 0 then at end,
      14400000, case when runs then at end, case when waits then 0 else floor(18000000 * luck) end,
      case when status <> 'Info Requested' then at + interval '4 hours' end,
      case when not waits then at + luck * interval '5 hours' end, case when not waits then 1 end,
      case when status = 'Declined' then 'other' end, case when status = 'Declined' then 'See our call.' end,
      case when paid then day + 30 end, case status when 'Disbursed' then 900000 when 'Settled' then 0 end,
      case when status = 'Settled' and n % 1000 = 1 then 50000 else 0 end,
      case when status = 'Settled' then day + 28 end, case when status = 'Settled' then at + interval '45 days' end
    from dated`.execute(db);
  await sql`insert into invoice_flags (invoice_id, other_invoice_id, kind, found_at)
    select id, id - 1000, 'nearAmountAndDate', created_at from invoices where id % 20 = 0 and id > 1000`.execute(db);
  await addPending(db);
  await sql`vacuum (analyze)`.execute(db);
}

/**
 * Adds an extension for every 50th paid-out application, half of them offered, and a few that a repayment left open; and a proposed
 * write-off for every hundredth unpaid one.
 */
async function addPending(db: Database): Promise<void> {
  await sql`insert into extensions (invoice_id, financing_period_id, tenor_days, reason, asked_at, asked_by, offered_at,
      offered_by, closed_at, closed_by)
    select id, 2, 15, 'The buyer pays late.', created_at, 1, case when id % 100 = 1 then created_at end,
      case when id % 100 = 1 then 9 end, case when is_closed then created_at end, case when is_closed then 9 end
    from (select *, status = 'Settled' and id % 1000 > 1 as is_closed from invoices) as invoices
    where status in ('Disbursed', 'Settled') and id % 50 = 1`.execute(db);
  await sql`insert into write_off_proposals (invoice_id, amount, reason, proposed_at, proposed_by, dropped_at, dropped_by)
    select id, 900000, 'The buyer is bankrupt.', created_at, 9, case when status = 'Settled' then created_at end,
      case when status = 'Settled' then 9 end
    from invoices where status = 'Disbursed' and id % 100 = 7 or status = 'Settled' and id % 1000 = 7`.execute(db);
}
