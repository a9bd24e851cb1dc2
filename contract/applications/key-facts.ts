import { feeRateBps, feeRatePercent, offeredTenors, quote } from '#contract/applications/quote.ts';
import { addDays } from '#contract/calendar.ts';
import { share } from '#contract/money.ts';

/**
 * What a client must have seen before they commit themselves (issue 'The decision desk', 'Key facts'): pure figures that
 * web, server and PDF show alike. Amounts in minor units.
 */

/** Raised whenever the page says something else in its words; part of every version (server/applications/key-facts). */
export const KEY_FACTS_EDITION = 1;

/** What the client declares by submitting. */
export const DECLARATION =
  'The work on this invoice is done, its amount is owed to my business, and it is not financed elsewhere.';

const TENTHS_PER_WHOLE = 1000;

/** What one tenor costs. */
export interface TenorPrice {
  readonly tenorDays: number;
  readonly feeRatePercent: number;
  readonly discountFee: number;
  readonly netProceeds: number;
  /** The fee as a share of the cash received, in tenths of a per cent, half up; null where nothing is received. */
  readonly feeOfCashTenths: number | null;
}

/** The key facts of an application. */
export interface KeyFacts extends TenorPrice {
  readonly currencyCode: string;
  readonly faceValue: number;
  readonly advance: number;
  /** When the buyer's payment is expected if the money is paid out today: today and the tenor (YYYY-MM-DD). */
  readonly paymentExpectedOn: string;
  /** The same advance over every tenor on offer, shortest first. */
  readonly prices: readonly TenorPrice[];
}

function priceOf(faceValue: number, advance: number, tenorDays: number): TenorPrice {
  const { discountFee, netProceeds } = quote({ faceValue, advance, tenorDays });
  return {
    tenorDays,
    feeRatePercent: feeRatePercent(feeRateBps(tenorDays)),
    discountFee,
    netProceeds,
    feeOfCashTenths: netProceeds === 0 ? null : share(discountFee, TENTHS_PER_WHOLE, netProceeds, 'halfUp'),
  };
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
  return {
    currencyCode,
    faceValue,
    advance,
    ...priceOf(faceValue, advance, tenorDays),
    paymentExpectedOn: addDays(today, tenorDays),
    prices: offeredTenors.map((days) => priceOf(faceValue, advance, days)),
  };
}
