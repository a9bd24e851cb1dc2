import { type Kysely, sql } from 'kysely';

/**
 * An invoice and its one application are one row (docs/decisions/0003): one lock serialises save, upload and submit,
 * and the rules that need both can be constraints. Money is NUMERIC(15,2).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createInvoices(db);
  await createDocuments(db);
}

async function createInvoices(db: Kysely<unknown>): Promise<void> {
  await sql`create table invoices (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    version integer not null default 1 check (version > 0),
    business_id integer not null references businesses,
    buyer_id integer not null references businesses,
    currency_id integer not null references currencies,
    invoice_number text not null,
    invoice_number_key text not null,
    invoice_date date not null,
    face_value numeric(15,2) not null check (face_value > 0),
    status text not null default 'Draft' check (status in ('Draft', 'Submitted')),
    listed_on date not null,
    created_at timestamptz not null,
    created_by integer not null references persons,
    application_tag uuid unique,
    application_version integer check (application_version > 0),
    application_reference uuid,
    application_date date,
    advance numeric(15,2) check (advance > 0),
    financing_period_id integer references financing_periods,
    tenor_days integer,
    fee_rate_bps integer check (fee_rate_bps between 0 and 10000),
    discount_fee numeric(15,2) check (discount_fee >= 0),
    net_proceeds numeric(15,2) check (net_proceeds >= 0),
    submitted_at timestamptz,
    submitted_by integer references persons,
    constraint invoices_reference unique (application_reference),
    constraint invoices_buyer_is_not_seller check (buyer_id <> business_id),
    constraint invoices_application_whole check (
      num_nulls(application_tag, application_version, application_reference, application_date, advance,
        financing_period_id, tenor_days, fee_rate_bps, discount_fee, net_proceeds) in (0, 10)),
    constraint invoices_fee_and_net check (advance = discount_fee + net_proceeds),
    constraint invoices_submitted_whole check (
      status = 'Draft' or (submitted_at is not null and submitted_by is not null and advance is not null
        and advance <= face_value * 0.9 and fee_rate_bps > 0)))`.execute(db);
  await sql`create unique index invoices_number on invoices (business_id, buyer_id, invoice_number_key)
    where status not in ('Declined', 'Withdrawn')`.execute(db);
  await sql`create index invoices_of_business on invoices (business_id, listed_on desc, id desc)
    include (status)`.execute(db);
  await sql`create index invoices_of_all on invoices (listed_on desc, id desc)`.execute(db);
  await sql`create index invoices_of_status on invoices (status, listed_on desc, id desc)`.execute(db);
  await sql`create index invoices_of_buyer on invoices (buyer_id)`.execute(db);
  await sql`create index invoices_number_search on invoices using gin (lower(invoice_number) gin_trgm_ops)`.execute(db);
  await countInvoices(db);
}

/** By statement rather than by row, so that a bulk of invoices is counted with one write for each business. */
async function countInvoices(db: Kysely<unknown>): Promise<void> {
  await sql`create function count_invoices() returns trigger language plpgsql as $$
    declare difference integer := case tg_op when 'INSERT' then 1 else -1 end;
    begin
      perform count_row('invoices', changed.business_id, changed.invoices * difference)
      from (select business_id, count(*)::integer as invoices from changed_invoices group by 1 order by 1) as changed;
      return null;
    end $$`.execute(db);
  await sql`create trigger invoices_added after insert on invoices referencing new table as changed_invoices
    for each statement execute function count_invoices()`.execute(db);
  await sql`create trigger invoices_removed after delete on invoices referencing old table as changed_invoices
    for each statement execute function count_invoices()`.execute(db);
}

async function createDocuments(db: Kysely<unknown>): Promise<void> {
  await sql`create table documents (
    id integer generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
    invoice_id integer not null references invoices on delete cascade,
    document_type_id integer not null references document_types,
    storage_key text not null unique,
    file_name text not null,
    media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp', 'application/pdf')),
    size_bytes integer not null check (size_bytes between 1 and 10485760),
    sha256 bytea not null check (length(sha256) = 32),
    uploaded_at timestamptz not null,
    uploaded_by integer not null references persons,
    constraint documents_one_of_a_type unique (invoice_id, document_type_id))`.execute(db);
}
