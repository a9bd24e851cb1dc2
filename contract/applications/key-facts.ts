import { share } from '#contract/money.ts';
import { addDays } from '#contract/time/calendar.ts';
import { feeRateBps, feeRatePercent, quote } from './quote.ts';

/**
 * What a client must have seen before they commit themselves: pure figures that web, server and PDF show alike. Amounts
 * in minor units.
 */

/** Raised whenever the page says something else in its words; part of every version (server/applications/key-facts). */
export const KEY_FACTS_EDITION = 2;

/** What the client declares by submitting. */
export const DECLARATION =
  'The work on this invoice is done, its amount is owed to my business, and it is not financed elsewhere.';

/** Who pays the advance back: the ledger takes receipts of either, as they come (contract/payments/balance.ts). */
export const PAID_BACK_BY = 'Your buyer pays us, or you do, at once or in parts.';

/** What it means to pay back late: nothing is charged, and only what is settled on time raises a funding limit. */
export const IF_LATE =
  'You still owe the full amount. We charge nothing extra. Your funding limit grows only if you pay on time.';

const TENTHS_PER_WHOLE = 1000;

/** The key facts of an application. */
export interface KeyFacts {
  readonly currencyCode: string;
  readonly faceValue: number;
  /** What is paid back. */
  readonly advance: number;
  readonly tenorDays: number;
  readonly feeRatePercent: number;
  readonly discountFee: number;
  readonly netProceeds: number;
  /** The fee as a share of the cash received, in tenths of a per cent, half up; null where nothing is received. */
  readonly feeOfCashTenths: number | null;
  /** When the advance is due back if it is paid out today: today and the tenor (YYYY-MM-DD). */
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
