import { share } from '#contract/money.ts';
import { addDays } from '#contract/time/calendar.ts';
import { feeRateBps, feeRatePercent, quote } from './quote.ts';

/** What a client must see before they commit: the same figures for web, server and PDF. Amounts in minor units. */

/** Incremented when the page's wording changes; part of every version (server/applications/key-facts.service.ts). */
export const KEY_FACTS_EDITION = 2;

/** What the client declares by submitting. */
export const DECLARATION =
  'The work on this invoice is done, its amount is owed to my business, and it is not financed elsewhere.';

/** Who pays back the advance: the ledger takes receipts from client and buyer (contract/payments/balance.ts). */
export const PAID_BACK_BY = 'Your buyer pays us, or you do, at once or in parts.';

/** What paying back late means: no charge, but only applications settled on time raise a funding limit. */
export const IF_LATE =
  'You still owe the full amount. We charge nothing extra. Your funding limit grows only if you pay on time.';

const TENTHS_PER_WHOLE = 1000;

/** The key facts of an application. */
export interface KeyFacts {
  readonly currencyCode: string;
  readonly faceValue: number;
  /** The amount to pay back. */
  readonly advance: number;
  readonly tenorDays: number;
  readonly feeRatePercent: number;
  readonly discountFee: number;
  readonly netProceeds: number;
  /** The fee as a share of the cash received, in tenths of a per cent, half up; null if nothing is received. */
  readonly feeOfCashTenths: number | null;
  /** The due date if it is paid out today: today plus the tenor (YYYY-MM-DD). */
  readonly paymentExpectedOn: string;
}

/** The key facts as of a day in Kampala (YYYY-MM-DD). */
export function keyFactsOf(
  application: {
    readonly currencyCode: string;
    readonly faceValue: number;
    readonly advance: number;
    readonly tenorDays: number;
  },
  today: string,
): KeyFacts {
  const { currencyCode, faceValue, advance, tenorDays } = application;
  const { discountFee, netProceeds } = quote({ faceValue, advance, tenorDays });
  return {
    currencyCode,
    faceValue,
    advance,
    tenorDays,
    feeRatePercent: feeRatePercent(feeRateBps(tenorDays)),
    discountFee,
    netProceeds,
    feeOfCashTenths: netProceeds === 0 ? null : share(discountFee, TENTHS_PER_WHOLE, netProceeds, 'halfUp'),
    paymentExpectedOn: addDays(today, tenorDays),
  };
}
