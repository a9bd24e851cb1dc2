import { AGREED_TEXTS } from '#contract/applications/agreed-texts.ts';
import type { KeyFactsReply } from '#contract/applications/key-facts.schema.ts';
import {
  type BuyerPays,
  DECLARATION,
  type KeyFacts,
  PAID_BACK_BY,
  sayBuyerPays,
  sayIfLate,
} from '#contract/applications/key-facts.ts';
import { fromMinor } from '#contract/money.ts';
import type { HowToPay } from '#contract/payments/how-to-pay.ts';

/** The facts as they are frozen at submission, without version and acceptance. */
export type ShownFacts = Omit<KeyFactsReply, 'version' | 'accepted'>;

/** The accepted facts as they were frozen. */
export interface Acceptance {
  readonly version: string;
  readonly facts: ShownFacts;
  readonly acceptedAt: Date;
  readonly acceptedBy: string;
}

const TENTHS_PER_PERCENT = 10;

/** The content of the page besides the figures. */
interface ShownBeside extends HowToPay {
  readonly paidTo: string | undefined;
  readonly lateChargeBps: number;
  readonly blocksAfterDays: number;
}

/** The key facts in the wire's shape. */
export function presentKeyFacts(
  facts: KeyFacts,
  pays: Omit<BuyerPays, 'paymentExpectedOn'> | undefined,
  { accounts, reference, paidTo, ...late }: ShownBeside,
): ShownFacts {
  return {
    currency: facts.currencyCode,
    amount: fromMinor(facts.faceValue),
    amountAppliedFor: fromMinor(facts.advance),
    tenorDays: facts.tenorDays,
    feeRatePercentage: facts.feeRatePercent,
    feesCharged: fromMinor(facts.discountFee),
    amountReceived: fromMinor(facts.netProceeds),
    feePercentOfCash: facts.feeOfCashTenths === null ? null : facts.feeOfCashTenths / TENTHS_PER_PERCENT,
    yearlyRatePercent: facts.yearlyRateTenths === null ? null : facts.yearlyRateTenths / TENTHS_PER_PERCENT,
    paymentExpectedOn: facts.paymentExpectedOn,
    paidBackBy: PAID_BACK_BY,
    ifLate: sayIfLate({ ...facts, unpaid: facts.advance, ...late }),
    ...(pays === undefined ? {} : { buyerPays: sayBuyerPays({ ...pays, paymentExpectedOn: facts.paymentExpectedOn }) }),
    ...(paidTo === undefined ? {} : { paidTo }),
    payTo: [...accounts],
    repaymentReference: reference,
    declaration: DECLARATION,
    texts: AGREED_TEXTS,
  };
}

/** Presents the accepted facts, with the time and the person. */
export function presentAccepted({ facts, version, acceptedAt, acceptedBy }: Acceptance): KeyFactsReply {
  return { ...facts, version, accepted: { at: acceptedAt.toISOString(), by: acceptedBy } };
}
