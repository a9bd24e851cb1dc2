import { sql } from 'kysely';
import { appliedStatuses } from '#contract/applications/lifecycle.ts';
import type { ClientHistory } from '#contract/desk/schema.ts';
import type { Connection } from '#server/db/database.ts';
import { isOwed, isPastDue } from '#server/invoices/due.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { personName } from '#server/sessions/person-name.ts';
import { type CaseRow, selectCaseRows } from './case-rows.queries.ts';

/** A case as a row of a queue. */
export function selectCase(connection: Connection, invoiceId: number): Promise<CaseRow> {
  return selectCaseRows(connection).where('invoices.id', '=', invoiceId).executeTakeFirstOrThrow();
}

/** The active people of a case's client and buyer, the one who applied first. */
export function selectContacts(
  connection: Connection,
  { businessId, buyerId, case: { submittedBy } }: Pick<InvoiceRecord, 'businessId' | 'buyerId' | 'case'>,
) {
  return connection
    .selectFrom('persons')
    .where('business_id', 'in', [businessId, buyerId])
    .where('status', '=', 'Active')
    .orderBy(sql`id = ${submittedBy} desc nulls last`)
    .orderBy('id')
    .select(['business_id', 'phone', 'email', personName('persons').as('name')])
    .execute();
}

export type ContactRow = Awaited<ReturnType<typeof selectContacts>>[number];

const applied = sql`status in (${sql.join(appliedStatuses.map((status) => sql.lit(status)))})`;

/**
 * How the client's other applications went, as of a day in Kampala (YYYY-MM-DD), and how many are overdue, including
 * this one.
 */
export async function findHistory(
  connection: Connection,
  { id, businessId, buyerId }: { readonly id: number; readonly businessId: number; readonly buyerId: number },
  today: string,
): Promise<ClientHistory> {
  const { rows } = await sql<ClientHistory>`
    select (count(*) filter (where is_other))::int as applications,
      (count(*) filter (where is_other and status in ('Approved', 'Disbursed', 'Settled')))::int as approved,
      (count(*) filter (where is_other and status = 'Declined'))::int as declined,
      (count(*) filter (where is_other and status = 'Settled' and settled_on <= due_on))::int as "settledOnTime",
      (count(*) filter (where is_other and status = 'Settled' and settled_on > due_on))::int as "settledLate",
      (count(*) filter (where ${isOwed} and ${isPastDue(today)}))::int as overdue,
      (count(*) filter (where is_other and buyer_id = ${buyerId}))::int as "withThisBuyer"
    from (select *, id <> ${id} as is_other from invoices) as invoices
    where business_id = ${businessId} and ${applied}`.execute(connection);
  const [row] = rows;
  if (row === undefined) throw new Error('a count has one row');
  return row;
}

/** Whether a replaced document cancelled the last first approval, and no officer has given it again. */
export async function findApprovalVoided(connection: Connection, invoiceId: number): Promise<boolean> {
  const last = await connection
    .selectFrom('application_steps')
    .where('invoice_id', '=', invoiceId)
    .where('step', 'in', ['approveFirst', 'voidFirstApproval'])
    .orderBy('id', 'desc')
    .select('step')
    .executeTakeFirst();
  return last?.step === 'voidFirstApproval';
}
