import { type Kysely, sql } from 'kysely';

/**
 * Servers write the journal themselves (docs/decisions/0042-double-entry.md): what closes an application rounds what is
 * left of a surplus too, which what servers of 1.0.0 add must agree with. Fees are earned by day, and two officers write off.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await replacePosting(db);
  await createProposals(db);
  await changeInvoices(db);
  // An account's lines, for its statement.
  await sql`create index journal_lines_account on journal_lines (account, entry_id) include (amount)`.execute(db);
}

/**
 * Until when a fee was posted as earned; null before the first day. And what is written off is no longer outstanding, while
 * late charges and extensions add to the advance.
 */
async function changeInvoices(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invoices add column fee_earned_until date`.execute(db);
  await sql`create index invoices_fee_to_earn on invoices (id) include (fee_earned_until)
    where status in ('Disbursed', 'Settled') and (fee_earned_until is null or fee_earned_until < due_on)`.execute(db);
  await sql`alter table invoices drop constraint if exists invoices_outstanding, add constraint invoices_outstanding check (
    (status <> 'Disbursed' or outstanding >= 0) and (status <> 'Settled' or outstanding = 0))`.execute(db);
}

/** As contract/journal/position.ts. */
async function replacePosting(db: Kysely<unknown>): Promise<void> {
  await sql`create or replace function post_payment(payment journal_entries) returns void language sql as $$
    with standing as (
      select * from journal_entries where invoice_id = payment.invoice_id and id <= payment.id),
    total as (
      select coalesce(sum(amount) filter (where kind = 'disbursement'), 0) as disbursed,
        coalesce(sum(amount) filter (where kind = 'receipt'), 0) as received,
        coalesce(sum(amount) filter (where kind = 'receipt' and payer = 'buyer'), 0) as from_buyer,
        coalesce(sum(amount) filter (where kind = 'deduction'), 0) as deducted,
        coalesce(sum(amount) filter (where kind in ('extension', 'lateCharge')), 0) as added,
        coalesce(sum(amount) filter (where kind = 'extension'), 0) as extended,
        coalesce(sum(amount) filter (where kind = 'lateCharge'), 0) as charged,
        coalesce(sum(amount) filter (where kind = 'feeEarned'), 0) as earned,
        coalesce(sum(amount) filter (where kind = 'writeOff'), 0) as lost,
        coalesce(sum(amount - carried) filter (where kind = 'surplus'), 0) as surplus_paid,
        sum(carried) as carried, sum(rounded) as rounded
      from standing),
    owed as (
      select total.*, invoices.face_value, invoices.discount_fee, disbursed > 0 as is_out,
        case when disbursed > 0 then invoices.advance + added else 0 end as owed
      from total, invoices where invoices.id = payment.invoice_id),
    applied as (select *, least(received, owed - lost) as applied from owed),
    shared as (select *, least(received - applied, lost) as recovered from applied),
    due as (select *, received - applied - recovered - surplus_paid as due from shared),
    cleared as (select *, greatest(0, least(rounded, due)) as rounded_due from due),
    target (account, amount) as (
      select case method when 'mtn' then 'cashMtn' when 'airtel' then 'cashAirtel'
          when 'bank' then 'cashBank' else 'cashMobileMoney' end,
        sum(case kind when 'receipt' then amount else -amount end)
      from standing where method is not null group by 1
      union all select account, amount from cleared, lateral (values
        ('advances', owed - lost - applied),
        ('feesNotEarned', earned - case when is_out then discount_fee + extended else 0 end),
        ('feeIncome', -earned),
        ('clientPayable', rounded_due - due),
        ('clientFractions', carried + rounded - rounded_due),
        ('rounding', -rounded),
        ('lateCharges', -charged),
        ('recoveries', -recovered),
        ('writeOffs', lost),
        ('buyersOwe', case when is_out then greatest(0, face_value - from_buyer - deducted) else 0 end),
        ('financedInvoices', -case when is_out then greatest(0, face_value - from_buyer - deducted) else 0 end)
      ) as line (account, amount)),
    before (account, amount) as (
      select account, sum(line.amount) from journal_lines as line join standing on standing.id = entry_id group by 1)
    insert into journal_lines (entry_id, account, amount)
    select payment.id, account, coalesce(target.amount, 0) - coalesce(before.amount, 0)
    from target full join before using (account)
    where coalesce(target.amount, 0) <> coalesce(before.amount, 0)
  $$`.execute(db);
}

/** One officer proposes a write-off, another confirms it. Clients see the entry that comes of it, not this. */
async function createProposals(db: Kysely<unknown>): Promise<void> {
  await sql`create table write_off_proposals (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    invoice_id integer not null references invoices,
    amount numeric(15,2) not null check (amount > 0),
    reason text not null check (length(reason) between 1 and 500),
    proposed_at timestamptz not null,
    proposed_by integer not null references persons,
    confirmed_at timestamptz,
    confirmed_by integer references persons,
    dropped_at timestamptz,
    dropped_by integer references persons,
    constraint write_off_proposals_confirmed check ((confirmed_at is null) = (confirmed_by is null)),
    constraint write_off_proposals_dropped check ((dropped_at is null) = (dropped_by is null)),
    constraint write_off_proposals_ended_once check (confirmed_at is null or dropped_at is null),
    constraint write_off_proposals_two_officers check (confirmed_by <> proposed_by))`.execute(db);
  await sql`create unique index write_off_proposals_open on write_off_proposals (invoice_id)
    where confirmed_at is null and dropped_at is null`.execute(db);
  await sql`create index write_off_proposals_invoice on write_off_proposals (invoice_id)`.execute(db);
  await sql`create index write_off_proposals_proposed_by on write_off_proposals (proposed_by)`.execute(db);
  await sql`create index write_off_proposals_confirmed_by on write_off_proposals (confirmed_by)
    where confirmed_by is not null`.execute(db);
  await sql`create index write_off_proposals_dropped_by on write_off_proposals (dropped_by)
    where dropped_by is not null`.execute(db);
  await sql`alter table write_off_proposals enable row level security`.execute(db);
}
