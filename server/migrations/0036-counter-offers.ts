import { type Kysely, sql } from 'kysely';

/**
 * An officer's counter-offer, and the key facts by which its client accepts it (docs/decisions/0045-offers.md). Both are
 * append-only: the newest offer of a case is open while the case is 'Counter-offered'.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await widenStatus(db);
  await createOffers(db);
  await createAcceptances(db);
}

/** An offer that lapses was decided by nobody. The two indexes take in the cases that wait for their client. */
async function widenStatus(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invoices
    drop constraint invoices_status,
    drop constraint invoices_clock,
    drop constraint invoices_held_undecided,
    drop constraint invoices_decided_whole`.execute(db);
  await sql`alter table invoices
    add constraint invoices_status check (status in ('Draft', 'Submitted', 'In Review', 'Info Requested',
      'Counter-offered', 'Approved', 'Declined', 'Withdrawn', 'Cancelled', 'Lapsed', 'Disbursed', 'Settled')),
    add constraint invoices_clock check (case
      when status = 'Draft' then decide_by is null and clock_runs_since is null
      when status in ('Submitted', 'In Review')
        then decide_by is not null and clock_runs_since is not null and decision_target_ms is not null
      when status in ('Info Requested', 'Counter-offered') then decide_by is null and clock_runs_since is null
      else clock_runs_since is null end),
    add constraint invoices_held_undecided check (
      holder_id is null or status in ('Submitted', 'In Review', 'Info Requested', 'Counter-offered')),
    add constraint invoices_decided_whole check (
      (decided_at is null) = (decided_by is null) and case
        when status in ('Approved', 'Declined', 'Cancelled', 'Disbursed', 'Settled') then decided_at is not null
        when status in ('Withdrawn', 'Lapsed') then true
        else decided_at is null end)`.execute(db);
  await sql`drop index invoices_undecided, invoices_using_limit`.execute(db);
  await sql`create index invoices_undecided on invoices (decide_by, id)
    where status in ('Submitted', 'In Review', 'Info Requested', 'Counter-offered')`.execute(db);
  await sql`create index invoices_using_limit on invoices (business_id, currency_id)
    include (status, advance, outstanding)
    where status in ('Submitted', 'In Review', 'Info Requested', 'Counter-offered', 'Approved', 'Disbursed')`.execute(
    db,
  );
}

async function createOffers(db: Kysely<unknown>): Promise<void> {
  await sql`create table counter_offers (
    id integer generated always as identity primary key,
    invoice_id integer not null references invoices,
    offered_at timestamptz not null,
    offered_by integer not null references persons,
    needs_two boolean not null,
    advance numeric(15,2) not null check (advance > 0),
    financing_period_id integer not null references financing_periods,
    tenor_days integer not null check (tenor_days > 0),
    fee_rate_bps integer not null check (fee_rate_bps >= 0),
    discount_fee numeric(15,2) not null check (discount_fee >= 0),
    net_proceeds numeric(15,2) not null,
    reason text not null check (length(reason) between 1 and 1000),
    constraint counter_offers_adds_up check (net_proceeds = advance - discount_fee))`.execute(db);
  await sql`create index counter_offers_of_invoice on counter_offers (invoice_id, id)`.execute(db);
  await sql`create index counter_offers_offered_by on counter_offers (offered_by)`.execute(db);
  await appendOnly(db, 'counter_offers');
  await sql`create policy own_rows on counter_offers for select
    using (exists (select from invoices where invoices.id = invoice_id))`.execute(db);
}

async function createAcceptances(db: Kysely<unknown>): Promise<void> {
  await sql`create table counter_offer_acceptances (
    offer_id integer primary key references counter_offers,
    version text not null,
    facts jsonb not null,
    accepted_at timestamptz not null,
    accepted_by integer not null references persons)`.execute(db);
  await sql`create index counter_offer_acceptances_accepted_by on counter_offer_acceptances (accepted_by)`.execute(db);
  await appendOnly(db, 'counter_offer_acceptances');
  // A client accepts what was offered to them, in their own name.
  const own = sql`exists (select from counter_offers where counter_offers.id = offer_id)`;
  await sql`create policy own_rows on counter_offer_acceptances for select using (${own})`.execute(db);
  await sql`create policy own_word on counter_offer_acceptances for insert
    with check (accepted_by = (select scope_person()) and ${own})`.execute(db);
}

async function appendOnly(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`create trigger ${sql.raw(`${table}_append_only`)} before update or delete or truncate on ${sql.table(table)}
    for each statement execute function refuse_change()`.execute(db);
  await sql`alter table ${sql.table(table)} enable row level security`.execute(db);
}
