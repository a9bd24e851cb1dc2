import { sql } from 'kysely';
import { appliedStatuses } from '#contract/applications/lifecycle.ts';
import { type ClientHistory, type FlagKind, flagKindCodes } from '#contract/desk/schema.ts';
import { type CaseRow, selectCaseRows } from '#server/desk/case-rows.queries.ts';
import type { Connection } from '#server/platform/database.ts';

/** The case as a queue would show it. */
export function selectCase(connection: Connection, invoiceId: number): Promise<CaseRow> {
  return selectCaseRows(connection).where('invoices.id', '=', invoiceId).executeTakeFirstOrThrow();
}

const applied = sql`status in (${sql.join(appliedStatuses.map((status) => sql.lit(status)))})`;

/** How the client's other applications went, as of a day in Kampala (YYYY-MM-DD). */
export async function findHistory(
  connection: Connection,
  { id, businessId, buyerId }: { readonly id: number; readonly businessId: number; readonly buyerId: number },
  today: string,
): Promise<ClientHistory> {
  const { rows } = await sql<ClientHistory>`
    select count(*)::int as applications,
      (count(*) filter (where status in ('Approved', 'Disbursed', 'Settled')))::int as approved,
      (count(*) filter (where status = 'Declined'))::int as declined,
      (count(*) filter (where status = 'Settled' and settled_on <= due_on))::int as "settledOnTime",
      (count(*) filter (where status = 'Settled' and settled_on > due_on))::int as "settledLate",
      (count(*) filter (where status = 'Disbursed' and due_on < ${today}))::int as overdue,
      (count(*) filter (where buyer_id = ${buyerId}))::int as "withThisBuyer"
    from invoices where business_id = ${businessId} and id <> ${id} and ${applied}`.execute(connection);
  const [row] = rows;
  if (row === undefined) throw new Error('a count has one row');
  return row;
}

const strength = sql`array_position(array[${sql.join(flagKindCodes.map((kind) => sql.lit(kind)))}], flag.kind)`;

/**
 * A flag and the other one of the two invoices, whichever of them it stands on: the strongest kind first, within it other
 * clients' before one's own, then the newest. Amounts in minor units.
 */
export function selectFlags(
  connection: Connection,
  { id: invoiceId, businessId }: { readonly id: number; readonly businessId: number },
) {
  const ofThis = connection
    .selectFrom('invoice_flags')
    .where('invoice_id', '=', invoiceId)
    .select(['kind', 'other_invoice_id as other', 'files']);
  const ofOthers = connection
    .selectFrom('invoice_flags')
    .where('other_invoice_id', '=', invoiceId)
    .select(['kind', 'invoice_id as other', 'files']);
  const once = connection
    .selectFrom(ofThis.unionAll(ofOthers).as('flag'))
    .distinctOn(['flag.kind', 'flag.other'])
    .select(['flag.kind', 'flag.other', 'flag.files'])
    .orderBy('flag.kind')
    .orderBy('flag.other')
    .orderBy(sql`cardinality(flag.files)`, 'desc');
  return connection
    .selectFrom(once.as('flag'))
    .innerJoin('invoices', 'invoices.id', 'flag.other')
    .innerJoin('currencies', 'currencies.id', 'invoices.currency_id')
    .innerJoin('businesses as client', 'client.id', 'invoices.business_id')
    .innerJoin('businesses as buyer', 'buyer.id', 'invoices.buyer_id')
    .orderBy(strength)
    .orderBy(sql`invoices.business_id = ${businessId}`)
    .orderBy('flag.other', 'desc')
    .select([
      'flag.kind',
      'flag.files',
      'invoices.tag',
      'invoices.invoice_number',
      'invoices.invoice_date',
      'client.name as client',
      'buyer.name as buyer',
      'currencies.code as currency',
      'invoices.face_value',
      'invoices.advance',
      'invoices.status',
    ])
    .execute();
}

export type FlagRow = Awaited<ReturnType<typeof selectFlags>>[number] & { readonly kind: FlagKind };
