import { sql } from 'kysely';
import type { FlagKind } from '#contract/desk/schema.ts';
import type { Connection } from '#server/platform/database.ts';

/** Days that two invoices' dates may lie apart to look like one. */
const NEAR_DAYS = 3;

/** The newest that are kept: whoever looks like more than these is looked into by hand. */
const TWINS_KEPT = 50;

/** An invoice that looks like another one. */
export interface Twin {
  readonly otherId: number;
  readonly kind: FlagKind;
  /** The names of the types of document whose files are the same. */
  readonly files: readonly string[];
}

/**
 * Every submitted invoice of any business that looks like this one (issue 'Guard against financing an invoice twice');
 * drafts promise nothing yet and are compared when they are submitted.
 */
export async function selectTwins(connection: Connection, invoiceId: number): Promise<Twin[]> {
  const { rows } = await sql<Twin>`
    with this as (select id, business_id, buyer_id, currency_id, invoice_number_key, invoice_number_look, invoice_date,
      face_value from invoices where id = ${invoiceId}),
    looks as (
      select other.id, other.business_id <> this.business_id and other.invoice_number_key = this.invoice_number_key
          and other.currency_id = this.currency_id and other.face_value = this.face_value as same
      from this join invoices as other on other.buyer_id = this.buyer_id
        and other.invoice_number_look = this.invoice_number_look
      where other.status <> 'Draft' and other.id <> this.id),
    near as (
      select other.id from this join invoices as other on other.buyer_id = this.buyer_id
        and other.currency_id = this.currency_id and other.face_value = this.face_value
        and other.invoice_date between this.invoice_date - ${NEAR_DAYS}::integer and this.invoice_date + ${NEAR_DAYS}::integer
      where other.status <> 'Draft' and other.id <> this.id),
    copies as (
      select other.id, array_agg(distinct types.name order by types.name) as files
      from documents as mine join documents as theirs on theirs.sha256 = mine.sha256
        join invoices as other on other.id = theirs.invoice_id
        join document_types as types on types.id = mine.document_type_id
      where mine.invoice_id = ${invoiceId} and other.id <> ${invoiceId} and other.status <> 'Draft'
      group by other.id)
    select id as "otherId", case when same then 'sameNumberAndAmount' else 'nearNumber' end as kind,
      '{}'::text[] as files from looks
    union all
    select id, 'nearAmountAndDate', '{}' from near where id not in (select id from looks where same)
    union all
    select id, 'sameFile', files from copies
    order by "otherId" desc limit ${TWINS_KEPT}`.execute(connection);
  return rows;
}

/** Keeps the flags of an invoice beside those that were found before. */
export async function insertFlags(
  connection: Connection,
  invoiceId: number,
  twins: readonly Twin[],
  foundAt: Date,
): Promise<void> {
  const flags = twins.map(({ otherId, kind, files }) => ({
    invoice_id: invoiceId,
    other_invoice_id: otherId,
    kind,
    files: [...files],
    found_at: foundAt,
  }));
  await connection
    .insertInto('invoice_flags')
    .values(flags)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
