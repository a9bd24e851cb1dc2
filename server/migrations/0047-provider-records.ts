import { type Kysely, sql } from 'kysely';

/**
 * What providers say of transfers when they are asked again, how two officers end one of which a provider says nothing, and
 * of which days officers were told (docs/decisions/0047-rails.md). No client sees any of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createProviderRecords(db);
  await createEndings(db);
  await sql`create table reconciliation_news (
    day date primary key,
    told_at timestamptz not null,
    differences integer not null check (differences > 0))`.execute(db);
  await sql`alter table reconciliation_news enable row level security`.execute(db);
}

/** The provider's last word of each transfer: `known_at` and what follows it are of the last answer that says how it ended. */
async function createProviderRecords(db: Kysely<unknown>): Promise<void> {
  await sql`create table provider_records (
    transfer_id integer primary key references transfers,
    asked_at timestamptz not null,
    said text not null check (length(said) <= 200),
    known_at timestamptz,
    outcome text check (outcome in ('paid', 'notPaid')),
    provider_reference text check (length(provider_reference) between 1 and 200),
    amount numeric(15,2) check (amount >= 0),
    constraint provider_records_known check ((known_at is null) = (outcome is null)),
    constraint provider_records_paid check (
      (provider_reference is not null) = (outcome is not distinct from 'paid') and (amount is null or outcome = 'paid')))`.execute(
    db,
  );
  await sql`create index provider_records_number on provider_records (provider_reference)
    where provider_reference is not null`.execute(db);
  await sql`create index transfers_created_at on transfers (created_at)`.execute(db);
  await sql`alter table provider_records enable row level security`.execute(db);
}

/** One officer says how a transfer ended, another confirms it; the provider's own answer drops what is proposed. */
async function createEndings(db: Kysely<unknown>): Promise<void> {
  await sql`create table transfer_endings (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    transfer_id integer not null references transfers,
    outcome text not null check (outcome in ('paid', 'notPaid')),
    provider_reference text check (length(provider_reference) between 1 and 200),
    reason text not null check (length(reason) between 1 and 500),
    said text not null check (length(said) <= 200),
    proposed_at timestamptz not null,
    proposed_by integer not null references persons,
    confirmed_at timestamptz,
    confirmed_by integer references persons,
    dropped_at timestamptz,
    dropped_by integer references persons,
    constraint transfer_endings_number check ((outcome = 'paid') = (provider_reference is not null)),
    constraint transfer_endings_confirmed check ((confirmed_at is null) = (confirmed_by is null)),
    constraint transfer_endings_dropped check (dropped_at is not null or dropped_by is null),
    constraint transfer_endings_ended_once check (confirmed_at is null or dropped_at is null),
    constraint transfer_endings_two_officers check (confirmed_by <> proposed_by))`.execute(db);
  await sql`create unique index transfer_endings_open on transfer_endings (transfer_id)
    where confirmed_at is null and dropped_at is null`.execute(db);
  await sql`create index transfer_endings_transfer on transfer_endings (transfer_id)`.execute(db);
  await sql`create index transfer_endings_proposed_by on transfer_endings (proposed_by)`.execute(db);
  for (const column of ['confirmed_by', 'dropped_by'])
    await sql`create index ${sql.ref(`transfer_endings_${column}`)} on transfer_endings (${sql.ref(column)})
      where ${sql.ref(column)} is not null`.execute(db);
  await sql`alter table transfer_endings enable row level security`.execute(db);
  // In the row that every exchange locks, so that none that comes after the proposal sends.
  await sql`alter table transfers add column is_ending boolean not null default false`.execute(db);
}
