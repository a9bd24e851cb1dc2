import { z } from 'zod';
import { amount, amountOrZero, calendarDate, lookupId, optional, tag, version } from '#contract/fields.ts';

/** The application form; amounts parse to minor units. */

const percentage = optional(z.number().min(0).max(100));

const fields = {
  invoiceTag: tag,
  reference: tag,
  applicationDate: calendarDate('Provide the application date'),
  amountAppliedFor: amount('Amount applied for is required'),
  feesCharged: optional(amountOrZero('Fees charged must be an amount')),
  amountReceived: optional(amountOrZero('Amount received must be an amount')),
  financingPeriodId: lookupId('Select Financing Period'),
  tag: optional(tag),
  version: optional(version),
  // The form's calculated values: allowed, checked where they contain something, never stored.
  maximumAmount: optional(amountOrZero('Invoice data is incomplete (above)')),
  invoiceDiscountPercentage: percentage,
  feeRatePercentage: percentage,
  concessionRate: optional(z.number()),
  discountFeeRateId: optional(z.union([z.number(), z.string().max(20)])),
};

export const applicationForm = z.strictObject(fields);
export type ApplicationForm = z.output<typeof applicationForm>;
