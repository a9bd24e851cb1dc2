import { sql } from 'kysely';
import { minorToNumeric } from '#contract/money.ts';
import type { Connection } from '#server/db/database.ts';
import type { Change, Refusals } from '#server/db/transaction.ts';
import { fieldError } from '#server/http/app-error.ts';

/** What an application says and costs. Amounts in minor units. */
export interface ApplicationTerms {
  readonly reference: string;
  readonly date: string;
  readonly advance: number;
  readonly financingPeriodId: number;
  readonly tenorDays: number;
  readonly feeRateBps: number;
  readonly discountFee: number;
  readonly netProceeds: number;
}

/** The unique constraint decides, so that of two saves at once only one gets the reference. */
const takenReference: Refusals = {
  invoices_reference: () => fieldError('REFERENCE_TAKEN', 'application.reference'),
};

/** Stores the application on a draft whose row is locked, and lists it by its date. */
export function updateApplication(
  change: Change,
  invoiceId: number,
  application: ApplicationTerms & { readonly tag: string; readonly version: number },
): void {
  const stored = change
    .updateTable('invoices')
    .set({
      application_tag: application.tag,
      application_version: application.version,
      application_reference: application.reference,
      application_date: application.date,
      listed_on: application.date,
      advance: minorToNumeric(application.advance),
      financing_period_id: application.financingPeriodId,
      tenor_days: application.tenorDays,
      fee_rate_bps: application.feeRateBps,
      discount_fee: minorToNumeric(application.discountFee),
      net_proceeds: minorToNumeric(application.netProceeds),
    })
    .where('id', '=', invoiceId);
  change.send(stored, takenReference);
}

/** Waits until no other submission is under way, and holds others up until the transaction ends. */
export function lockSubmissions(change: Change): void {
  change.send(change.selectNoFrom(sql`pg_advisory_xact_lock(hashtext('kasente submissions'))`.as('held')));
}

/** When an invoice that looks like this one by number, of the same client and buyer, was last withdrawn. */
export async function selectLastWithdrawal(connection: Connection, invoiceId: number): Promise<Date | undefined> {
  const row = await connection
    .selectFrom('invoices as this')
    .innerJoin('invoices as other', (join) =>
      join
        .onRef('other.business_id', '=', 'this.business_id')
        .onRef('other.buyer_id', '=', 'this.buyer_id')
        .onRef('other.invoice_number_look', '=', 'this.invoice_number_look')
        .on('other.status', '=', 'Withdrawn'),
    )
    .innerJoin('application_steps as step', (join) =>
      join.onRef('step.invoice_id', '=', 'other.id').on('step.step', '=', 'withdraw'),
    )
    .where('this.id', '=', invoiceId)
    .orderBy('step.at', 'desc')
    .limit(1)
    .select('step.at')
    .executeTakeFirst();
  return row?.at;
}

/** Days of a financing period; undefined where there is no such period. */
export async function selectTenorDays(connection: Connection, financingPeriodId: number): Promise<number | undefined> {
  const row = await connection
    .selectFrom('financing_periods')
    .select('days')
    .where('id', '=', financingPeriodId)
    .executeTakeFirst();
  return row?.days;
}

/** Whether another invoice's application has the reference. */
export async function isReferenceTaken(connection: Connection, reference: string, invoiceId: number): Promise<boolean> {
  const row = await connection
    .selectFrom('invoices')
    .select('id')
    .where('application_reference', '=', reference)
    .where('id', '<>', invoiceId)
    .executeTakeFirst();
  return row !== undefined;
}
