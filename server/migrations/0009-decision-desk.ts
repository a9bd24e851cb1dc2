import { type Kysely, sql } from 'kysely';
import { publicHolidays } from '#server/migrations/reference/public-holidays.ts';

/**
 * The decision desk (docs/decisions/0013). What a case needs to be found and decided stands on the invoice's row, under
 * its one lock; what was done to it stands in tables that are only added to. New indexes are partial, so that saving a
 * draft writes to none of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createHolidays(db);
  await extendInvoices(db);
  await indexCases(db);
  await createSteps(db);
  await createRequests(db);
  await createKeyFactsAndFlags(db);
  await createLedger(db);
  await createLimits(db);
}

async function createHolidays(db: Kysely<unknown>): Promise<void> {
  await sql`create table public_holidays (date date primary key, name text not null, source text not null)`.execute(db);
  await sql`insert into public_holidays select * from jsonb_to_recordset(${JSON.stringify(publicHolidays)}::jsonb)
    as row (date date, name text, source text)`.execute(db);
}

async function extendInvoices(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invoices
    drop constraint invoices_status_check,
    add constraint invoices_status check (status in ('Draft', 'Submitted', 'In Review', 'Info Requested', 'Approved',
      'Declined', 'Withdrawn', 'Disbursed', 'Settled')),
    add column holder_id integer references persons,
    add column held_since timestamptz,
    add column first_approved_by integer references persons,
    add column first_approved_at timestamptz,
    add column decision_target_ms integer check (decision_target_ms > 0),
    add column clock_runs_since timestamptz,
    add column clock_used_ms bigint not null default 0 check (clock_used_ms >= 0),
    add column decide_by timestamptz,
    add column promise_missed_at timestamptz,
    add column decided_at timestamptz,
    add column decided_by integer references persons,
    add column decline_reason text,
    add column decline_note text,
    add column due_on date,
    add column outstanding numeric(15,2),
    add column settled_on date,
    add column settled_at timestamptz,
    add column invoice_number_look text generated always as (translate(invoice_number_key, 'oil', '011')) stored`.execute(
    db,
  );
  // Nobody had been promised a time before there was a desk: a day is what those who waited then get.
  await sql`update invoices set decision_target_ms = 14400000, clock_runs_since = submitted_at,
    decide_by = submitted_at + interval '1 day' where status = 'Submitted'`.execute(db);
  await sql`alter table invoices
    add constraint invoices_held_whole check ((holder_id is null) = (held_since is null)),
    add constraint invoices_held_undecided check (
      holder_id is null or status in ('Submitted', 'In Review', 'Info Requested')),
    add constraint invoices_first_approval check (
      (first_approved_by is null) = (first_approved_at is null)
      and (first_approved_by is null or status not in ('Draft', 'Submitted', 'Withdrawn'))),
    add constraint invoices_two_officers check (
      status not in ('Approved', 'Disbursed', 'Settled') or first_approved_by is distinct from decided_by),
    add constraint invoices_clock check (case
      when status = 'Draft' then decide_by is null and clock_runs_since is null
      when status in ('Submitted', 'In Review') then
        decide_by is not null and clock_runs_since is not null and decision_target_ms is not null
      when status = 'Info Requested' then decide_by is null and clock_runs_since is null
      else clock_runs_since is null end),
    add constraint invoices_decided_whole check (
      (status in ('Approved', 'Declined', 'Disbursed', 'Settled')) = (decided_at is not null)
      and (decided_at is null) = (decided_by is null)),
    add constraint invoices_declined_whole check (
      (status = 'Declined') = (decline_reason is not null) and (decline_reason is null) = (decline_note is null)),
    add constraint invoices_disbursed_whole check (
      (status in ('Disbursed', 'Settled')) = (due_on is not null) and (due_on is null) = (outstanding is null)),
    add constraint invoices_outstanding check (
      (status <> 'Disbursed' or (outstanding > 0 and outstanding <= advance))
      and (status <> 'Settled' or outstanding = 0)),
    add constraint invoices_settled_whole check (
      (status = 'Settled') = (settled_on is not null) and (settled_on is null) = (settled_at is null))`.execute(db);
}

async function indexCases(db: Kysely<unknown>): Promise<void> {
  await sql`create index invoices_undecided on invoices (decide_by, id)
    where status in ('Submitted', 'In Review', 'Info Requested')`.execute(db);
  await sql`create index invoices_of_holder on invoices (holder_id) where holder_id is not null`.execute(db);
  await sql`create index invoices_due on invoices (due_on, id) where status = 'Disbursed'`.execute(db);
  await sql`create index invoices_decided on invoices (decided_at desc, id desc)
    include (decide_by, promise_missed_at, clock_used_ms) where decided_at is not null`.execute(db);
  await sql`create index invoices_to_disburse on invoices (decided_at, id) where status = 'Approved'`.execute(db);
  await sql`create index invoices_using_limit on invoices (business_id, currency_id)
    include (status, advance, outstanding)
    where status in ('Submitted', 'In Review', 'Info Requested', 'Approved', 'Disbursed')`.execute(db);
  await sql`create index invoices_paid_out on invoices (business_id, due_on)
    include (status, currency_id, tenor_days, advance, discount_fee, net_proceeds, outstanding)
    where status in ('Disbursed', 'Settled')`.execute(db);
  await sql`create index invoices_settled_on_time on invoices (business_id, currency_id, settled_at)
    where status = 'Settled' and settled_on <= due_on`.execute(db);
  await sql`create index invoices_look on invoices (buyer_id, invoice_number_look) where status <> 'Draft'`.execute(db);
  await sql`create index invoices_amount on invoices (buyer_id, currency_id, face_value, invoice_date)
    where status <> 'Draft'`.execute(db);
  await sql`create index documents_content on documents (sha256)`.execute(db);
}

/** The steps that were taken; `by_person` is null for what Kasente does by itself. */
async function createSteps(db: Kysely<unknown>): Promise<void> {
  await sql`create table application_steps (
    id bigint generated always as identity primary key,
    invoice_id integer not null references invoices,
    step text not null,
    from_status text not null,
    to_status text not null,
    at timestamptz not null,
    by_person integer references persons,
    note text)`.execute(db);
  await sql`create index application_steps_of_invoice on application_steps (invoice_id, id)`.execute(db);
  await sql`insert into application_steps (invoice_id, step, from_status, to_status, at, by_person)
    select id, 'submit', 'Draft', 'Submitted', submitted_at, submitted_by from invoices where status = 'Submitted'`.execute(
    db,
  );
  await appendOnly(db, 'application_steps');
}

async function createRequests(db: Kysely<unknown>): Promise<void> {
  await sql`create table information_requests (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    invoice_id integer not null references invoices,
    question text not null,
    asked_at timestamptz not null,
    asked_by integer not null references persons,
    closed_at timestamptz,
    answer text,
    answered_by integer references persons,
    recalled boolean not null default false,
    constraint information_requests_open check (
      closed_at is not null or (answer is null and answered_by is null and not recalled)),
    constraint information_requests_recalled check (not recalled or answered_by is null))`.execute(db);
  await sql`create unique index information_requests_one_open on information_requests (invoice_id)
    where closed_at is null`.execute(db);
  await sql`create index information_requests_of_invoice on information_requests (invoice_id, id)`.execute(db);
  await sql`create table information_request_documents (
    request_id integer not null references information_requests,
    document_type_id integer not null references document_types,
    earlier_document_id integer,
    uploaded boolean not null default false,
    primary key (request_id, document_type_id))`.execute(db);
}

async function createKeyFactsAndFlags(db: Kysely<unknown>): Promise<void> {
  await sql`create table key_facts_acceptances (
    invoice_id integer primary key references invoices,
    version text not null,
    facts jsonb not null,
    accepted_at timestamptz not null,
    accepted_by integer not null references persons)`.execute(db);
  await appendOnly(db, 'key_facts_acceptances');
  await sql`create table invoice_flags (
    invoice_id integer not null references invoices,
    other_invoice_id integer not null references invoices,
    kind text not null check (kind in ('sameNumberAndAmount', 'sameFile', 'nearAmountAndDate', 'nearNumber')),
    files text[] not null default '{}',
    found_at timestamptz not null,
    primary key (invoice_id, other_invoice_id, kind),
    check (invoice_id <> other_invoice_id))`.execute(db);
  await sql`create index invoice_flags_other on invoice_flags (other_invoice_id)`.execute(db);
}

/** A counter-entry carries the amount that it takes back, below 0; only one may take an entry back. */
async function createLedger(db: Kysely<unknown>): Promise<void> {
  await sql`create table ledger_entries (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    invoice_id integer not null references invoices,
    kind text not null check (kind in ('disbursement', 'receipt', 'surplus')),
    amount numeric(15,2) not null check (amount <> 0),
    paid_on date not null,
    method text not null check (method in ('mobileMoney', 'bank')),
    reference text not null,
    payer text check (payer in ('buyer', 'client')),
    reverses integer,
    reason text,
    recorded_at timestamptz not null,
    recorded_by integer not null references persons,
    constraint ledger_entries_reversed_once unique (reverses),
    constraint ledger_entries_own unique (id, invoice_id, kind),
    constraint ledger_entries_reverses_own foreign key (reverses, invoice_id, kind)
      references ledger_entries (id, invoice_id, kind),
    constraint ledger_entries_sign check ((reverses is null) = (amount > 0)),
    constraint ledger_entries_reason check ((reverses is null) = (reason is null)),
    constraint ledger_entries_payer check ((kind = 'receipt') = (payer is not null)))`.execute(db);
  await sql`create index ledger_entries_of_invoice on ledger_entries (invoice_id, id)`.execute(db);
  await appendOnly(db, 'ledger_entries');
}

/** A client without a row has the starting limit of the settings. */
async function createLimits(db: Kysely<unknown>): Promise<void> {
  await sql`create table funding_limits (
    business_id integer not null references businesses,
    currency_id integer not null references currencies,
    amount numeric(15,2) not null check (amount >= 0),
    set_at timestamptz not null,
    set_by integer not null references persons,
    primary key (business_id, currency_id))`.execute(db);
}

async function appendOnly(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`create trigger ${sql.ref(`${table}_append_only`)} before update or delete or truncate on ${sql.table(table)}
    for each statement execute function refuse_change()`.execute(db);
}
