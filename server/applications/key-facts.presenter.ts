import type { KeyFactsReply } from '#contract/applications/key-facts.schema.ts';
import { DECLARATION, type KeyFacts, type TenorPrice } from '#contract/applications/key-facts.ts';
import { fromMinor } from '#contract/money.ts';

/** The page without its version and who accepted it: what is frozen at submission. */
export type ShownFacts = Omit<KeyFactsReply, 'version' | 'accepted'>;

const TENTHS_PER_PERCENT = 10;

/** The key facts in the wire's shape. */
export function presentKeyFacts(facts: KeyFacts): ShownFacts {
  return {
    currency: facts.currencyCode,
    amount: fromMinor(facts.faceValue),
    amountAppliedFor: fromMinor(facts.advance),
    ...presentPrice(facts),
    paymentExpectedOn: facts.paymentExpectedOn,
    prices: facts.prices.map(presentPrice),
    declaration: DECLARATION,
  };
}

function presentPrice({ tenorDays, feeRatePercent, discountFee, netProceeds, feeOfCashTenths }: TenorPrice) {
  return {
    tenorDays,
    feeRatePercentage: feeRatePercent,
    feesCharged: fromMinor(discountFee),
    amountReceived: fromMinor(netProceeds),
    feePercentOfCash: feeOfCashTenths === null ? null : feeOfCashTenths / TENTHS_PER_PERCENT,
  };
}
