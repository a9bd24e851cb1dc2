import { type Kysely, sql } from 'kysely';

/**
 * More time to pay an advance back (docs/decisions/0046-paying-back.md): asked for by the client or offered by an officer,
 * agreed by another, accepted by the client. An application has one open extension at most. Its entry in the journal is
 * the client's own: they alone take it on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table extensions (
    id integer generated always as identity primary key,
    invoice_id integer not null references invoices,
    financing_period_id integer not null references financing_periods,
    tenor_days integer not null check (tenor_days > 0),
    reason text not null check (length(reason) between 1 and 1000),
    asked_at timestamptz,
    asked_by integer references persons,
    offered_at timestamptz,
    offered_by integer references persons,
    agreed_at timestamptz,
    agreed_by integer references persons,
    closed_at timestamptz,
    closed_by integer references persons,
    version text,
    facts jsonb,
    fee numeric(15,2) check (fee >= 0),
    due_on date,
    constraint extensions_asked check ((asked_at is null) = (asked_by is null)),
    constraint extensions_offered check (
      (offered_at is null) = (offered_by is null) and num_nonnulls(asked_at, offered_at) > 0),
    constraint extensions_agreed check (
      (agreed_at is null) = (agreed_by is null) and (agreed_at is null or offered_at is not null)),
    constraint extensions_two_officers check (agreed_by <> offered_by),
    constraint extensions_closed check ((closed_at is null) = (closed_by is null)),
    constraint extensions_accepted check (
      num_nonnulls(version, facts, fee, due_on) in (0, 4)
      and (version is null or agreed_at is not null and closed_at is not null)))`.execute(db);
  await sql`create unique index extensions_open on extensions (invoice_id) where closed_at is null`.execute(db);
  await sql`create index extensions_of_invoice on extensions (invoice_id, id)`.execute(db);
  for (const column of ['asked_by', 'offered_by', 'agreed_by', 'closed_by'])
    await sql`create index ${sql.ref(`extensions_${column}`)} on extensions (${sql.ref(column)})
      where ${sql.ref(column)} is not null`.execute(db);
  await sql`alter table extensions enable row level security`.execute(db);
  await sql`create policy own_rows on extensions
    using (exists (select from invoices where invoices.id = extensions.invoice_id))`.execute(db);
  await sql`create policy own_extension on journal_entries for insert with check (
    kind = 'extension' and reverses is null and recorded_by = (select scope_person())
    and exists (select from invoices where invoices.id = journal_entries.invoice_id))`.execute(db);
  await sql`create policy own_extension on journal_lines for insert with check (exists (
    select from journal_entries as entry where entry.id = entry_id and entry.kind = 'extension'
      and entry.recorded_by = (select scope_person())))`.execute(db);
}
