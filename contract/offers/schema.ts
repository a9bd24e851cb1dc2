import { z } from 'zod';
import { keyFactsReply } from '#contract/applications/key-facts.schema.ts';
import { amount, freeText, lookupId, money } from '#contract/fields.ts';

/** Other terms that an officer offers, with a reason that the client reads. */
export const counterOfferBody = z.strictObject({
  amountAppliedFor: amount('Enter the amount you offer'),
  financingPeriodId: lookupId('Select Financing Period'),
  reason: freeText(4, 'Write what the client should know', 1000),
});
export type CounterOfferBody = z.output<typeof counterOfferBody>;

/** The figures that a client compares; the date assumes a payout today. */
const offerTerms = z.strictObject({
  amountAppliedFor: money,
  tenorDays: z.int(),
  feeRatePercentage: z.number(),
  feesCharged: money,
  amountReceived: money,
  paymentExpectedOn: z.iso.date(),
});
export type OfferTerms = z.output<typeof offerTerms>;

/** The open counter-offer of an application. */
export const offerReply = z.strictObject({
  currency: z.string(),
  asked: offerTerms,
  offered: offerTerms,
  reason: z.string(),
  /** The last day on which the client may accept it. */
  validUntil: z.iso.date(),
  /** The key facts of the offer; an acceptance names their version. */
  keyFacts: keyFactsReply,
});
export type OfferReply = z.output<typeof offerReply>;

export const acceptOfferBody = z.strictObject({ keyFactsVersion: z.string('Read the key facts first').max(100) });
export type AcceptOfferBody = z.output<typeof acceptOfferBody>;

/** A request or offer of more time: the period, and the reason. */
export const extensionBody = z.strictObject({
  financingPeriodId: lookupId('Select Financing Period'),
  reason: freeText(4, 'Say why more time is needed', 1000),
});
export type ExtensionBody = z.output<typeof extensionBody>;

/** The key facts of an extension as of today. */
export const extensionFacts = z.strictObject({
  currency: z.string(),
  outstanding: money,
  fee: money,
  feeRatePercentage: z.number(),
  yearlyRatePercent: z.number().nullable(),
  tenorDays: z.int(),
  /** The amount to pay back at the new due date. */
  toPayBack: money,
  dueOn: z.iso.date(),
  newDueOn: z.iso.date(),
  ifLate: z.string(),
  ifReversed: z.string(),
});
export type ExtensionFacts = z.output<typeof extensionFacts>;

/** The state of an application's extension. */
export const extensionReply = z.strictObject({
  /**
   * `none`: nothing is open; `asked`: the client has asked; `offered`: an officer offers it, and another must still
   * agree; `agreed`: two officers have agreed.
   */
  state: z.enum(['none', 'asked', 'offered', 'agreed']),
  /** What the caller may do: a client `ask` or `accept`, an officer `offer`, `agree` or `withdraw`. */
  actions: z.array(z.enum(['ask', 'accept', 'offer', 'agree', 'withdraw'])),
  reason: z.string().nullable(),
  /** The price as of today; a client sees it once the officers agree. An acceptance names its `version`. */
  offer: z.strictObject({ version: z.string(), facts: extensionFacts }).nullable(),
});
export type ExtensionReply = z.output<typeof extensionReply>;
