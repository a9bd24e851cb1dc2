import { z } from 'zod';
import { money } from '#contract/fields.ts';

const price = {
  tenorDays: z.int(),
  feeRatePercentage: z.number(),
  feesCharged: money,
  amountReceived: money,
  /** The fee in per cent of the cash received, one decimal; null where nothing is received. */
  feePercentOfCash: z.number().nullable(),
};

/** The key facts on the wire; after submission what was accepted, as it was then. */
export const keyFactsReply = z.strictObject({
  version: z.string(),
  currency: z.string(),
  amount: money,
  amountAppliedFor: money,
  ...price,
  paymentExpectedOn: z.iso.date(),
  prices: z.array(z.strictObject(price)),
  declaration: z.string(),
  /** When and by whom they were accepted; null before submission. */
  accepted: z.strictObject({ at: z.iso.datetime(), by: z.string() }).nullable(),
});
export type KeyFactsReply = z.output<typeof keyFactsReply>;
