import type { KeyFactsReply } from '#contract/applications/key-facts.schema.ts';
import type { KeyFacts } from '#contract/applications/key-facts.ts';
import { fromMinor } from '#contract/money.ts';
import type { OfferReply, OfferTerms } from '#contract/offers/schema.ts';

/** The open offer beside what was asked for. */
export function presentOffer(
  asked: KeyFacts,
  { version, facts }: { readonly version: string; readonly facts: Omit<KeyFactsReply, 'version' | 'accepted'> },
  { reason, validUntil }: Pick<OfferReply, 'reason' | 'validUntil'>,
): OfferReply {
  const { amountAppliedFor, tenorDays, feeRatePercentage, feesCharged, amountReceived, paymentExpectedOn } = facts;
  return {
    currency: facts.currency,
    asked: presentTerms(asked),
    offered: { amountAppliedFor, tenorDays, feeRatePercentage, feesCharged, amountReceived, paymentExpectedOn },
    reason,
    validUntil,
    keyFacts: { ...facts, version, accepted: null },
  };
}

function presentTerms(facts: KeyFacts): OfferTerms {
  return {
    amountAppliedFor: fromMinor(facts.advance),
    tenorDays: facts.tenorDays,
    feeRatePercentage: facts.feeRatePercent,
    feesCharged: fromMinor(facts.discountFee),
    amountReceived: fromMinor(facts.netProceeds),
    paymentExpectedOn: facts.paymentExpectedOn,
  };
}
