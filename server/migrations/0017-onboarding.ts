import { type Kysely, sql } from 'kysely';

/**
 * What newcomers say of their business, a business's TIN, and the buyers that clients ask for
 * (docs/decisions/0032-onboarding.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table persons
    add column stated_business text check (length(stated_business) between 2 and 120),
    add column stated_tin text check (stated_tin ~ '^[0-9]{10}$')`.execute(db);
  await sql`alter table businesses add column tin text check (tin ~ '^[0-9]{10}$')`.execute(db);
  await sql`create unique index businesses_tin on businesses (tin) where tin is not null`.execute(db);
  await sql`create table buyer_requests (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    business_id integer not null references businesses,
    name text not null check (length(name) between 2 and 120),
    requested_at timestamptz not null,
    requested_by integer not null references persons,
    closed_at timestamptz,
    closed_by integer references persons,
    buyer_id integer references businesses,
    refusal text check (length(refusal) between 1 and 300),
    check ((closed_at is null) = (closed_by is null)),
    check ((closed_at is not null) = ((buyer_id is null) <> (refusal is null))),
    check (buyer_id is null or refusal is null))`.execute(db);
  await sql`create unique index buyer_requests_open_name on buyer_requests (business_id, lower(name))
    where closed_at is null`.execute(db);
  await sql`create index buyer_requests_open on buyer_requests (requested_at, id) where closed_at is null`.execute(db);
  await sql`create index buyer_requests_business on buyer_requests (business_id, requested_at)`.execute(db);
  await sql`create index buyer_requests_requested_by on buyer_requests (requested_by)`.execute(db);
  await sql`create index buyer_requests_closed_by on buyer_requests (closed_by) where closed_by is not null`.execute(
    db,
  );
  // A business sees what it asked for itself (docs/decisions/0019-row-security.md).
  await sql`alter table buyer_requests enable row level security`.execute(db);
  await sql`create policy own_rows on buyer_requests using (business_id = (select scope_business()))`.execute(db);
}
