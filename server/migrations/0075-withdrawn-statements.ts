import { type Kysely, sql } from 'kysely';

/**
 * Two officers withdraw a statement that was imported by mistake (docs/decisions/0050-money-that-comes.md). Its rows stay:
 * `imported_lines` has every line, and `statement_lines` is now a view without those of withdrawn statements, so that
 * queries of this release and of the last one see what counts. A later column of the table must be added to the view, too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createWithdrawals(db);
  await hideWithdrawnLines(db);
  await letThemComeAgain(db);
  await letArrivalsBeReversed(db);
}

/** One officer proposes, another confirms. */
async function createWithdrawals(db: Kysely<unknown>): Promise<void> {
  await sql`create table statement_withdrawals (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    statement_id integer not null references statements,
    reason text not null check (length(reason) between 1 and 500),
    proposed_at timestamptz not null,
    proposed_by integer not null references persons,
    confirmed_at timestamptz,
    confirmed_by integer references persons,
    dropped_at timestamptz,
    dropped_by integer references persons,
    constraint statement_withdrawals_confirmed check ((confirmed_at is null) = (confirmed_by is null)),
    constraint statement_withdrawals_dropped check ((dropped_at is null) = (dropped_by is null)),
    constraint statement_withdrawals_ended_once check (confirmed_at is null or dropped_at is null),
    constraint statement_withdrawals_two_officers check (confirmed_by <> proposed_by))`.execute(db);
  await sql`create unique index statement_withdrawals_once on statement_withdrawals (statement_id)
    where dropped_at is null`.execute(db);
  await sql`create index statement_withdrawals_statement on statement_withdrawals (statement_id)`.execute(db);
  await sql`create index statement_withdrawals_proposed_by on statement_withdrawals (proposed_by)`.execute(db);
  for (const column of ['confirmed_by', 'dropped_by'])
    await sql`create index ${sql.ref(`statement_withdrawals_${column}`)} on statement_withdrawals (${sql.ref(column)})
      where ${sql.ref(column)} is not null`.execute(db);
  await sql`alter table statement_withdrawals enable row level security`.execute(db);
}

async function hideWithdrawnLines(db: Kysely<unknown>): Promise<void> {
  // Not "not exists": as an anti-join the planner expects of it that nothing is left, and reads the lines again for each row.
  const stands = (statement: string) => sql`(exists (select from statement_withdrawals as withdrawal
    where withdrawal.statement_id = ${sql.ref(statement)} and withdrawal.confirmed_at is not null)) is not true`;
  await sql`alter table statement_lines rename to imported_lines`.execute(db);
  await sql`create view statement_lines with (security_invoker = true) as
    select id, tag, statement_id, rail, currency_id, place, provider_id, occurred_on, amount, payer_number, payer_name,
      details, provider_key, reference_key
    from imported_lines as line where ${stands('line.statement_id')}`.execute(db);
  await sql`create view standing_statements with (security_invoker = true) as
    select id, tag, rail, currency_id, file_name, sha256, from_on, until_on, line_count, new_count, received, sent,
      imported_at, imported_by, account
    from statements where ${stands('statements.id')}`.execute(db);
}

/**
 * A line, a file and the proof of a typed receipt may come again after a withdrawal. A line is numbered among those with
 * its id of which all earlier ones are withdrawn: so one of them counts at most. A file is another one after a withdrawal,
 * because its lines may have counted with the withdrawn statement. The constraint of files keeps its name, by which earlier
 * servers ask for it.
 */
async function letThemComeAgain(db: Kysely<unknown>): Promise<void> {
  await sql`alter table imported_lines add column withdrawn_before integer not null default 0`.execute(db);
  await sql`alter table imported_lines drop constraint statement_lines_once,
    add constraint statement_lines_once unique (rail, currency_id, provider_key, withdrawn_before)`.execute(db);
  await sql`create function count_withdrawn_lines() returns trigger language plpgsql as $$
    begin
      new.withdrawn_before := coalesce((select line.withdrawn_before + (exists (select from statement_withdrawals as withdrawal
          where withdrawal.statement_id = line.statement_id and withdrawal.confirmed_at is not null))::integer
        from imported_lines as line
        where line.rail = new.rail and line.currency_id = new.currency_id
          and line.provider_key = spaceless_reference(new.provider_id)
        order by line.withdrawn_before desc limit 1), 0);
      return new;
    end $$`.execute(db);
  await sql`create trigger imported_lines_withdrawn before insert on imported_lines
    for each row execute function count_withdrawn_lines()`.execute(db);
  // No foreign key: tables that refer to each other cannot be restored one after the other.
  await sql`alter table statements add column after_withdrawal integer,
    drop constraint statements_once,
    add constraint statements_once unique nulls not distinct
      (rail, currency_id, sha256, from_on, until_on, after_withdrawal)`.execute(db);
  await sql`alter table known_receipts drop constraint known_receipts_entry_id_key,
    add constraint known_receipts_once unique (entry_id, line_id)`.execute(db);
}

/** The arrivals of a withdrawn statement are reversed. */
async function letArrivalsBeReversed(db: Kysely<unknown>): Promise<void> {
  await sql`alter table journal_entries drop constraint journal_entries_outside,
    add constraint journal_entries_outside check (
      (invoice_id is null) = (kind in ('arrival', 'returned'))
      and (invoice_id is not null or statement_line_id is not null and (reverses is null or kind = 'arrival'))
      and (statement_line_id is null or kind in ('receipt', 'arrival', 'returned'))),
    add constraint journal_entries_reverses foreign key (reverses) references journal_entries`.execute(db);
  await sql`drop index journal_entries_arrived_once`.execute(db);
  await sql`create unique index journal_entries_arrived_once on journal_entries (statement_line_id)
    where kind = 'arrival' and reverses is null`.execute(db);
}
