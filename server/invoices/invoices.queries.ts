import { type Insertable, sql, type Updateable } from 'kysely';
import type { DeclineReason } from '#contract/applications/decline-reasons.ts';
import type { Status } from '#contract/applications/lifecycle.ts';
import type { SlaClock } from '#contract/applications/sla.ts';
import type { TaxRate, Withholding } from '#contract/invoices/expected-cash.ts';
import { fieldError } from '#server/calls/app-error.ts';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import type { Change, Refusals } from '#server/db/transaction.ts';

/** A saved application, priced by the server. Amounts in minor units. */
export interface ApplicationRecord {
  readonly tag: string;
  readonly version: number;
  readonly reference: string;
  readonly date: string;
  readonly advance: number;
  readonly financingPeriodId: number;
  readonly tenorDays: number;
  readonly feeRateBps: number;
  readonly discountFee: number;
  readonly netProceeds: number;
}

/** The case of a submitted application (docs/decisions/0013). Amounts in minor units. */
export interface CaseRecord {
  readonly submittedAt: Date | null;
  readonly submittedBy: number | null;
  readonly assigneeId: number | null;
  readonly firstApprovedBy: number | null;
  readonly firstApprovedAt: Date | null;
  readonly targetMs: number | null;
  readonly clock: SlaClock;
  readonly missedAt: Date | null;
  readonly decidedAt: Date | null;
  readonly decidedBy: number | null;
  readonly declineReason: DeclineReason | null;
  readonly declineNote: string | null;
  readonly dueOn: string | null;
  readonly outstanding: number | null;
  readonly surplusOwed: number;
  readonly settledOn: string | null;
}

/** An invoice and its one application (docs/decisions/0003). Amounts in minor units. */
export interface InvoiceRecord {
  readonly id: number;
  readonly tag: string;
  readonly version: number;
  readonly businessId: number;
  readonly businessTag: string;
  readonly buyerId: number;
  readonly currencyId: number;
  readonly currencyCode: string;
  readonly invoiceNumber: string;
  readonly invoiceDate: string;
  readonly faceValue: number;
  /** From the buyer's terms; null if the client gave none. */
  readonly paymentDueOn: string | null;
  /** The VAT in the face value; null if the client gave none. */
  readonly vat: number | null;
  readonly status: Status;
  /** The reference of its repayments (contract/payments/repayment-reference.ts). */
  readonly repaymentReference: string;
  /** Basis points a day on the late unpaid part, as of the submission. */
  readonly lateChargeBps: number;
  readonly case: CaseRecord;
  /** Null until the first save of the application. */
  readonly application: ApplicationRecord | null;
}

/** The scope of a query: one business's rows, or all. */
export type Scope = { readonly businessId: number } | 'everybody';

const applicationColumns = [
  'application_tag',
  'application_version',
  'application_reference',
  'application_date',
  'advance',
  'financing_period_id',
  'tenor_days',
  'fee_rate_bps',
  'discount_fee',
  'net_proceeds',
] as const satisfies readonly (keyof Tables['invoices'])[];

const caseColumns = [
  'submitted_at',
  'submitted_by',
  'holder_id',
  'first_approved_by',
  'first_approved_at',
  'decision_target_ms',
  'clock_runs_since',
  'clock_used_ms',
  'decide_by',
  'promise_missed_at',
  'decided_at',
  'decided_by',
  'decline_reason',
  'decline_note',
  'due_on',
  'outstanding',
  'surplus_owed',
  'settled_on',
] as const satisfies readonly (keyof Tables['invoices'])[];

function selectRecord(connection: Connection, scope: Scope, tag: string) {
  const query = connection
    .selectFrom('invoices')
    .innerJoin('businesses', 'businesses.id', 'invoices.business_id')
    .innerJoin('currencies', 'currencies.id', 'invoices.currency_id')
    .where((where) => where.or([where('invoices.tag', '=', tag), where('invoices.application_tag', '=', tag)]))
    .select([
      'invoices.id',
      'invoices.tag',
      'invoices.version',
      'invoices.business_id as businessId',
      'businesses.tag as businessTag',
      'invoices.buyer_id as buyerId',
      'invoices.currency_id as currencyId',
      'currencies.code as currencyCode',
      'invoices.invoice_number as invoiceNumber',
      'invoices.invoice_date as invoiceDate',
      'invoices.face_value as faceValue',
      'invoices.payment_due_on as paymentDueOn',
      'invoices.vat',
      'invoices.status',
      'invoices.repayment_reference as repaymentReference',
      'invoices.late_charge_bps as lateChargeBps',
    ])
    .select(applicationColumns)
    .select(caseColumns);
  return scope === 'everybody' ? query : query.where('invoices.business_id', '=', scope.businessId);
}

/** The invoice with this tag, or with an application with this tag, within the scope. */
export async function selectInvoice(connection: Connection, scope: Scope, tag: string) {
  const row = await selectRecord(connection, scope, tag).executeTakeFirst();
  return row && readRecord(row);
}

/**
 * Like {@link selectInvoice}, and locks the row. `no key`: others may still insert rows that refer to it, so that
 * flagging it as a duplicate does not wait for this lock while its holder waits for the submission's.
 */
export async function selectInvoiceForUpdate(connection: Connection, scope: Scope, tag: string) {
  const row = await selectRecord(connection, scope, tag).forNoKeyUpdate('invoices').executeTakeFirst();
  return row && readRecord(row);
}

type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof selectRecord>['executeTakeFirst']>>>;

function readRecord(row: Row): InvoiceRecord {
  const { id, tag, version, businessId, businessTag, buyerId, currencyId, currencyCode } = row;
  const { invoiceNumber, invoiceDate, faceValue, paymentDueOn, vat, status, repaymentReference, lateChargeBps } = row;
  return {
    id,
    tag,
    version,
    businessId,
    businessTag,
    buyerId,
    currencyId,
    currencyCode,
    invoiceNumber,
    invoiceDate,
    faceValue,
    paymentDueOn,
    vat,
    status,
    repaymentReference,
    lateChargeBps,
    case: readCase(row),
    application: readApplication(row),
  };
}

function readCase(row: Row): CaseRecord {
  return {
    submittedAt: row.submitted_at,
    submittedBy: row.submitted_by,
    assigneeId: row.holder_id,
    firstApprovedBy: row.first_approved_by,
    firstApprovedAt: row.first_approved_at,
    targetMs: row.decision_target_ms,
    clock: { runsSince: row.clock_runs_since, usedMs: row.clock_used_ms, decideBy: row.decide_by },
    missedAt: row.promise_missed_at,
    decidedAt: row.decided_at,
    decidedBy: row.decided_by,
    declineReason: row.decline_reason,
    declineNote: row.decline_note,
    dueOn: row.due_on,
    outstanding: row.outstanding,
    surplusOwed: row.surplus_owed,
    settledOn: row.settled_on,
  };
}

/** The application's columns are all null or all set: the constraint invoices_application_whole. */
function readApplication(row: Row): ApplicationRecord | null {
  const { application_tag: tag, application_version: version, application_reference: reference } = row;
  const { application_date: date, advance, financing_period_id: financingPeriodId, tenor_days: tenorDays } = row;
  const { fee_rate_bps: feeRateBps, discount_fee: discountFee, net_proceeds: netProceeds } = row;
  if (tag === null || version === null || reference === null || date === null || advance === null) return null;
  if (financingPeriodId === null || tenorDays === null || feeRateBps === null) return null;
  if (discountFee === null || netProceeds === null) return null;
  return {
    tag,
    version,
    reference,
    date,
    advance,
    financingPeriodId,
    tenorDays,
    feeRateBps,
    discountFee,
    netProceeds,
  };
}

/** The unique index on invoice numbers of a client and a buyer. */
const NUMBER_INDEX = 'invoices_number';
/** The index lets only one of two concurrent saves have the number. */
const takenNumber: Refusals = {
  [NUMBER_INDEX]: () => fieldError('INVOICE_NUMBER_TAKEN', 'invoice.invoiceNumber'),
};

/** Inserts a draft. */
export function insertInvoice(change: Change, values: Insertable<Tables['invoices']>): void {
  change.send(change.insertInto('invoices').values(values), takenNumber);
}

/** Updates a locked draft. */
export function updateDraft(change: Change, id: number, values: Updateable<Tables['invoices']>): void {
  change.send(change.updateTable('invoices').set(values).where('id', '=', id), takenNumber);
}

/** Deletes a locked draft; false if it is no longer a draft. */
export async function deleteDraft(connection: Connection, id: number): Promise<boolean> {
  const { numDeletedRows } = await connection
    .deleteFrom('invoices')
    .where('id', '=', id)
    .where('status', '=', 'Draft')
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Which of an invoice's references may be chosen today. */
export interface Known {
  readonly buyer: boolean;
  readonly currency: boolean;
}

/** Whether that business is an active buyer, and whether the currency exists. */
export function selectKnown(
  connection: Connection,
  { buyerId, currencyId }: { readonly buyerId: number; readonly currencyId: number },
): Promise<Known> {
  return connection
    .selectNoFrom((select) => [
      select
        .exists(
          select
            .selectFrom('businesses')
            .select('id')
            .where('id', '=', buyerId)
            .where('is_buyer', '=', true)
            .where('active', '=', true),
        )
        .as('buyer'),
      select.exists(select.selectFrom('currencies').select('id').where('id', '=', currencyId)).as('currency'),
    ])
    .executeTakeFirstOrThrow()
    .then(({ buyer, currency }) => ({ buyer: Boolean(buyer), currency: Boolean(currency) }));
}

/** Every tax rate. */
export function selectTaxRates(connection: Connection): Promise<TaxRate[]> {
  return connection
    .selectFrom('tax_rates')
    .select(['kind', 'valid_from as validFrom', 'rate_bps as rateBps', 'threshold'])
    .orderBy('kind')
    .orderBy('valid_from')
    .execute();
}

/** How a business usually pays as a buyer. */
export interface BuyerTerms extends Withholding {
  readonly name: string;
  readonly usualTermsDays: number | null;
}

/** By how much the credit notes in force lower an invoice, in minor units; a reversal cancels its note. */
export async function sumCreditNotes(connection: Connection, invoiceId: number): Promise<number> {
  const { sum } = await connection
    .selectFrom('journal_entries')
    .where('invoice_id', '=', invoiceId)
    .where('deduction', '=', 'creditNote')
    .select(sql<number>`coalesce(sum(amount), 0.00)`.as('sum'))
    .executeTakeFirstOrThrow();
  return sum;
}

/** The terms of a buyer. */
export function selectBuyerTerms(connection: Connection, buyerId: number): Promise<BuyerTerms> {
  return connection
    .selectFrom('businesses')
    .select([
      'name',
      'usual_terms_days as usualTermsDays',
      'withholds_tax as withholdsTax',
      'withholds_vat as withholdsVat',
    ])
    .where('id', '=', buyerId)
    .executeTakeFirstOrThrow();
}
