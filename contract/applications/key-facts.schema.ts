import { z } from 'zod';
import { money } from '#contract/fields.ts';

/** The key facts on the wire; after submission, the facts as the client accepted them. */
export const keyFactsReply = z.strictObject({
  version: z.string(),
  currency: z.string(),
  amount: money,
  /** The amount to pay back. */
  amountAppliedFor: money,
  tenorDays: z.int(),
  feeRatePercentage: z.number(),
  feesCharged: money,
  amountReceived: money,
  /** The fee as a percentage of the cash received, with one decimal; null if nothing is received. */
  feePercentOfCash: z.number().nullable(),
  /** The fee as a simple yearly rate on that cash, by 365 days; absent in facts accepted before the page showed it. */
  yearlyRatePercent: z.number().nullish(),
  /** The due date if the advance is paid out today. */
  paymentExpectedOn: z.iso.date(),
  /** Absent in facts accepted before the page showed it. */
  paidBackBy: z.string().optional(),
  ifLate: z.string().optional(),
  /** How much the buyer should pay, and when; absent if unknown. */
  buyerPays: z.string().optional(),
  /** The payout account, masked; absent if the client had not chosen one. */
  paidTo: z.string().optional(),
  /** The lender's accounts, and the reference to use for the repayment. */
  payTo: z.array(z.string()).optional(),
  repaymentReference: z.string().optional(),
  declaration: z.string(),
  /** The versions of user agreement and privacy policy; absent in facts accepted before they were named. */
  texts: z.string().optional(),
  /** When the client accepted the facts, and who did; null before submission. */
  accepted: z.strictObject({ at: z.iso.datetime(), by: z.string() }).nullable(),
});
export type KeyFactsReply = z.output<typeof keyFactsReply>;
