import { type Kysely, sql } from 'kysely';

/** Businesses, persons and their sessions. Search goes by trigrams over one column, so that it stays quick as the list grows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);
  await createRowCounts(db);
  await createBusinesses(db);
  await createPersons(db);
  await createSessions(db);
}

/**
 * Exact totals without counting: a row per business (invoices) or per shard (persons), kept by triggers in the
 * same transaction. One global row would serialise every write.
 */
async function createRowCounts(db: Kysely<unknown>): Promise<void> {
  await sql`create table row_counts (
    list text not null check (list in ('invoices', 'persons')),
    scope integer not null,
    rows integer not null default 0 check (rows >= 0),
    primary key (list, scope)) with (fillfactor = 50)`.execute(db);
  // The row offered for insertion is checked even where it is not inserted, so it must not be below 0.
  await sql`create function count_row(counted text, counted_scope integer, difference integer) returns void
    language sql as $$
      insert into row_counts as existing (list, scope, rows) values (counted, counted_scope, greatest(difference, 0))
      on conflict (list, scope) do update set rows = existing.rows + difference
    $$`.execute(db);
}

async function createBusinesses(db: Kysely<unknown>): Promise<void> {
  await sql`create table businesses (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    name text not null check (length(name) between 2 and 120),
    industry_id integer not null references sectors,
    district_id integer not null references districts,
    is_client boolean not null,
    is_buyer boolean not null,
    active boolean not null,
    created_at timestamptz not null,
    check (is_client or is_buyer))`.execute(db);
  await sql`create unique index businesses_name on businesses (lower(name))`.execute(db);
  await sql`create index businesses_search on businesses using gin (lower(name) gin_trgm_ops)`.execute(db);
}

async function createPersons(db: Kysely<unknown>): Promise<void> {
  await sql`create table persons (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    username text not null,
    username_kind text not null check (username_kind in ('email', 'phone')),
    password_hash text not null,
    status text not null check (status in ('Pending', 'Verified', 'Active', 'Deactivated')),
    permissions text[] not null default '{}' check (permissions <@ array['BIDA', 'KSTAF', 'KADMIN']),
    first_name text,
    last_name text,
    designation text,
    gender text check (gender in ('male', 'female')),
    phone text,
    email text,
    business_id integer references businesses,
    industry_id integer references sectors,
    district_id integer references districts,
    created_at timestamptz not null,
    last_login_at timestamptz,
    waiting boolean not null generated always as (status = 'Verified') stored,
    search_text text not null generated always as (
      lower(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || chr(10) || coalesce(phone, '') || chr(10) ||
        coalesce(email, ''))) stored,
    constraint persons_username unique (username),
    check (case username_kind when 'phone' then username ~ '^07[0-9]{8}$' and phone = username
                              else username = lower(username) and email = username end),
    check (permissions = '{}' or status = 'Active'),
    check (not 'BIDA' = any (permissions) or business_id is not null))`.execute(db);
  await sql`create index persons_business on persons (business_id)`.execute(db);
  await sql`create index persons_listed on persons (waiting desc, created_at desc, id desc)`.execute(db);
  await sql`create index persons_of_status on persons (status, created_at desc, id desc)`.execute(db);
  await sql`create index persons_search on persons using gin (search_text gin_trgm_ops)`.execute(db);
  await countPersons(db);
}

/** By statement rather than by row, so that a bulk of people is counted with one write for each shard. */
async function countPersons(db: Kysely<unknown>): Promise<void> {
  await sql`create function count_persons() returns trigger language plpgsql as $$
    declare difference integer := case tg_op when 'INSERT' then 1 else -1 end;
    begin
      perform count_row('persons', changed.shard, changed.persons * difference)
      from (select id % 32 as shard, count(*)::integer as persons from changed_persons group by 1 order by 1) as changed;
      return null;
    end $$`.execute(db);
  await sql`create trigger persons_added after insert on persons referencing new table as changed_persons
    for each statement execute function count_persons()`.execute(db);
  await sql`create trigger persons_removed after delete on persons referencing old table as changed_persons
    for each statement execute function count_persons()`.execute(db);
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await sql`create table sessions (
    token_hash bytea primary key check (length(token_hash) = 32),
    person_id integer not null references persons on delete cascade,
    created_at timestamptz not null,
    last_active_at timestamptz not null,
    ip text,
    user_agent text)`.execute(db);
  await sql`create index sessions_person on sessions (person_id)`.execute(db);
  await sql`create index sessions_age on sessions (created_at)`.execute(db);
}
