import { z } from 'zod';
import { businessForm, tin } from '#contract/businesses/schema.ts';
import { freeText, lookupId, optional, tag, text, total } from '#contract/fields.ts';
import { providerCodes } from '#contract/payouts/account.ts';
import { holderName, password } from '#contract/payouts/schema.ts';
import { personName } from '#contract/people/schema.ts';

/** Newcomers' details about their business, and buyers that clients request (docs/decisions/0032-onboarding.md). */

/** The details that a person enters about themself and their business while waiting for activation. */
export const activationForm = z.strictObject({
  firstName: personName('First name should have at least 2 letters'),
  lastName: personName('Last name should have at least 2 letters'),
  businessName: text(2, 'Give the name of your business', 120),
  tin: optional(tin),
});

/** Whose name the mobile money of a person's own phone number is in, confirmed with their password. */
export const walletForm = z.strictObject({ holderName, password });

const given = z.string().nullable();

/** The state of an activation, and what the person has entered so far. */
export const activationReply = z.strictObject({
  /** Whether the person still waits for activation; the details can be changed only then. */
  waiting: z.boolean(),
  /** Most accounts are activated within this many working hours. */
  usualHours: z.int(),
  firstName: given,
  lastName: given,
  businessName: given,
  tin: given,
  /** The mobile money of the number that the person signed up with, where cash can go; null for any other username. */
  wallet: z.strictObject({ provider: z.enum(providerCodes), number: z.string(), holderName: given }).nullable(),
});
export type Activation = z.output<typeof activationReply>;

/** How many open requests for buyers a business may have. */
export const OPEN_BUYER_REQUESTS = 5;

/** A buyer that the client did not find. */
export const buyerRequestForm = z.strictObject({ name: text(2, 'Give the name of the buyer', 120) });

/** A request for a buyer as the client sees it: open, or answered with the buyer or a reason. */
export const ownBuyerRequest = z.strictObject({
  tag,
  name: z.string(),
  buyer: z.strictObject({ id: z.int(), name: z.string() }).nullable(),
  refusal: z.string().nullable(),
});
export type OwnBuyerRequest = z.output<typeof ownBuyerRequest>;

/** An open request as staff see it; `match` is the business that has this name already. */
export const buyerRequestRow = z.strictObject({
  tag,
  name: z.string(),
  business: z.string(),
  businessTag: tag,
  askedBy: z.string(),
  askedAt: z.iso.datetime(),
  match: z.strictObject({ id: z.int(), active: z.boolean(), isOwn: z.boolean() }).nullable(),
  total,
});
export type BuyerRequestRow = z.output<typeof buyerRequestRow>;

/** A new business to be the buyer. */
export const newBuyerForm = businessForm.pick({ name: true, industryId: true, districtId: true, tin: true });

/** Answering a request with a buyer: an existing business or a new one. */
export const addBuyerBody = z.union([z.strictObject({ businessId: lookupId('Choose the buyer') }), newBuyerForm]);

export const refuseBuyerForm = z.strictObject({ reason: freeText(5, 'Say why, in at least 5 characters', 300) });

/** The number of onboarding tasks that wait for staff. */
export const onboardingCounts = z.strictObject({ activations: z.int(), buyers: z.int() });
