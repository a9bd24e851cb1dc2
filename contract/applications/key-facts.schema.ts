import { z } from 'zod';
import { money } from '#contract/fields.ts';

/** The key facts on the wire; after submission what was accepted, as it was then. */
export const keyFactsReply = z.strictObject({
  version: z.string(),
  currency: z.string(),
  amount: money,
  /** What is paid back. */
  amountAppliedFor: money,
  tenorDays: z.int(),
  feeRatePercentage: z.number(),
  feesCharged: money,
  amountReceived: money,
  /** The fee in per cent of the cash received, one decimal; null where nothing is received. */
  feePercentOfCash: z.number().nullable(),
  /** When it is due back if it is paid out today. */
  paymentExpectedOn: z.iso.date(),
  /** Not part of what was accepted before the page said it. */
  paidBackBy: z.string().optional(),
  ifLate: z.string().optional(),
  declaration: z.string(),
  /** When and by whom they were accepted; null before submission. */
  accepted: z.strictObject({ at: z.iso.datetime(), by: z.string() }).nullable(),
});
export type KeyFactsReply = z.output<typeof keyFactsReply>;
