import { sql } from 'kysely';
import { type MatterKind, MOST_MATTERS } from '#contract/applications/attention.ts';
import type { Connection } from '#server/db/database.ts';
import { isOwed, isPastDue } from '#server/invoices/due.ts';

/** Amounts in minor units. */
export interface AttentionRow {
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
  readonly outstanding: number | null;
  readonly surplusOwed: number;
  readonly dueOn: string | null;
  readonly repaymentReference: string;
  readonly needsAccount: boolean;
  /** The number of rows of all kinds. */
  readonly total: number;
}

/** We don't show a draft once there are this many newer invoices. */
const NEWEST = 100;

/** Applications in progress, found through the index `invoices_using_limit`, ranked by kind. */
const underWay = (businessId: number, today: string) => sql`
  select id, case
      when ${isOwed} and ${isPastDue(today)} then 1
      when status = 'Info Requested' then 2
      when status = 'Counter-offered' then 3
      when status = 'Approved' then 4
      when status = 'Disbursed' then 5
      else 7 end as rank
    from invoices where business_id = ${businessId}
      and status in ('Submitted', 'In Review', 'Info Requested', 'Counter-offered', 'Approved', 'Disbursed')
      and (status <> 'Disbursed' or ${isOwed})`;

/** Overpaid applications, found through the partial index `invoices_with_surplus`. */
const owedToClient = (businessId: number) => sql`
  select id, 6 as rank from invoices where business_id = ${businessId} and surplus_owed > 0`;

/** Whether the client still has to choose a payout account: `accountOf` (contract/payouts/account.ts) in SQL. */
const needsAccount = (usableSince: Date) => sql`coalesce(
  (select account.frozen_at is not null or account.replaced_at is not null
    from payout_choices as choice join payout_accounts as account on account.id = choice.account_id
    where choice.invoice_id = placed.id),
  (select case count(*) filter (where verified_at <= ${usableSince} or skips_wait)
      when 1 then false when 0 then count(*) <> 1 else true end
    from payout_accounts where business_id = placed.business_id and frozen_at is null and replaced_at is null))`;

/** The newest draft with an amount, or else the newest draft. */
const newestDraft = (businessId: number) => sql`
  select id, 8 from (
      select id, net_proceeds, listed_on from (
          select id, status, net_proceeds, listed_on from invoices where business_id = ${businessId}
          order by listed_on desc, id desc limit ${sql.lit(NEWEST)}) as newest
      where status = 'Draft' order by net_proceeds is null, listed_on desc, id desc limit 1) as draft`;

const kinds = [
  'overdue',
  'asked',
  'offered',
  'approved',
  'paidOut',
  'surplus',
  'deciding',
  'draft',
] as const satisfies MatterKind[];
const kindOfRank = sql`(array[${sql.join(kinds.map((kind) => sql.lit(kind)))}])[rank]`;

/**
 * The matters of a business that need attention on a day in Kampala (YYYY-MM-DD), most urgent first: by kind, then by
 * due or decision date. At most {@link MOST_MATTERS} rows. Accounts verified after `usableSince` are not usable yet.
 */
export async function selectAttention(
  connection: Connection,
  businessId: number,
  { today, usableSince }: { readonly today: string; readonly usableSince: Date },
): Promise<readonly AttentionRow[]> {
  const { cards, lines } = MOST_MATTERS;
  const { rows } = await sql<AttentionRow>`
    with matters as (
        ${underWay(businessId, today)} union all ${owedToClient(businessId)} union all (${newestDraft(businessId)})),
      placed as (
        select invoices.*, rank, count(*) over () as total, row_number() over (
            partition by greatest(rank, 6) order by rank, due_on, coalesce(decide_by, decided_at), invoices.id) as place
        from matters join invoices using (id))
    select ${kindOfRank} as kind, placed.tag,
      invoice_number as "invoiceNumber", currencies.code as currency, net_proceeds as "netProceeds",
      case when rank = 3 then (select net_proceeds from counter_offers where invoice_id = placed.id
        order by id desc limit 1) end as "offeredProceeds",
      decide_by as "decideBy", promise_missed_at as "missedAt", decision_target_ms as "targetMs", outstanding,
      surplus_owed as "surplusOwed", due_on as "dueOn", repayment_reference as "repaymentReference",
      ${kindOfRank} in ('approved', 'surplus') and ${needsAccount(usableSince)} as "needsAccount", total::integer
    from placed join currencies on currencies.id = currency_id
    where place <= case when rank > 6 then ${sql.lit(lines)} else ${sql.lit(cards)} end
    order by rank, place`.execute(connection);
  return rows;
}
