import { type Kysely, sql } from 'kysely';

/**
 * What paying back takes beside the payments (docs/decisions/0046-paying-back.md): the reference of a repayment, which
 * reminders were sent, and what client and officers said about an advance that comes late.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await giveReferences(db);
  await keepPayoutDays(db);
  await createReminders(db);
  await createEntries(db);
}

/** contract/payments/repayment-reference.ts has the rule; what has landed keeps its own copy. */
const ALPHABET = 'ACDEFGHJKMNPRTVWXY34679';
/** 23^7, and a multiplier that is coprime to it: neighbouring ids get references that look unalike, none twice. */
const BODIES = 3_404_825_447;
const SPREAD = 1_580_030_173;

/**
 * Made from the id by the database, so that a server of the release before, which does not know it, makes one too, and no
 * two are the same. A draft's is not used, and its index leaves drafts alone.
 */
async function giveReferences(db: Kysely<unknown>): Promise<void> {
  await sql`create function repayment_reference_of(id integer) returns text
    language plpgsql immutable strict parallel safe as $$
    declare
      alphabet constant text := ${sql.lit(ALPHABET)};
      rest bigint := (id::bigint * ${sql.lit(SPREAD)} + 977) % ${sql.lit(BODIES)};
      total integer := 0;
      digit integer;
      reference text := '';
    begin
      for weight in 2..8 loop
        digit := (rest % 23)::integer;
        rest := rest / 23;
        total := total + digit * weight;
        reference := substr(alphabet, digit + 1, 1) || reference;
      end loop;
      return reference || substr(alphabet, (23 - total % 23) % 23 + 1, 1);
    end $$`.execute(db);
  await sql`alter table invoices
    add column repayment_reference text not null generated always as (repayment_reference_of(id)) stored`.execute(db);
  await sql`create unique index invoices_repayment_reference on invoices (repayment_reference)
    where submitted_at is not null`.execute(db);
}

/**
 * The day of the payout: a due date that moves past a Sunday or holiday no longer tells it. Null where a server of the
 * release before paid it out: such a due date is the payout's day and the tenor. The indexes that figures and limits read
 * alone get it too.
 */
async function keepPayoutDays(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invoices add column paid_out_on date`.execute(db);
  await sql`drop index invoices_paid_out, invoices_settled_on_time`.execute(db);
  await sql`create index invoices_paid_out on invoices (business_id, due_on)
    include (status, currency_id, tenor_days, advance, discount_fee, net_proceeds, outstanding, paid_out_on)
    where status in ('Disbursed', 'Settled')`.execute(db);
  await sql`create index invoices_settled_on_time on invoices (business_id, currency_id, settled_at)
    include (advance, settled_on, due_on, tenor_days, paid_out_on)
    where status = 'Settled' and settled_on <= due_on`.execute(db);
}

/** One of a day for each due date. No client reads them. */
async function createReminders(db: Kysely<unknown>): Promise<void> {
  await sql`create table repayment_reminders (
    invoice_id integer not null references invoices,
    due_on date not null,
    day integer not null,
    at timestamptz not null,
    told integer not null check (told >= 0),
    primary key (invoice_id, due_on, day))`.execute(db);
  await appendOnly(db, 'repayment_reminders');
}

/** A client sees and adds their own word, and sees a dispute; the officers' contacts, promises and notes are theirs. */
async function createEntries(db: Kysely<unknown>): Promise<void> {
  await sql`create table collection_entries (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    invoice_id integer not null references invoices,
    kind text not null,
    at timestamptz not null,
    by_person integer not null references persons,
    note text check (length(note) between 1 and 1000),
    day date,
    amount numeric(15, 2) check (amount > 0),
    channel text check (channel in ('call', 'message', 'visit')),
    next_step text check (length(next_step) between 1 and 200),
    constraint collection_entries_whole check (case kind
      when 'buyerLate' then note is not null and day is not null and amount is null and channel is null and next_step is null
      when 'dispute' then note is not null and num_nonnulls(day, amount, channel, next_step) = 0
      when 'disputeEnded' then note is not null and num_nonnulls(day, amount, channel, next_step) = 0
      when 'contact' then note is not null and channel is not null and amount is null and (day is null or next_step is not null)
      when 'promise' then day is not null and amount is not null and num_nonnulls(channel, next_step) = 0
      when 'note' then note is not null and num_nonnulls(day, amount, channel, next_step) = 0
      else false end))`.execute(db);
  await sql`create index collection_entries_of_invoice on collection_entries (invoice_id, id)`.execute(db);
  await sql`create index collection_entries_by_person on collection_entries (by_person)`.execute(db);
  await appendOnly(db, 'collection_entries');
  const own = sql.raw('exists (select from invoices where invoices.id = invoice_id)');
  await sql`create policy own_rows on collection_entries for select
    using (kind in ('buyerLate', 'dispute', 'disputeEnded') and ${own})`.execute(db);
  await sql`create policy own_word on collection_entries for insert with check (kind = 'buyerLate' and ${own})`.execute(
    db,
  );
}

async function appendOnly(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`create trigger ${sql.raw(`${table}_append_only`)} before update or delete or truncate on ${sql.table(table)}
    for each statement execute function refuse_change()`.execute(db);
  await sql`alter table ${sql.table(table)} enable row level security`.execute(db);
}
