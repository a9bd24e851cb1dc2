import { type Kysely, sql } from 'kysely';

/**
 * Money that comes by itself (docs/decisions/0050-money-that-comes.md): statements of a rail's account, their lines, each of
 * which is an arrival in the journal, what is sent back of it, and the days on which statement and journal agree. No client
 * sees any of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createStatements(db);
  await widenEntries(db);
  await copyForEarlierServers(db);
  await keepSuspense(db);
  await createKnownReceipts(db);
  await createReturns(db);
  await createReconciliation(db);
}

/** References are compared without spaces, in capitals or not: contract/payments/reference-key.ts. */
function keyOf(column: string) {
  return sql.raw(String.raw`lower(regexp_replace(${column}, '\s', '', 'g'))`);
}

async function createStatements(db: Kysely<unknown>): Promise<void> {
  await sql`create table statements (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    rail text not null check (rail in ('mtn', 'airtel', 'bank')),
    currency_id integer not null references currencies,
    file_name text not null check (length(file_name) between 1 and 200),
    sha256 bytea not null check (length(sha256) = 32),
    from_on date not null,
    until_on date not null,
    line_count integer not null check (line_count > 0),
    new_count integer not null check (new_count between 0 and line_count),
    received numeric(15,2) not null check (received >= 0),
    sent numeric(15,2) not null check (sent >= 0),
    imported_at timestamptz not null,
    imported_by integer not null references persons,
    constraint statements_period check (from_on <= until_on),
    constraint statements_once unique (rail, currency_id, sha256))`.execute(db);
  await sql`create index statements_imported_by on statements (imported_by)`.execute(db);
  await appendOnly(db, 'statements');
  await sql`create table statement_lines (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    statement_id integer not null references statements,
    rail text not null check (rail in ('mtn', 'airtel', 'bank')),
    currency_id integer not null references currencies,
    place integer not null check (place > 0),
    provider_id text not null check (length(provider_id) between 1 and 200),
    provider_key text not null generated always as (${keyOf('provider_id')}) stored,
    occurred_on date not null,
    amount numeric(15,2) not null check (amount <> 0),
    payer_number text check (length(payer_number) between 1 and 40),
    payer_name text check (length(payer_name) between 1 and 100),
    details text not null check (length(details) <= 300),
    constraint statement_lines_once unique (rail, currency_id, provider_key))`.execute(db);
  await sql`create index statement_lines_of_statement on statement_lines (statement_id)`.execute(db);
  await sql`create index statement_lines_of_day on statement_lines (rail, currency_id, occurred_on)`.execute(db);
  await appendOnly(db, 'statement_lines');
}

/** What arrived and what is sent back belong to no application; a receipt may be paid from what arrived. */
async function widenEntries(db: Kysely<unknown>): Promise<void> {
  await sql`alter table journal_entries
    alter column invoice_id drop not null,
    add column statement_line_id integer references statement_lines,
    drop constraint journal_entries_kind_check,
    drop constraint journal_entries_payment,
    drop constraint journal_entries_recorded,
    add constraint journal_entries_kind_check check (kind in ('disbursement', 'receipt', 'surplus', 'deduction',
      'feeEarned', 'extension', 'lateCharge', 'writeOff', 'arrival', 'returned')),
    add constraint journal_entries_payment check (
      (kind in ('disbursement', 'receipt', 'surplus', 'arrival', 'returned')) = (method is not null)
      and (method is null) = (reference is null)),
    add constraint journal_entries_recorded check (
      recorded_by is not null or kind in ('feeEarned', 'lateCharge') or statement_line_id is not null),
    add constraint journal_entries_outside check (
      (invoice_id is null) = (kind in ('arrival', 'returned'))
      and (invoice_id is not null or statement_line_id is not null and reverses is null)
      and (statement_line_id is null or kind in ('receipt', 'arrival', 'returned')))`.execute(db);
  await sql`create unique index journal_entries_arrived_once on journal_entries (statement_line_id)
    where kind = 'arrival'`.execute(db);
  await sql`create index journal_entries_of_line on journal_entries (statement_line_id)
    where statement_line_id is not null`.execute(db);
  await sql`create index journal_entries_reference on journal_entries (method, (${keyOf('reference')}))
    where reference is not null`.execute(db);
}

/**
 * What of each line is in suspense, kept from the journal's lines as they are written: never below nothing, so that no
 * shilling is assigned twice.
 */
async function keepSuspense(db: Kysely<unknown>): Promise<void> {
  await sql`create table suspense (
    line_id integer primary key references statement_lines,
    amount numeric(15,2) not null,
    constraint suspense_not_overdrawn check (amount >= 0))`.execute(db);
  await sql`create index suspense_waiting on suspense (line_id) where amount > 0`.execute(db);
  await sql`alter table suspense enable row level security`.execute(db);
  await sql`create function keep_suspense() returns trigger language plpgsql as $$
    declare line integer;
    begin
      select statement_line_id into line from journal_entries where id = new.entry_id;
      update suspense set amount = amount - new.amount where line_id = line;
      if not found then insert into suspense (line_id, amount) values (line, -new.amount); end if;
      return null;
    end $$`.execute(db);
  await sql`create trigger journal_lines_suspense after insert on journal_lines
    for each row when (new.account = 'suspense') execute function keep_suspense()`.execute(db);
}

/** Receipts that a statement proves already, because an officer had recorded them before it came. */
async function createKnownReceipts(db: Kysely<unknown>): Promise<void> {
  await sql`create table known_receipts (
    id integer generated always as identity primary key,
    entry_id integer not null unique references journal_entries,
    line_id integer not null references statement_lines)`.execute(db);
  await sql`create index known_receipts_line on known_receipts (line_id)`.execute(db);
  await appendOnly(db, 'known_receipts');
}

/** One officer proposes to send money back, another has done it. */
async function createReturns(db: Kysely<unknown>): Promise<void> {
  await sql`create table suspense_returns (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    line_id integer not null references statement_lines,
    amount numeric(15,2) not null check (amount > 0),
    reason text not null check (length(reason) between 1 and 500),
    proposed_at timestamptz not null,
    proposed_by integer not null references persons,
    confirmed_at timestamptz,
    confirmed_by integer references persons,
    entry_tag uuid,
    dropped_at timestamptz,
    dropped_by integer references persons,
    constraint suspense_returns_confirmed check (
      (confirmed_at is null) = (confirmed_by is null) and (confirmed_at is null) = (entry_tag is null)),
    constraint suspense_returns_dropped check ((dropped_at is null) = (dropped_by is null)),
    constraint suspense_returns_ended_once check (confirmed_at is null or dropped_at is null),
    constraint suspense_returns_two_officers check (confirmed_by <> proposed_by))`.execute(db);
  await sql`create unique index suspense_returns_open on suspense_returns (line_id)
    where confirmed_at is null and dropped_at is null`.execute(db);
  await sql`create index suspense_returns_line on suspense_returns (line_id)`.execute(db);
  await sql`create index suspense_returns_proposed_by on suspense_returns (proposed_by)`.execute(db);
  for (const column of ['confirmed_by', 'dropped_by'])
    await sql`create index ${sql.ref(`suspense_returns_${column}`)} on suspense_returns (${sql.ref(column)})
      where ${sql.ref(column)} is not null`.execute(db);
  await sql`alter table suspense_returns enable row level security`.execute(db);
}

/** Days that officers closed, and the differences that they explained. */
async function createReconciliation(db: Kysely<unknown>): Promise<void> {
  await sql`create table reconciled_days (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    rail text not null check (rail in ('mtn', 'airtel', 'bank')),
    currency_id integer not null references currencies,
    day date not null,
    by_statement numeric(15,2) not null,
    by_journal numeric(15,2) not null,
    closed_at timestamptz not null,
    closed_by integer not null references persons,
    constraint reconciled_days_once unique (rail, currency_id, day))`.execute(db);
  await sql`create index reconciled_days_closed_by on reconciled_days (closed_by)`.execute(db);
  await appendOnly(db, 'reconciled_days');
  await sql`create table explained_differences (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    rail text not null check (rail in ('mtn', 'airtel', 'bank')),
    currency_id integer not null references currencies,
    day date not null,
    difference text not null check (length(difference) between 1 and 400),
    reason text not null check (length(reason) between 1 and 500),
    explained_at timestamptz not null,
    explained_by integer not null references persons,
    constraint explained_differences_once unique (rail, currency_id, day, difference))`.execute(db);
  await sql`create index explained_differences_explained_by on explained_differences (explained_by)`.execute(db);
  await appendOnly(db, 'explained_differences');
}

/**
 * What servers of 1.0.0 add to an application counts a receipt from what arrived as in contract/journal/position.ts; what
 * Kasente recorded by itself is to them of the officer who imported the statement.
 */
async function copyForEarlierServers(db: Kysely<unknown>): Promise<void> {
  await replaceIn(db, 'post_payment(journal_entries)', {
    found: `select case method when 'mtn'`,
    by: `select case case when statement_line_id is null then method else 'line' end when 'line' then 'suspense' when 'mtn'`,
  });
  await replaceIn(db, 'copy_to_ledger()', {
    found: 'new.recorded_by)',
    by: `coalesce(new.recorded_by, (select imported_by from statements join statement_lines as line
      on line.statement_id = statements.id where line.id = new.statement_line_id)))`,
  });
}

/** Changes a function of an earlier migration in one place. */
async function replaceIn(
  db: Kysely<unknown>,
  name: string,
  { found, by }: { readonly found: string; readonly by: string },
): Promise<void> {
  await sql`do $$
    declare body constant text := pg_get_functiondef(${sql.lit(name)}::regprocedure);
    begin
      if position(${sql.lit(found)} in body) = 0 then raise exception '% is not as it is known', ${sql.lit(name)}; end if;
      execute replace(body, ${sql.lit(found)}, ${sql.lit(by)});
    end $$`.execute(db);
}

async function appendOnly(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`create trigger ${sql.ref(`${table}_append_only`)} before update or delete or truncate on ${sql.table(table)}
    for each statement execute function refuse_change()`.execute(db);
  await sql`alter table ${sql.table(table)} enable row level security`.execute(db);
}
