import { type Kysely, sql } from 'kysely';

/**
 * Payouts that a bank makes from a file (docs/decisions/0052-bank-by-file.md): a batch takes the transfers that wait for it,
 * and the statement of the bank ends each by its reference. Nobody is asked about them, so that `next_ask_at` is null from
 * the beginning; whether a transfer is over says `known_at` alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createBatches(db);
  await letTransfersGoByFile(db);
}

async function createBatches(db: Kysely<unknown>): Promise<void> {
  await sql`create table payout_batches (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    number integer not null unique check (number > 0),
    rail text not null check (rail ~ '^[a-z][a-z0-9-]{0,29}$'),
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    from_number text not null check (from_number ~ '^[0-9]{6,20}$'),
    from_name text not null check (length(from_name) between 2 and 100),
    payout_count integer not null check (payout_count > 0),
    total numeric(15,2) not null check (total > 0),
    sha256 bytea not null check (length(sha256) = 32),
    made_at timestamptz not null,
    made_by integer not null references persons)`.execute(db);
  await sql`create index payout_batches_made_by on payout_batches (made_by)`.execute(db);
  await sql`create trigger payout_batches_append_only before update or delete or truncate on payout_batches
    for each statement execute function refuse_change()`.execute(db);
  // Clients see none of it.
  await sql`alter table payout_batches enable row level security`.execute(db);
}

/**
 * A transfer's own reference has the form of a repayment reference and is never one of them: those are made from ids, these
 * from numbers above them.
 */
async function letTransfersGoByFile(db: Kysely<unknown>): Promise<void> {
  await sql`alter table transfers
    add column batch_id integer references payout_batches,
    add column file_reference text not null generated always as (repayment_reference_of(1500000000 + id)) stored unique,
    drop constraint transfers_sent,
    add constraint transfers_sent check ((state <> 'released' or sent_at is null)
      and (state in ('released', 'failed') or sent_at is not null)),
    drop constraint transfers_asked_on,
    add constraint transfers_asked_on check (next_ask_at is null or known_at is null),
    add constraint transfers_batched check (batch_id is null or sent_at is not null),
    drop constraint transfers_provider_reference_check,
    add constraint transfers_provider_reference_check check (length(provider_reference) between 1 and 200)`.execute(db);
  await sql`create index transfers_batch on transfers (batch_id) where batch_id is not null`.execute(db);
  await sql`create index transfers_unfinished on transfers (id) where known_at is null`.execute(db);
}
