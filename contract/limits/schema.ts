import { z } from 'zod';
import type { FailureCode } from '#contract/errors.ts';
import { amountOrZero, freeText, lookupId, money, optional, tag, total } from '#contract/fields.ts';

/** Funding limits on the wire. */

/** A limit in one currency, how much of it is used, and what is needed to raise it. */
export const fundingLimit = z.strictObject({
  currencyId: z.int(),
  currency: z.string(),
  limit: money,
  outstanding: money,
  submitted: money,
  available: money,
  /** Null at the highest limit that the rule allows. */
  growth: z
    .strictObject({
      settledOnTime: z.int().min(0),
      settledNeeded: z.int().min(1),
      /** The next limit. */
      next: money,
      /** Whether the rule is met, so that staff may raise the limit now. */
      earned: z.boolean(),
    })
    .nullable(),
});
export type FundingLimit = z.output<typeof fundingLimit>;

const proposalRefusals = ['OWN_PROPOSAL', 'NEW_OFFICER', 'PROPOSAL_VOID', 'LIMIT_TOO_HIGH'] as const;
export type ProposalRefusal = (typeof proposalRefusals)[number] & FailureCode;

/** A raise proposed by one officer, for another one to confirm or decline. */
export const limitProposal = z.strictObject({
  tag,
  limit: money,
  reason: z.string(),
  by: z.strictObject({ tag, name: z.string() }),
  at: z.iso.datetime(),
  /** Why the caller may not confirm it. They may decline it all the same. */
  refusal: z.enum(proposalRefusals).nullable(),
});
export type LimitProposal = z.output<typeof limitProposal>;

/** A client's limit as staff see it. */
export const businessLimit = fundingLimit.extend({
  /** A higher limit needs another officer's confirmation. */
  highestAlone: money,
  /** No limit may be set higher than this. */
  highest: money,
  /** Why the caller may not raise it; lowering is allowed. */
  raiseRefusal: z.literal('NEW_OFFICER' satisfies FailureCode).nullable(),
  proposal: limitProposal.nullable(),
});
export type BusinessLimit = z.output<typeof businessLimit>;

/** A proposal that needs another officer, with its client. */
export const waitingProposal = limitProposal.extend({
  businessTag: tag,
  business: z.string(),
  currencyId: z.int(),
  currency: z.string(),
  /** The limit that it replaces. */
  replaces: money,
});
export type WaitingProposal = z.output<typeof waitingProposal>;

/** `seenLimit` is the limit that the form showed; if it has changed since, nothing is stored. */
export const setLimitBody = z.strictObject({
  currencyId: lookupId('Select currency'),
  limit: amountOrZero('Give the limit'),
  reason: freeText(4, 'Say why the limit changes', 500),
  seenLimit: optional(amountOrZero('Give the limit')),
});
export type SetLimitBody = z.output<typeof setLimitBody>;

/** A business that has earned a higher limit. */
export const earnedRaise = z.strictObject({
  businessTag: tag,
  business: z.string(),
  currencyId: z.int(),
  currency: z.string(),
  limit: money,
  next: money,
  settledOnTime: z.int(),
  total,
});
export type EarnedRaise = z.output<typeof earnedRaise>;
