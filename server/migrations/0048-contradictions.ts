import { type Kysely, sql } from 'kysely';

/**
 * Statements of an account that say different things of a day (docs/decisions/0050-money-that-comes.md), one rule for comparing
 * references, and an index by which what is owed is found.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createContradictions(db);
  await oneReferenceKey(db);
  await sql`create index invoices_owed on invoices (outstanding, currency_id) where status = 'Disbursed'`.execute(db);
}

/** A statement, and a line of its days that it lacks: another one of the account has it. */
async function createContradictions(db: Kysely<unknown>): Promise<void> {
  await sql`create table contradictions (
    id integer generated always as identity primary key,
    line_id integer not null references statement_lines,
    statement_id integer not null references statements,
    constraint contradictions_once unique (line_id, statement_id))`.execute(db);
  await sql`create index contradictions_statement on contradictions (statement_id)`.execute(db);
  await sql`create trigger contradictions_append_only before update or delete or truncate on contradictions
    for each statement execute function refuse_change()`.execute(db);
  await sql`alter table contradictions enable row level security`.execute(db);
}

/** Only A to Z are folded and only spaces of ASCII left out: by locale the server and PostgreSQL would differ. */
async function oneReferenceKey(db: Kysely<unknown>): Promise<void> {
  await sql`create function reference_key(reference text) returns text language sql immutable strict parallel safe as $$
    select lower(regexp_replace(reference collate "C", '[ \\t-\\r]', '', 'g')) $$`.execute(db);
  await sql`alter table statement_lines drop column provider_key,
    add column provider_key text not null generated always as (reference_key(provider_id)) stored,
    add constraint statement_lines_once unique (rail, currency_id, provider_key)`.execute(db);
  await sql`drop index journal_entries_reference`.execute(db);
  await sql`create index journal_entries_reference on journal_entries (method, (reference_key(reference)))
    where reference is not null`.execute(db);
}
