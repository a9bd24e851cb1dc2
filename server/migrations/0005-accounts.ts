import { type Kysely, sql } from 'kysely';

/**
 * Sign-up PINs, reset codes, and what keeps both and passwords from being guessed (decisions, 'Accounts'). Nothing here
 * lets a reader of the database in: codes are keyed digests, handles, links and devices are hashes of 256-bit tokens.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createCodeAttempts(db);
  await createResetGrants(db);
  await createCodeBudgets(db);
  await createLoginThrottles(db);
  await createAddressLimits(db);
}

/** `person_id` is null where nobody's code could be right: a stranger's reset, a sign-up over somebody's account. */
async function createCodeAttempts(db: Kysely<unknown>): Promise<void> {
  await sql`create table code_attempts (
    id uuid primary key,
    purpose text not null check (purpose in ('sign-up', 'reset')),
    recipient text not null,
    person_id integer references persons on delete cascade,
    code_digest bytea not null check (length(code_digest) = 32),
    code_expires_at timestamptz not null,
    wrong_tries integer not null default 0 check (wrong_tries between 0 and 5),
    created_at timestamptz not null,
    closed_at timestamptz)`.execute(db);
  await sql`create unique index code_attempts_open on code_attempts (recipient, purpose)
    where closed_at is null`.execute(db);
  await sql`create index code_attempts_person on code_attempts (person_id)`.execute(db);
  await sql`create index code_attempts_age on code_attempts (created_at)`.execute(db);
  await sql`create table code_handles (
    token_hash bytea primary key check (length(token_hash) = 32),
    attempt_id uuid not null references code_attempts on delete cascade,
    expires_at timestamptz not null)`.execute(db);
  await sql`create index code_handles_attempt on code_handles (attempt_id)`.execute(db);
  await sql`create index code_handles_age on code_handles (expires_at)`.execute(db);
}

/** The right to set a new password: earned with a reset code, or sent as a link. Using one deletes it. */
async function createResetGrants(db: Kysely<unknown>): Promise<void> {
  await sql`create table reset_grants (
    token_hash bytea primary key check (length(token_hash) = 32),
    person_id integer not null references persons on delete cascade,
    expires_at timestamptz not null)`.execute(db);
  await sql`create index reset_grants_person on reset_grants (person_id)`.execute(db);
  await sql`create index reset_grants_age on reset_grants (expires_at)`.execute(db);
}

/** One row a recipient, known or not; its lock puts everything about that recipient's codes in one order. */
async function createCodeBudgets(db: Kysely<unknown>): Promise<void> {
  await sql`create table code_budgets (
    recipient text primary key,
    wrong_at timestamptz[] not null default '{}' check (cardinality(wrong_at) <= 10),
    blocked_until timestamptz,
    link_sent boolean not null default false,
    sent_at timestamptz[] not null default '{}' check (cardinality(sent_at) <= 10),
    sign_up_sent_at timestamptz,
    reset_sent_at timestamptz,
    touched_at timestamptz not null)`.execute(db);
  await sql`create index code_budgets_age on code_budgets (touched_at)`.execute(db);
}

/** The username is a keyed digest, because people type passwords into that field too. */
async function createLoginThrottles(db: Kysely<unknown>): Promise<void> {
  await sql`create table login_throttles (
    username_digest bytea primary key check (length(username_digest) = 32),
    failures integer not null default 0 check (failures >= 0),
    last_failed_at timestamptz not null,
    retry_at timestamptz)`.execute(db);
  await sql`create index login_throttles_age on login_throttles (last_failed_at)`.execute(db);
  await sql`create table devices (
    token_hash bytea not null check (length(token_hash) = 32),
    person_id integer not null references persons on delete cascade,
    wrong_tries integer not null default 0 check (wrong_tries >= 0),
    last_login_at timestamptz not null,
    primary key (token_hash, person_id))`.execute(db);
  await sql`create index devices_person on devices (person_id, last_login_at desc)`.execute(db);
  await sql`create index devices_age on devices (last_login_at)`.execute(db);
}

/** As rate-limiter-flexible expects it; `expire` is in milliseconds since 1970. */
async function createAddressLimits(db: Kysely<unknown>): Promise<void> {
  await sql`create table address_limits (
    key varchar(255) primary key,
    points integer not null default 0,
    expire bigint)`.execute(db);
  await sql`create index address_limits_age on address_limits (expire)`.execute(db);
}
