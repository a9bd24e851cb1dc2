import { sql } from 'kysely';
import type { Status } from '#contract/applications/lifecycle.ts';

/** How many payouts of each kind the board looks at, the oldest ones; more are rare, because approvals lapse. */
const LOOKED_AT = 1000;

/** An application whose cash or extra money is not sent. Amounts in minor units. */
export interface DueRow {
  readonly id: number;
  readonly tag: string;
  readonly invoiceNumber: string;
  readonly client: string;
  readonly clientTag: string;
  readonly businessId: number;
  readonly buyerId: number;
  readonly submittedBy: number | null;
  readonly currency: string;
  readonly status: Status;
  readonly netProceeds: number | null;
  readonly surplusOwed: number;
}

const oldest = sql`limit ${sql.lit(LOOKED_AT)}`;

/**
 * Applications with cash or extra money to send, or with a prepared payout, oldest first. Each part reads its partial
 * index in order: invoices_to_disburse, invoices_with_surplus and payouts_waiting.
 */
export const duePayouts = sql<DueRow>`
  select invoices.id, invoices.tag, invoice_number as "invoiceNumber", client.name as client, client.tag as "clientTag",
    business_id as "businessId", buyer_id as "buyerId", submitted_by as "submittedBy", currencies.code as currency,
    status, net_proceeds as "netProceeds", surplus_owed as "surplusOwed"
  from (
      (select id from invoices where status = 'Approved' order by decided_at, id ${oldest})
      union (select id from invoices where surplus_owed > 0 order by settled_at, id ${oldest})
      union (select invoice_id from payouts where released_at is null and cancelled_at is null
        order by prepared_at, id ${oldest})) as due
    join invoices using (id)
    join businesses as client on client.id = business_id
    join currencies on currencies.id = currency_id
  order by coalesce(settled_at, decided_at), invoices.id`;
