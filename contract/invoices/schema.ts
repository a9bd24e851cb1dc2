import { z } from 'zod';
import { statuses } from '#contract/applications/lifecycle.ts';
import { applicationForm } from '#contract/applications/schema.ts';
import {
  amount,
  amountOrZero,
  calendarDate,
  clearable,
  lookupId,
  money,
  optional,
  page,
  searchPhrase,
  size,
  tag,
  text,
  total,
  version,
} from '#contract/fields.ts';
import { overdue } from '#contract/payments/overdue.ts';
import { daysBetween } from '#contract/time/calendar.ts';
import { invoiceSorts } from './sorts.ts';

/** The invoice form, its loaded form and its list row. */

/**
 * The invoice form; `amount` and `vat` parse to minor units. The buyer's terms, which are not in the specification,
 * keep their stored values if absent.
 */
export const invoiceForm = z.strictObject({
  businessTag: optional(tag),
  invoiceNumber: text(2, 'Provide an invoice number', 60),
  date: calendarDate('Provide the invoice date'),
  currencyId: lookupId('Select currency'),
  buyerId: lookupId('Select buyer'),
  amount: amount('Amount is required'),
  paymentDueOn: clearable(calendarDate('Give the day as on the invoice')),
  vat: clearable(amountOrZero('Give the VAT as an amount')),
  tag: optional(tag),
  version: optional(version),
});
export type InvoiceForm = z.output<typeof invoiceForm>;

/** The error message if payment is due before the date of the invoice. */
export const DUE_TOO_EARLY = 'The buyer cannot pay before the date of the invoice. Check both days';

/** The error message if the VAT is more than the amount. */
export const VAT_TOO_HIGH = 'The VAT is more than the amount of the invoice. Check both amounts';

/** Errors in the buyer's terms of an invoice, by form field; empty if there are none. */
export function termsProblems({
  date,
  amount: faceValue,
  paymentDueOn,
  vat,
}: Pick<InvoiceForm, 'date' | 'amount' | 'paymentDueOn' | 'vat'>): { paymentDueOn?: string; vat?: string } {
  const isEarly = typeof paymentDueOn === 'string' && paymentDueOn < date;
  const isHigh = typeof vat === 'number' && vat > faceValue;
  return { ...(isEarly ? { paymentDueOn: DUE_TOO_EARLY } : {}), ...(isHigh ? { vat: VAT_TOO_HIGH } : {}) };
}

/** The error message for a date in the future, in forms and from the server. */
export const FUTURE_DATE = 'The date must be today or earlier';

/** Whether an invoice is older than this server finances (INVOICE_MAXIMUM_AGE_DAYS). */
export function isTooOld(date: string, today: string, maximumAgeDays: number): boolean {
  return daysBetween(date, today) > maximumAgeDays;
}

/** The error message for the date of an invoice that is too old. */
export function tooOldDate(maximumAgeDays: number): string {
  return `The invoice may be at most ${maximumAgeDays} days old. Check the date, or use a newer invoice`;
}

/** One call saves either form; the key that is present says which. */
export const saveBody = z
  .strictObject({ userTag: optional(tag), invoice: invoiceForm.optional(), application: applicationForm.optional() })
  .refine((body) => (body.invoice === undefined) !== (body.application === undefined), {
    error: 'Send either an invoice or an application',
    path: ['invoice'],
  });
export type SaveBody = z.output<typeof saveBody>;

/** The reply after saving either form. */
export const savedReply = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({
    /** The invoice's tag after saving an invoice, the application's after saving an application. */
    tag,
    version,
    invoice: z.strictObject({ tag, amount: money }),
  }),
});
export type SavedReply = z.output<typeof savedReply>;

const statusName = z.strictObject({ name: z.enum(statuses) });

/**
 * The reply of `GET /invoices/{tag}`. Before the first save of the application, all of its fields except the status are
 * null.
 */
export const loadedInvoice = z.strictObject({
  tag,
  version,
  businessTag: tag,
  invoiceNumber: z.string(),
  date: z.iso.date(),
  currencyId: z.int(),
  buyerId: z.int(),
  amount: money,
  /** From the buyer's terms; both null if the client gave none. */
  paymentDueOn: z.iso.date().nullable(),
  vat: money.nullable(),
  discountApplication: z.strictObject({
    tag: tag.nullable(),
    version: version.nullable(),
    reference: z.string().nullable(),
    status: statusName,
    financingPeriodId: z.int().nullable(),
    applicationDate: z.iso.date().nullable(),
    amountAppliedFor: money.nullable(),
    feesCharged: money.nullable(),
    amountReceived: money.nullable(),
  }),
});
export type LoadedInvoice = z.output<typeof loadedInvoice>;

/**
 * The list's body: `page` and `businessTag`, and optional filters and sort order. Staff may ask for the invoices of a
 * business as the client, or with `asBuyer` as the buyer.
 */
export const invoicesBody = z
  .strictObject({
    page,
    size,
    businessTag: optional(tag),
    asBuyer: optional(z.boolean()),
    status: optional(z.enum(statuses)),
    withoutDrafts: optional(z.boolean()),
    sort: optional(z.enum(invoiceSorts)),
    searchPhrase,
  })
  .prefault({});
export type InvoicesBody = z.output<typeof invoicesBody>;

/** A row of the applications table. */
export const invoiceRow = z.strictObject({
  tag,
  invoice_number: z.string(),
  amount: money,
  currency: z.string(),
  owner: z.string(),
  status: z.enum(statuses),
  application_date: z.iso.date().nullable(),
  amount_applied_for: money.nullable(),
  amount_received: money.nullable(),
  fees_charged: money.nullable(),
  buyer: z.string(),
  /** Both absent for a client, who has no page of a business to open. */
  owner_tag: tag.optional(),
  buyer_tag: tag.optional(),
  /** Absent if nothing is overdue. */
  overdue: overdue.optional(),
  total,
});
export type InvoiceRow = z.output<typeof invoiceRow>;

/** An invoice number for comparison: case-insensitive, every run of spaces and punctuation is one separator. */
export function invoiceNumberKey(invoiceNumber: string): string {
  return (
    invoiceNumber
      .trim()
      .normalize('NFKC')
      .toLowerCase()
      // Lower-case letters may compose differently from capitals.
      .normalize('NFKC')
      .replaceAll(/[\p{P}\p{S}\p{Z}\p{C}]+/gu, '-')
  );
}
