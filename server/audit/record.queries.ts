import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';

/** Invoice rows in the form of server/audit/replay.ts: people by tag, times in milliseconds. */

/** The next invoices after an id. */
export async function selectInvoiceTags(connection: Connection, afterId: number, count: number) {
  return connection
    .selectFrom('invoices')
    .select(['id', 'tag'])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(count)
    .execute();
}

type Value = string | number | null;
type Row = Readonly<Record<string, Value>> & { readonly invoiceTag: string };

/** The rows of some invoices, by tag. */
export async function selectStandingInvoices(connection: Connection, tags: readonly string[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select tag as "invoiceTag", invoice_number, invoice_date, currency_id, buyer_id, business_id, face_value,
      payment_due_on, vat, status, late_charge_bps,
      application_reference, application_date, advance, financing_period_id, tenor_days, fee_rate_bps, discount_fee,
      net_proceeds, decline_reason, decline_note, due_on, outstanding, surplus_owed, settled_on,
      ${moment('submitted_at')}, ${moment('first_approved_at')}, ${moment('decided_at')}, ${moment('settled_at')},
      ${person('submitted_by')}, ${person('first_approved_by')}, ${person('decided_by')}, ${person('holder_id', 'holder')}
    from invoices where tag = any(${tags})`.execute(connection);
  return rows;
}

/** Every step of some invoices, in order. */
export async function selectStandingSteps(connection: Connection, tags: readonly string[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select invoices.tag as "invoiceTag", step, from_status, to_status, ${moment('at')}, ${person('by_person', 'by')}, note
    from application_steps join invoices on invoices.id = invoice_id
    where invoices.tag = any(${tags}) order by application_steps.id`.execute(connection);
  return rows;
}

type EntryRow = Row & { readonly ledgerId: number | null; readonly tag: string };

/**
 * The whole journal of some invoices, in order. Events of 1.0.0 refer to an entry by its number in `ledger_entries`.
 */
export async function selectStandingEntries(connection: Connection, tags: readonly string[]): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select invoices.tag as "invoiceTag", entry.tag, entry.kind, entry.amount, entry.carried, entry.rounded,
      entry.occurred_on as paid_on,
      entry.method, entry.reference, entry.payer, entry.deduction, entry.certificate, entry.reason, original.tag as reverses,
      (select line.tag from imported_lines as line where line.id = entry.statement_line_id) as line,
      old.id as "ledgerId", ${moment('entry.recorded_at', 'recorded_at')}, ${person('entry.recorded_by', 'recorded_by')},
      (select string_agg(account || ' ' || amount, ', ' order by account collate "C") from journal_lines where entry_id = entry.id) as lines
    from journal_entries as entry join invoices on invoices.id = entry.invoice_id
      left join journal_entries as original on original.id = entry.reverses
      left join ledger_entries as old on old.tag = entry.tag
    where invoices.tag = any(${tags}) order by entry.id`.execute(connection);
  return rows;
}

/** The accepted key facts of some invoices, from their submission and from counter-offers, oldest first. */
export async function selectStandingKeyFacts(connection: Connection, tags: readonly string[]) {
  const { rows } = await sql<{
    invoiceTag: string;
    ofOffer: boolean;
    version: string;
    facts: unknown;
    at: number;
    by: string;
  }>`
    select invoices.tag as "invoiceTag", "ofOffer", accepted.version, facts, ${moment('accepted_at', 'at')},
      ${person('accepted_by', 'by')}
    from (select invoice_id, false as "ofOffer", version, facts, accepted_at, accepted_by from key_facts_acceptances
      union all
      select invoice_id, true, version, facts, accepted_at, accepted_by
      from counter_offer_acceptances join counter_offers on counter_offers.id = offer_id) as accepted
    join invoices on invoices.id = invoice_id
    where invoices.tag = any(${tags}) order by accepted_at`.execute(connection);
  return rows;
}

/** The documents of some invoices. */
export async function selectStandingDocuments(
  connection: Connection,
  tags: readonly string[],
): Promise<(Row & { readonly tag: string })[]> {
  const { rows } = await sql<Row & { tag: string }>`
    select invoices.tag as "invoiceTag", documents.tag, document_type_id as "typeId", file_name as "fileName",
      media_type as "mediaType", size_bytes as size, encode(sha256, 'hex') as sha256,
      encode(stored_sha256, 'hex') as "storedSha256", removed
    from documents join invoices on invoices.id = invoice_id where invoices.tag = any(${tags})`.execute(connection);
  return rows;
}

/** The events of the documents of some invoices, including replaced ones, in recording order. */
export async function selectDocumentEvents(connection: Connection, tags: readonly string[]) {
  const { rows } = await sql<{
    id: number;
    invoiceTag: string;
    /** The name of its type, as in requests for documents. */
    type: string | null;
    tag: string;
    action: string;
    logged: Readonly<Record<string, Value>>;
  }>`
    select id, coalesce(after, before) ->> 'invoiceTag' as "invoiceTag", subject_tag as tag, action,
      (select name from document_types where document_types.id::text = coalesce(after, before) ->> 'typeId') as type,
      coalesce(after, before) as logged
    from audit_events
    where subject_type = 'document' and (coalesce(after, before) ->> 'invoiceTag') = any(${tags}) order by id`.execute(
    connection,
  );
  return rows;
}

/**
 * Invoices that are in the log but not in the database, except deleted drafts. A submitted invoice can't be deleted.
 */
export async function selectVanished(connection: Connection, count: number): Promise<string[]> {
  const { rows } = await sql<{ tag: string }>`
    select distinct subject_tag as tag from audit_events as event
    where subject_type = 'invoice' and action in ('invoice.created', ${submissions})
      and not exists (select from invoices where tag = event.subject_tag)
      and (action <> 'invoice.created' or not exists (select from audit_events as deletion
        where deletion.subject_tag = event.subject_tag and deletion.action = 'invoice.deleted'))
    order by 1 limit ${count}`.execute(connection);
  return rows.map(({ tag }) => tag);
}

/** The second action is the first version's format. */
const submissions = sql`'application.submit', 'application.submitted'`;

function moment(column: string, name = column) {
  return sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8 as ${sql.ref(name)}`;
}

function person(column: string, name = column) {
  return sql`(select persons.tag from persons where persons.id = ${sql.ref(column)}) as ${sql.ref(name)}`;
}
