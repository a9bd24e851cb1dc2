import { type Kysely, sql } from 'kysely';

/**
 * Payout accounts, which account an application is paid to, and payouts that one officer prepares and another releases
 * (docs/decisions/0044-payout-accounts.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAccounts(db);
  await createChoices(db);
  await createPayouts(db);
}

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await sql`create table payout_accounts (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    business_id integer not null references businesses,
    provider text not null check (provider in ('mtn', 'airtel', 'bank')),
    number text not null check (number ~ '^[0-9]{6,20}$'),
    holder_name text not null check (length(holder_name) between 2 and 100),
    bank_name text check (length(bank_name) between 2 and 100),
    replaces integer references payout_accounts,
    added_at timestamptz not null,
    added_by integer not null references persons,
    verified_at timestamptz,
    verified_by integer references persons,
    verified_reason text check (length(verified_reason) between 1 and 500),
    frozen_at timestamptz,
    frozen_by integer references persons,
    freezes integer not null default 0 check (freezes >= 0),
    replaced_at timestamptz,
    constraint payout_accounts_bank check ((provider = 'bank') = (bank_name is not null)),
    constraint payout_accounts_verified check ((verified_at is null) = (verified_by is null)),
    constraint payout_accounts_frozen check ((frozen_at is null) = (frozen_by is null)),
    constraint payout_accounts_two_people check (verified_by <> added_by))`.execute(db);
  await sql`create unique index payout_accounts_own on payout_accounts
    (business_id, provider, number, coalesce(lower(bank_name), '')) where replaced_at is null`.execute(db);
  // Another business's same account.
  await sql`create index payout_accounts_number on payout_accounts (number, provider)`.execute(db);
  await sql`create index payout_accounts_waiting on payout_accounts (added_at, id)
    where verified_at is null and frozen_at is null`.execute(db);
  await sql`create index payout_accounts_replaces on payout_accounts (replaces) where replaces is not null`.execute(db);
  await sql`create index payout_accounts_added_by on payout_accounts (added_by)`.execute(db);
  await sql`create index payout_accounts_verified_by on payout_accounts (verified_by) where verified_by is not null`.execute(
    db,
  );
  await sql`create index payout_accounts_frozen_by on payout_accounts (frozen_by) where frozen_by is not null`.execute(
    db,
  );
  // A business adds and freezes its own; a row that it may write is never a verified one that is open.
  await sql`alter table payout_accounts enable row level security`.execute(db);
  await sql`create policy own_rows on payout_accounts using (business_id = (select scope_business()))
    with check (business_id = (select scope_business()) and (verified_at is null or frozen_at is not null))`.execute(
    db,
  );
}

/** Beside the invoice's row, which every save of a draft writes and every list reads. */
async function createChoices(db: Kysely<unknown>): Promise<void> {
  await sql`create table payout_choices (
    invoice_id integer primary key references invoices on delete cascade,
    account_id integer not null references payout_accounts,
    chosen_at timestamptz not null,
    chosen_by integer not null references persons)`.execute(db);
  await sql`create index payout_choices_account on payout_choices (account_id)`.execute(db);
  await sql`create index payout_choices_chosen_by on payout_choices (chosen_by)`.execute(db);
  await sql`alter table payout_choices enable row level security`.execute(db);
  await sql`create policy own_rows on payout_choices
    using (exists (select from invoices where invoices.id = payout_choices.invoice_id))`.execute(db);
}

async function createPayouts(db: Kysely<unknown>): Promise<void> {
  await sql`create table payouts (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    invoice_id integer not null references invoices,
    kind text not null check (kind in ('disbursement', 'surplus')),
    account_id integer not null references payout_accounts,
    amount numeric(15,2) not null check (amount > 0),
    prepared_at timestamptz not null,
    prepared_by integer not null references persons,
    released_at timestamptz,
    released_by integer references persons,
    entry_tag uuid,
    cancelled_at timestamptz,
    cancelled_by integer references persons,
    cancel_reason text check (length(cancel_reason) between 1 and 500),
    constraint payouts_released check (
      (released_at is null) = (released_by is null) and (released_at is null) = (entry_tag is null)),
    constraint payouts_cancelled check (
      (cancelled_at is null) = (cancelled_by is null) and (cancelled_at is null) = (cancel_reason is null)),
    constraint payouts_ended_once check (released_at is null or cancelled_at is null),
    constraint payouts_two_officers check (released_by <> prepared_by))`.execute(db);
  await sql`create unique index payouts_open on payouts (invoice_id)
    where released_at is null and cancelled_at is null`.execute(db);
  await sql`create index payouts_waiting on payouts (prepared_at, id)
    where released_at is null and cancelled_at is null`.execute(db);
  await sql`create index payouts_invoice on payouts (invoice_id)`.execute(db);
  await sql`create index payouts_account on payouts (account_id)`.execute(db);
  await sql`create index payouts_prepared_by on payouts (prepared_by)`.execute(db);
  await sql`create index payouts_released_by on payouts (released_by) where released_by is not null`.execute(db);
  await sql`create index payouts_cancelled_by on payouts (cancelled_by) where cancelled_by is not null`.execute(db);
  // A client sees what is prepared for them, and writes none of it.
  await sql`alter table payouts enable row level security`.execute(db);
  await sql`create policy own_rows on payouts for select
    using (exists (select from invoices where invoices.id = payouts.invoice_id))`.execute(db);
}
