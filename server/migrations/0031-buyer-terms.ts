import { type Kysely, sql } from 'kysely';

/**
 * What a buyer will really pay, and when (docs/decisions/0043-buyer-terms.md): dated tax rates, the terms of buyers and invoices,
 * and acknowledgements of flags that are about the case itself and not about another invoice.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTaxRates(db);
  await addTerms(db);
  await widenAcknowledgements(db);
}

/** Read like other reference data; a lender adds a row for a new rate (docs/reference-data.md). */
async function createTaxRates(db: Kysely<unknown>): Promise<void> {
  await sql`create table tax_rates (
    kind text not null check (kind in ('vat', 'withholdingTax', 'vatWithholding')),
    valid_from date not null,
    rate_bps integer not null check (rate_bps between 0 and 10000),
    threshold numeric(15,2) check (threshold >= 0),
    confidence text not null check (confidence in ('high', 'medium', 'low')),
    source text not null,
    primary key (kind, valid_from))`.execute(db);
  await sql`insert into tax_rates (kind, valid_from, rate_bps, threshold, confidence, source) values
    ('vat', '1900-01-01', 1800, null, 'high', 'Value Added Tax Act: standard rate'),
    ('withholdingTax', '1900-01-01', 600, 1000000, 'medium',
      'Income Tax Act: designated agents withhold from payments above UGX 1,000,000; checked up to 2022, later years unverified'),
    ('vatWithholding', '1900-01-01', 600, null, 'medium',
      'Value Added Tax Act: designated agents withhold of the taxable value')`.execute(db);
}

/**
 * Nobody's terms are known yet. What the two fields of an invoice must be to each other is checked here from its submission on: the
 * last release saves drafts without knowing of them.
 */
async function addTerms(db: Kysely<unknown>): Promise<void> {
  await sql`alter table businesses
    add column usual_terms_days integer check (usual_terms_days between 0 and 365),
    add column withholds_tax boolean not null default false,
    add column withholds_vat boolean not null default false`.execute(db);
  await sql`alter table invoices
    add column payment_due_on date,
    add column vat numeric(15,2) check (vat >= 0),
    add constraint invoices_terms check (status = 'Draft' or
      (coalesce(payment_due_on >= invoice_date, true) and coalesce(vat <= face_value, true)))`.execute(db);
}

/** An acknowledgement of such a flag holds for one fact, as it was shown: with another one the flag is open again. */
async function widenAcknowledgements(db: Kysely<unknown>): Promise<void> {
  await sql`alter table flag_acknowledgements
    alter column other_invoice_id drop not null,
    add column fact text,
    drop constraint flag_acknowledgements_kind_check,
    drop constraint flag_acknowledgements_once,
    add constraint flag_acknowledgements_kind check ((other_invoice_id is null) = (fact is not null) and case
      when fact is null then kind in ('sameNumberAndAmount', 'sameFile', 'nearAmountAndDate', 'nearNumber')
      else kind in ('coverage', 'dueDate') end),
    add constraint flag_acknowledgements_once
      unique nulls not distinct (invoice_id, other_invoice_id, kind, files, fact)`.execute(db);
}
