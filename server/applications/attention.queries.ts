import { sql } from 'kysely';
import type { Status } from '#contract/applications/lifecycle.ts';
import type { Connection } from '#server/platform/database.ts';

/** Amounts in minor units. */
export interface AttentionRow {
  readonly tag: string;
  readonly invoiceNumber: string;
  readonly status: Status;
  readonly currency: string;
  readonly netProceeds: number;
  readonly runsSince: Date | null;
  readonly decideBy: Date | null;
  readonly missedAt: Date | null;
  readonly outstanding: number | null;
  readonly dueOn: string | null;
}

/**
 * The application of a business that matters most (contract/applications/progress.ts, `attentionReply`), of those that
 * the index `invoices_using_limit` holds; what is due up to `soon` counts as due soon.
 */
export async function selectAttention(
  connection: Connection,
  businessId: number,
  soon: string,
): Promise<AttentionRow | undefined> {
  const { rows } = await sql<AttentionRow>`
    select invoices.tag, invoice_number as "invoiceNumber", status, currencies.code as currency,
      net_proceeds as "netProceeds", clock_runs_since as "runsSince", decide_by as "decideBy",
      promise_missed_at as "missedAt", outstanding, due_on as "dueOn"
    from invoices join currencies on currencies.id = currency_id
    where business_id = ${businessId}
      and status in ('Submitted', 'In Review', 'Info Requested', 'Approved', 'Disbursed')
    order by case
        when status = 'Info Requested' then 1
        when status = 'Disbursed' and due_on <= ${soon} then 2
        when status in ('Submitted', 'In Review') then 3
        when status = 'Approved' then 4
        else 5 end,
      coalesce(due_on, (decide_by at time zone 'UTC')::date), decide_by, invoices.id
    limit 1`.execute(connection);
  return rows[0];
}
