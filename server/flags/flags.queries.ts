import { type Insertable, type RawBuilder, sql } from 'kysely';
import type { Status } from '#contract/applications/lifecycle.ts';
import { type CaseFlagKind, type DuplicateKind, duplicateKindCodes } from '#contract/desk/schema.ts';
import { type BuyerChange, judgedBuyerFields } from '#contract/flags/case-flags.ts';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';
import { personName } from '#server/sessions/person-name.ts';

/** Who acknowledged a flag; all null while it is open. */
export interface Acknowledged {
  readonly reason: string | null;
  readonly acknowledged_at: Date | null;
  readonly officer_tag: string | null;
  readonly officer_name: string | null;
}

/** A flag about the case itself. */
export interface CaseFlagRow extends Acknowledged {
  readonly kind: CaseFlagKind;
  readonly fact: string;
}

/** A flag about another invoice. Amounts in minor units. */
export interface DuplicateRow extends Acknowledged {
  readonly kind: DuplicateKind;
  readonly fact?: undefined;
  readonly files: readonly string[];
  readonly otherId: number;
  readonly tag: string;
  readonly invoice_number: string;
  readonly invoice_date: string;
  readonly client: string;
  readonly buyer: string;
  readonly currency: string;
  readonly face_value: number;
  readonly advance: number | null;
  readonly status: Status;
}

const strength = sql`array_position(array[${sql.join(duplicateKindCodes.map((kind) => sql.lit(kind)))}], flag.kind)`;

/** The flags of an invoice on either side, with the files that both have. */
function flagsOf(invoiceId: RawBuilder<unknown>) {
  return sql`select kind, other, coalesce(array_agg(distinct file order by file) filter (where file is not null), '{}') as files
    from (select kind, other_invoice_id as other, files from invoice_flags where invoice_id = ${invoiceId}
      union all select kind, invoice_id, files from invoice_flags where other_invoice_id = ${invoiceId}) as either
    left join lateral unnest(files) as file on true group by kind, other`;
}

/** The acknowledgement of `flag` for an invoice. It covers the files that were identical then. */
function acknowledging(invoiceId: RawBuilder<unknown>) {
  return sql`from flag_acknowledgements as given where given.invoice_id = ${invoiceId}
    and given.other_invoice_id = flag.other and given.kind = flag.kind and given.files @> flag.files`;
}

const listed = sql.ref('invoices.id');
/** The number of unacknowledged duplicates of the current invoice. */
export const openDuplicateCount = sql<number>`(select count(*)::int from (${flagsOf(listed)}) as flag
  where not exists (select ${acknowledging(listed)}))`;

/**
 * The duplicates of a case on either side: the strongest kind first, within it other clients' before one's own, then
 * the newest. An acknowledgement covers the files that were identical then; another file opens the flag again.
 */
export async function selectDuplicateFlags(
  connection: Connection,
  { id, businessId }: { readonly id: number; readonly businessId: number },
): Promise<DuplicateRow[]> {
  const { rows } = await sql<DuplicateRow>`
    with flag as (${flagsOf(sql`${id}`)})
    select flag.kind, flag.files, flag.other as "otherId", invoices.tag, invoices.invoice_number, invoices.invoice_date,
      client.name as client, buyer.name as buyer, currencies.code as currency, invoices.face_value, invoices.advance,
      invoices.status, acknowledged.reason, acknowledged.acknowledged_at, officer.tag as officer_tag,
      case when officer.id is not null then ${personName('officer')} end as officer_name
    from flag join invoices on invoices.id = flag.other
      join currencies on currencies.id = invoices.currency_id
      join businesses as client on client.id = invoices.business_id
      join businesses as buyer on buyer.id = invoices.buyer_id
      left join lateral (
        select reason, acknowledged_at, acknowledged_by ${acknowledging(sql`${id}`)}
        order by given.id limit 1) as acknowledged on true
      left join persons as officer on officer.id = acknowledged.acknowledged_by
    order by ${strength}, invoices.business_id = ${businessId}, flag.other desc`.execute(connection);
  return rows;
}

/** Acknowledgements of flags about the case itself, oldest first. */
export async function selectCaseAcknowledgements(connection: Connection, invoiceId: number): Promise<CaseFlagRow[]> {
  const { rows } = await sql<CaseFlagRow>`
    select given.kind, given.fact, given.reason, given.acknowledged_at, officer.tag as officer_tag,
      ${personName('officer')} as officer_name
    from flag_acknowledgements as given join persons as officer on officer.id = given.acknowledged_by
    where given.invoice_id = ${invoiceId} and given.fact is not null order by given.id`.execute(connection);
  return rows;
}

/** The acknowledged facts about the current invoice itself, each after its kind. */
export const acknowledgedFacts = sql<string[]>`array(select given.kind || ' ' || given.fact
  from flag_acknowledgements as given where given.invoice_id = invoices.id and given.fact is not null)`;

/**
 * Officers' changes of buyers since the applications were submitted, in order, read from the audit log by its index on
 * subjects. Edits that changed none of these fields are left out.
 */
export async function selectBuyerChanges(connection: Connection, invoiceIds: readonly number[]) {
  const fields = sql.join(Object.keys(judgedBuyerFields).map((field) => sql.lit(field)));
  const { rows } = await sql<BuyerChange & { readonly invoiceId: number }>`
    select invoices.id as "invoiceId", event.at, changed.fields
    from invoices join businesses as buyer on buyer.id = invoices.buyer_id
      join audit_events as event on event.subject_tag = buyer.tag and event.at >= invoices.submitted_at
        and event.action = 'business.edited'
      cross join lateral (select array_agg(field) as fields from unnest(array[${fields}]) as field
        where event.before -> field is distinct from event.after -> field) as changed
    where invoices.id in (${sql.join(invoiceIds)}) and changed.fields is not null
    order by event.sequence`.execute(connection);
  return rows;
}

/** Stores who acknowledged flags of a locked case. */
export function insertAcknowledgements(
  change: Change,
  acknowledgements: readonly Insertable<Tables['flag_acknowledgements']>[],
): void {
  change.send(change.insertInto('flag_acknowledgements').values([...acknowledgements]));
}
