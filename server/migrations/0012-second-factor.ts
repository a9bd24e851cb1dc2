import { type Kysely, sql } from 'kysely';

/**
 * Second factors, and sessions that their owner can name (docs/decisions/0017-second-factor.md). Secrets are sealed,
 * recovery codes keyed digests, handles hashes of 256-bit tokens: a reader of the database gets in nowhere.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions
    add column tag uuid not null unique default gen_random_uuid(),
    add column second_factor boolean not null default false`.execute(db);
  await sql`create table second_factors (
    person_id integer primary key references persons on delete cascade,
    secret bytea not null,
    set_up_at timestamptz not null,
    last_step integer not null check (last_step > 0))`.execute(db);
  await sql`create table second_factor_enrolments (
    person_id integer primary key references persons on delete cascade,
    secret bytea not null,
    wrong_tries integer not null default 0 check (wrong_tries between 0 and 9),
    expires_at timestamptz not null)`.execute(db);
  await sql`create index second_factor_enrolments_age on second_factor_enrolments (expires_at)`.execute(db);
  await sql`create table recovery_codes (
    person_id integer not null references second_factors on delete cascade,
    code_digest bytea not null check (length(code_digest) = 32),
    used_at timestamptz,
    primary key (person_id, code_digest))`.execute(db);
  await sql`create table second_steps (
    token_hash bytea primary key check (length(token_hash) = 32),
    person_id integer not null references second_factors on delete cascade,
    device_hash bytea check (length(device_hash) = 32),
    expires_at timestamptz not null)`.execute(db);
  await sql`create index second_steps_person on second_steps (person_id)`.execute(db);
  await sql`create index second_steps_age on second_steps (expires_at)`.execute(db);
}
