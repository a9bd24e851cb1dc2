import { z } from 'zod';
import { money, tag } from '#contract/fields.ts';
import { MAXIMUM_AMOUNT_MINOR } from '#contract/money.ts';

/** Files for a bank: batches of released payouts in one currency (docs/decisions/0052-bank-by-file.md). */

/** The largest number of payouts in a file. More payouts go into the next file. */
export const MAXIMUM_BATCH = 500;

/** The first payouts that fit into one file, and their sum; amounts in minor units. */
export function fillBatch<One extends { readonly amount: number }>(
  waiting: readonly One[],
): { readonly payouts: readonly One[]; readonly total: number } {
  let total = 0;
  const payouts: One[] = [];
  for (const one of waiting) {
    if (payouts.length === MAXIMUM_BATCH || total + one.amount > MAXIMUM_AMOUNT_MINOR) break;
    total += one.amount;
    payouts.push(one);
  }
  return { payouts, total };
}

/** The first groups of a digest, for people to compare. */
export function sayDigest(sha256: string): string {
  return sha256.slice(0, 16).replaceAll(/(.{4})(?!$)/g, '$1 ');
}

const account = { rail: z.string().max(30), currency: z.string().regex(/^[A-Z]{3}$/, 'Select the currency') };

export const batchBody = z.strictObject(account);
export type BatchBody = z.output<typeof batchBody>;

const waitingForFile = z.strictObject({ ...account, count: z.int(), amount: money });

const payoutBatch = z.strictObject({
  tag,
  number: z.int(),
  currency: z.string(),
  count: z.int(),
  amount: money,
  sha256: z.string(),
  madeAt: z.iso.datetime(),
  madeBy: z.string(),
  /** How many of its payouts are on no statement yet. */
  open: z.int(),
});
export type PayoutBatch = z.output<typeof payoutBatch>;

/** The payouts for the next file, by currency, and the newest files first. */
export const payoutBatches = z.strictObject({ waiting: z.array(waitingForFile), batches: z.array(payoutBatch) });
export type PayoutBatches = z.output<typeof payoutBatches>;
