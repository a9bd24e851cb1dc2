import { sql } from 'kysely';
import { minorToNumeric } from '#contract/money.ts';
import { fieldError } from '#server/calls/app-error.ts';
import type { Connection } from '#server/db/database.ts';
import type { Change, Refusals } from '#server/db/transaction.ts';
import type { ApplicationRecord } from '#server/invoices/invoices.queries.ts';

/** An application's terms and price. Amounts in minor units. */
export type ApplicationTerms = Omit<ApplicationRecord, 'tag' | 'version'>;

/** The unique constraint lets only one of two concurrent saves have the reference. */
const takenReference: Refusals = {
  invoices_reference: () => fieldError('REFERENCE_TAKEN', 'application.reference'),
};

/** Stores the application of a locked draft, and updates its position in lists by date. */
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

/** When the same client last withdrew an invoice to the same buyer with a similar-looking number. */
export async function selectLastWithdrawal(connection: Connection, invoiceId: number): Promise<Date | undefined> {
  const row = await connection
    .selectFrom('invoices as this')
    .innerJoin('invoices as other', (join) =>
      join
        .onRef('other.business_id', '=', 'this.business_id')
        .onRef('other.buyer_id', '=', 'this.buyer_id')
        .onRef('other.invoice_number_look', '=', 'this.invoice_number_look')
        .on('other.status', '=', sql.lit('Withdrawn')),
    )
    .innerJoin('application_steps as step', (join) =>
      join.onRef('step.invoice_id', '=', 'other.id').on('step.step', '=', sql.lit('withdraw')),
    )
    .where('this.id', '=', invoiceId)
    .orderBy('step.at', 'desc')
    .limit(1)
    .select('step.at')
    .executeTakeFirst();
  return row?.at;
}

/** Whether another application has the reference. */
export async function isReferenceTaken(connection: Connection, reference: string, invoiceId: number): Promise<boolean> {
  const row = await connection
    .selectFrom('invoices')
    .select('id')
    .where('application_reference', '=', reference)
    .where('id', '<>', invoiceId)
    .executeTakeFirst();
  return row !== undefined;
}
