import { type Kysely, sql } from 'kysely';

/**
 * A limit that one officer proposes and another confirms (docs/decisions/0014-limits-and-payments.md), and what the rule of
 * growth looks at beside the date, read from the index alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table limit_proposals (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    business_id integer not null references businesses,
    currency_id integer not null references currencies,
    replaces numeric(15,2) not null check (replaces >= 0),
    amount numeric(15,2) not null check (amount > replaces),
    reason text not null check (length(reason) between 1 and 500),
    proposed_at timestamptz not null,
    proposed_by integer not null references persons,
    closed_at timestamptz,
    closed_by integer references persons,
    outcome text check (outcome in ('confirmed', 'declined', 'replaced')),
    constraint limit_proposals_closed_whole check (
      (closed_at is null) = (closed_by is null) and (closed_at is null) = (outcome is null)),
    constraint limit_proposals_two_officers check (
      outcome is distinct from 'confirmed' or closed_by <> proposed_by))`.execute(db);
  await sql`create unique index limit_proposals_open on limit_proposals (business_id, currency_id)
    where closed_at is null`.execute(db);
  await sql`create index limit_proposals_proposed_by on limit_proposals (proposed_by)`.execute(db);
  await sql`create index limit_proposals_closed_by on limit_proposals (closed_by) where closed_by is not null`.execute(
    db,
  );
  // No policy: only officers see what is proposed (docs/decisions/0019-row-security.md).
  await sql`alter table limit_proposals enable row level security`.execute(db);
  await sql`drop index invoices_settled_on_time`.execute(db);
  await sql`create index invoices_settled_on_time on invoices (business_id, currency_id, settled_at)
    include (advance, settled_on, due_on, tenor_days) where status = 'Settled' and settled_on <= due_on`.execute(db);
}
