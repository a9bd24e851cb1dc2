import { sql } from 'kysely';
import type { DuplicateKind } from '#contract/desk/schema.ts';
import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';

/** Possible duplicates may be dated at most this many days apart. */
const NEAR_DAYS = sql.lit(7);

/** The smaller of two amounts must be at least this share of the larger one. */
const NEAR_SHARE = sql.lit(0.99);

/**
 * How many flags of each kind are stored: other clients' before the client's own, then the newest. If there are more, a
 * person must look. The limit is by kind, because otherwise a contract uploaded with every invoice would displace all
 * other flags.
 */
const KEPT_OF_A_KIND = sql.lit(20);

/**
 * How many submitted invoices with the same file are compared, in no particular order. A file on more of them is a
 * standing document, which says little, and other submissions may be waiting (`lockComparable`).
 */
const COPIES_COMPARED = sql.lit(1000);

/** A possible duplicate. */
export interface Duplicate {
  readonly otherId: number;
  readonly kind: DuplicateKind;
  /** The names of the document types whose files are identical. */
  readonly files: readonly string[];
}

/**
 * Locks the values by which an invoice is compared until the transaction ends: its buyer and its files. If two invoices
 * could be duplicates of each other, the second waits, and then sees the first.
 */
export function lockComparable(
  change: Change,
  { id, buyerId }: { readonly id: number; readonly buyerId: number },
): void {
  // Always in the same order, to avoid deadlock.
  const keys = sql<{ key: string }>`(
    select hashtextextended('kasente buyer ' || ${buyerId}::integer, 0) as key
    union select hashtextextended('kasente file ' || encode(digest, 'hex'), 0)
      from documents cross join lateral (values (sha256), (stored_sha256)) as digests (digest) where invoice_id = ${id}
    order by key)`;
  change.send(change.selectFrom(keys.as('keys')).select(sql`pg_advisory_xact_lock(keys.key)`.as('held')));
}

/** Every submitted invoice of any business that looks like this one. Drafts are compared when they are submitted. */
export async function selectDuplicates(connection: Connection, invoiceId: number): Promise<Duplicate[]> {
  const { rows } = await sql<Duplicate>`
    with this as (select id, business_id, buyer_id, currency_id, invoice_number_key, invoice_number_look, invoice_date,
      face_value from invoices where id = ${invoiceId}),
    looks as (
      select other.id, other.business_id,
        other.business_id <> this.business_id
          and replace(other.invoice_number_key, '-', '') = replace(this.invoice_number_key, '-', '')
          and other.currency_id = this.currency_id and other.face_value = this.face_value as same
      from this join invoices as other on other.buyer_id = this.buyer_id
        and other.invoice_number_look = this.invoice_number_look
      where other.status <> 'Draft' and other.id <> this.id),
    near as (
      select other.id, other.business_id from this join invoices as other on other.buyer_id = this.buyer_id
        and other.currency_id = this.currency_id
        and other.face_value between this.face_value * ${NEAR_SHARE} and this.face_value / ${NEAR_SHARE}
        and other.invoice_date between this.invoice_date - ${NEAR_DAYS} and this.invoice_date + ${NEAR_DAYS}
      where other.status <> 'Draft' and other.id <> this.id),
    copies as (
      select other.id, other.business_id, array_agg(distinct types.name order by types.name) as files
      from documents as mine join document_types as types on types.id = mine.document_type_id
        cross join lateral (
          select copied.id, copied.business_id
          from documents as theirs join invoices as copied on copied.id = theirs.invoice_id
          where (theirs.stored_sha256 = mine.stored_sha256 or theirs.sha256 = mine.sha256) and copied.id <> ${invoiceId} and copied.status <> 'Draft'
          limit ${COPIES_COMPARED}) as other
      where mine.invoice_id = ${invoiceId} group by other.id, other.business_id),
    found as (
      select id, business_id, case when same then 'sameNumberAndAmount' else 'nearNumber' end as kind,
        '{}'::text[] as files from looks
      union all
      select id, business_id, 'nearAmountAndDate', '{}' from near where id not in (select id from looks where same)
      union all
      select id, business_id, 'sameFile', files from copies),
    ranked as (
      select found.*, row_number() over (
        partition by kind order by found.business_id = this.business_id, found.id desc) as rank from found, this)
    select id as "otherId", kind, files from ranked where rank <= ${KEPT_OF_A_KIND}`.execute(connection);
  return rows;
}

/**
 * Stores an invoice's flags in addition to earlier ones. A flag that now has more files in common is updated with all
 * of them.
 */
export function insertFlags(change: Change, invoiceId: number, duplicates: readonly Duplicate[], foundAt: Date): void {
  const flags = duplicates.map(({ otherId, kind, files }) => ({
    invoice_id: invoiceId,
    other_invoice_id: otherId,
    kind,
    files: [...files],
    found_at: foundAt,
  }));
  change.send(
    change
      .insertInto('invoice_flags')
      .values(flags)
      .onConflict((conflict) =>
        conflict
          .columns(['invoice_id', 'other_invoice_id', 'kind'])
          .doUpdateSet((set) => ({
            files: sql`array(select distinct unnest(invoice_flags.files || excluded.files) order by 1)`,
            found_at: set.ref('excluded.found_at'),
          }))
          .where(sql<boolean>`not invoice_flags.files @> excluded.files`),
      ),
  );
}
