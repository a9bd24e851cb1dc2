import { sql } from 'kysely';
import { type MatterKind, MOST_MATTERS } from '#contract/applications/attention.ts';
import type { OwedOnDay } from '#contract/applications/home.ts';
import type { Connection } from '#server/db/database.ts';
import { isDueThisWeek, isPastDue, lost } from '#server/invoices/due.ts';

/** Amounts in minor units. */
export interface AttentionRow {
  readonly id: number;
  readonly kind: MatterKind;
  readonly tag: string;
  readonly invoiceNumber: string;
  readonly currency: string;
  readonly netProceeds: number | null;
  /** The amount that the client would receive under the open counter-offer. */
  readonly offeredProceeds: number | null;
  readonly decideBy: Date | null;
  readonly missedAt: Date | null;
  readonly targetMs: number | null;
  /** With what was written off, which the client still owes. */
  readonly owed: number | null;
  readonly surplusOwed: number;
  readonly dueOn: string | null;
  /** The officer's open question, cut, and the documents that are still missing. */
  readonly question: string | null;
  readonly documents: readonly string[] | null;
  /** The number of applications of this kind. */
  readonly alike: number;
  /** The number of matters in the same list. */
  readonly inList: number;
}

/** We don't show a draft once there are this many newer invoices. */
const NEWEST = 100;

/** Whether the client still owes something on an advance that is paid out, also after a write-off. */
const isOwed = sql<boolean>`(invoices.outstanding > 0 or ${lost} > 0)`;

/** Applications in progress, found through the index `invoices_using_limit`, ranked by kind. */
const underWay = (businessId: number, today: string) => sql`
  select id, case status
      when 'Disbursed' then case when ${isPastDue(today)} then 1 else 2 end
      when 'Info Requested' then 3
      when 'Counter-offered' then 4
      when 'Approved' then 5
      else 7 end as rank
    from invoices where business_id = ${businessId}
      and status in ('Submitted', 'In Review', 'Info Requested', 'Counter-offered', 'Approved', 'Disbursed')
      and (status <> 'Disbursed' or (${isPastDue(today)} or ${isDueThisWeek(today)}) and ${isOwed})`;

/** Overpaid applications, found through the partial index `invoices_with_surplus`. */
const owedToClient = (businessId: number) => sql`
  select id, 6 as rank from invoices where business_id = ${businessId} and surplus_owed > 0`;

/** The newest draft with an amount, or else the newest draft. */
const newestDraft = (businessId: number) => sql`
  select id, 8 from (
      select id, net_proceeds, listed_on from (
          select id, status, net_proceeds, listed_on from invoices where business_id = ${businessId}
          order by listed_on desc, id desc limit ${sql.lit(NEWEST)}) as newest
      where status = 'Draft' order by net_proceeds is null, listed_on desc, id desc limit 1) as draft`;

/** An officer's question may be a page long; the application shows it whole. */
const QUESTION_SHOWN = 200;

/** The officer's open question about an application, and the documents they asked for that have not come. */
const asked = sql`lateral (
    select left(question, ${sql.lit(QUESTION_SHOWN)}) as question,
      (select array_agg(type.name order by type.position) from information_request_documents as wanted
        join document_types as type on type.id = wanted.document_type_id
        where wanted.request_id = request.id and not exists (select from documents
          where documents.invoice_id = invoices.id and documents.document_type_id = type.id
            and documents.id is distinct from wanted.earlier_document_id)) as documents
    from information_requests as request
    where rank = 3 and request.invoice_id = invoices.id and closed_at is null)`;

const kinds = [
  'overdue',
  'due',
  'asked',
  'offered',
  'approved',
  'surplus',
  'deciding',
  'draft',
] as const satisfies MatterKind[];
const kindOfRank = sql`(array[${sql.join(kinds.map((kind) => sql.lit(kind)))}])[rank]`;

/** The lists of a client's home, by rank: what is to do, what is on its way, and the draft. */
const list = sql`(rank > 4)::integer + (rank > 7)::integer`;

/**
 * The matters of a business that need attention on a day in Kampala (YYYY-MM-DD), most urgent first: by kind, then by
 * due or decision date. At most {@link MOST_MATTERS} of each list; one for all applications that are being decided.
 */
export async function selectAttention(
  connection: Connection,
  businessId: number,
  today: string,
): Promise<readonly AttentionRow[]> {
  const { toDo, onItsWay } = MOST_MATTERS;
  const { rows } = await sql<AttentionRow>`
    with matters as (
        ${underWay(businessId, today)} union all ${owedToClient(businessId)} union all (${newestDraft(businessId)})),
      ranked as (
        select invoices.*, rank, count(*) over (partition by rank) as alike, row_number() over (
            partition by rank order by due_on, coalesce(decide_by, decided_at), invoices.id) as nth
        from matters join invoices using (id)),
      placed as (
        select ranked.*, row_number() over (partition by ${list} order by rank, nth) as place,
          count(*) over (partition by ${list}) as in_list
        from ranked where rank <> 7 or nth = 1)
    select invoices.id, ${kindOfRank} as kind, invoices.tag,
      invoice_number as "invoiceNumber", currencies.code as currency, net_proceeds as "netProceeds",
      case when rank = 4 then (select net_proceeds from counter_offers where invoice_id = invoices.id
        order by id desc limit 1) end as "offeredProceeds",
      decide_by as "decideBy", promise_missed_at as "missedAt", decision_target_ms as "targetMs",
      case when rank <= 2 then outstanding + ${lost} end as owed,
      surplus_owed as "surplusOwed", due_on as "dueOn", question, documents,
      alike::integer, in_list::integer as "inList"
    from placed as invoices join currencies on currencies.id = currency_id left join ${asked} as asked on true
    where place <= case when rank <= 4 then ${sql.lit(toDo)} else ${sql.lit(onItsWay)} end
    order by rank, place`.execute(connection);
  return rows;
}

/** What a business owes by currency and due date, the earliest first. */
export async function selectOwed(connection: Connection, businessId: number): Promise<readonly OwedOnDay[]> {
  const { rows } = await sql<OwedOnDay>`
    with owed as materialized (
      select id, tag, currency_id, due_on, outstanding + ${lost} as amount from invoices
      where business_id = ${businessId} and status = 'Disbursed')
    select code as currency, due_on as "dueOn", sum(amount) as amount, count(*)::integer as advances,
      (array_agg(owed.tag order by owed.id))[1] as tag
    from owed join currencies on currencies.id = currency_id
    where amount > 0 group by code, due_on order by due_on`.execute(connection);
  return rows;
}

/** Whether a business has a payout account that is neither frozen nor replaced. */
export async function hasPayoutAccount(connection: Connection, businessId: number): Promise<boolean> {
  const found = await connection
    .selectFrom('payout_accounts')
    .select('id')
    .where('business_id', '=', businessId)
    .where('frozen_at', 'is', null)
    .where('replaced_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
