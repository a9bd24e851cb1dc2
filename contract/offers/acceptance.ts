import { buyerIsActive, clientIsActive, owesNothingLate } from '#contract/applications/submission/submission.ts';
import { type Outcome, type Rule, refusalsBy } from '#contract/refusals/refusal.ts';
import { hasLapsed } from './offer.ts';

/** The facts for a decision whether a client may accept a counter-offer. Amounts in minor units. */
export interface AcceptanceFacts {
  readonly now: Date;
  readonly offeredAt: Date;
  /** For how many days an offer is valid. */
  readonly validDays: number;
  /** The version of the key facts that the client has read, and the current version. */
  readonly keyFacts: { readonly seen: string; readonly today: string };
  readonly isClientActive: boolean;
  readonly isBuyerActive: boolean;
  /** The overdue advance that must be paid back first, and how to pay it. */
  readonly overdue: { readonly tag: string; readonly text: string } | undefined;
  /** The client's exposure on the offered terms. */
  readonly exposure: number;
  readonly limit: number;
  /** A higher exposure needs two officers. */
  readonly aloneUpTo: number;
  /** Whether the offer needed two officers when it was made. */
  readonly neededTwo: boolean;
}

type AcceptanceRule = Rule<AcceptanceFacts>;

const isInTime: AcceptanceRule = ({ offeredAt, validDays, now }) =>
  hasLapsed(offeredAt, validDays, now) ? { code: 'OFFER_LAPSED' } : undefined;

/** `today`: the current version; undefined if nothing is offered. */
export const hasReadKeyFacts: Rule<{
  readonly keyFacts: { readonly seen: string; readonly today: string | undefined };
}> = ({ keyFacts: { seen, today } }) => (seen === today ? undefined : { code: 'OFFER_CHANGED' });

const isWithinLimit: AcceptanceRule = ({ exposure, limit }) =>
  exposure > limit ? { code: 'LIMIT_EXCEEDED' } : undefined;

const toAccept: readonly AcceptanceRule[] = [
  isInTime,
  hasReadKeyFacts,
  clientIsActive,
  buyerIsActive,
  owesNothingLate,
  isWithinLimit,
];

/**
 * Whether the officer's offer counts as the decision or as the first of two approvals, or why the client can't accept
 * it.
 */
export function decideAcceptance(facts: AcceptanceFacts): Outcome<'acceptOffer' | 'acceptOfferFirst'> {
  const refusals = refusalsBy(toAccept, facts);
  if (refusals.length > 0) return { refusals };
  const isFirst = facts.neededTwo || facts.exposure > facts.aloneUpTo;
  return { refusals: [], decision: isFirst ? 'acceptOfferFirst' : 'acceptOffer' };
}
