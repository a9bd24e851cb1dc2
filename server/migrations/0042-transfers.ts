import { type Kysely, sql } from 'kysely';

/**
 * Transfers over a provider's rail (docs/decisions/0047-rails.md): a released payout may be on its way, and fail. The row
 * is written before anything is sent, with the reference that the provider takes once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await letPayoutsBeOnTheirWay(db);
  await createTransfers(db);
  await letKasenteDropProposals(db);
}

/** A payout is open until its entry, its failure or its cancellation. */
async function letPayoutsBeOnTheirWay(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payouts
    add column failed_at timestamptz,
    drop constraint payouts_released,
    add constraint payouts_released check (
      (released_at is null) = (released_by is null) and (released_at is not null or num_nonnulls(entry_tag, failed_at) = 0)),
    drop constraint payouts_ended_once,
    add constraint payouts_ended_once check (
      num_nonnulls(entry_tag, failed_at, cancelled_at) < 2 and num_nonnulls(released_at, cancelled_at) < 2)`.execute(
    db,
  );
  await sql`drop index payouts_open`.execute(db);
  await sql`create unique index payouts_open on payouts (invoice_id)
    where entry_tag is null and failed_at is null and cancelled_at is null`.execute(db);
  await sql`create unique index payouts_entry on payouts (entry_tag) where entry_tag is not null`.execute(db);
}

async function createTransfers(db: Kysely<unknown>): Promise<void> {
  await sql`create table transfers (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    rail text not null check (rail ~ '^[a-z][a-z0-9-]{0,29}$'),
    direction text not null check (direction in ('out', 'in')),
    invoice_id integer not null references invoices,
    payout_id integer references payouts,
    amount numeric(15,2) not null check (amount > 0),
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    number text not null check (number ~ '^[0-9]{6,20}$'),
    holder_name text check (length(holder_name) between 2 and 100),
    label text not null check (length(label) between 1 and 100),
    reference uuid not null unique,
    state text not null check (state in ('released', 'sent', 'unknown', 'succeeded', 'failed', 'reconciled')),
    refusal text,
    said text check (length(said) <= 200),
    provider_reference text check (length(provider_reference) between 1 and 100),
    entry_tag uuid unique,
    created_at timestamptz not null,
    created_by integer not null references persons,
    sent_at timestamptz,
    asked_at timestamptz,
    asks integer not null default 0 check (asks >= 0),
    next_ask_at timestamptz,
    known_at timestamptz,
    told_at timestamptz,
    constraint transfers_payout unique (payout_id),
    constraint transfers_direction check ((direction = 'out') = (payout_id is not null)),
    constraint transfers_sent check ((state = 'released') = (sent_at is null)),
    constraint transfers_known check ((known_at is not null) = (state in ('succeeded', 'failed', 'reconciled'))),
    constraint transfers_asked_on check ((next_ask_at is null) = (known_at is not null)),
    constraint transfers_refused check (refusal is not null or state <> 'failed'),
    constraint transfers_paid check (
      num_nonnulls(provider_reference, entry_tag) = 2 or state <> 'succeeded'))`.execute(db);
  await sql`create unique index transfers_provider_reference on transfers (rail, provider_reference)
    where provider_reference is not null`.execute(db);
  await sql`create index transfers_of_invoice on transfers (invoice_id, id)`.execute(db);
  await sql`create index transfers_open on transfers (next_ask_at) where next_ask_at is not null`.execute(db);
  await sql`create unique index transfers_asked_for on transfers (invoice_id)
    where direction = 'in' and next_ask_at is not null`.execute(db);
  await sql`create index transfers_created_by on transfers (created_by)`.execute(db);
  // A client follows what is paid to them, and writes none of it.
  await sql`alter table transfers enable row level security`.execute(db);
  await sql`create policy own_rows on transfers for select
    using (exists (select from invoices where invoices.id = transfers.invoice_id))`.execute(db);
}

/** What Kasente records by itself may leave nothing to write off: then nobody has dropped the proposal. */
async function letKasenteDropProposals(db: Kysely<unknown>): Promise<void> {
  await sql`alter table write_off_proposals drop constraint write_off_proposals_dropped,
    add constraint write_off_proposals_dropped check (dropped_at is not null or dropped_by is null)`.execute(db);
}
