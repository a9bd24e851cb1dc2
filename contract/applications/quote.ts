import { BPS_PER_PERCENT, BPS_PER_WHOLE, share, TENTHS_PER_PERCENT, TENTHS_PER_WHOLE } from '#contract/money.ts';

/** The rules of price and size, for web and server. */

/** An advance is at most 90 % of the face value. */
export const ADVANCE_RATE_BPS = 9000;

/** Fee rate in basis points by tenor in days; any other tenor prices at 0. */
const feeRateByTenor: ReadonlyMap<number, number> = new Map([
  [7, 300],
  [15, 700],
  [30, 1100],
]);

/** The tenors on offer; any other is refused at submission. */
export const offeredTenors: readonly number[] = [...feeRateByTenor.keys()];

/** The fee rate in basis points for a tenor in days: 7 days 3 %, 15 days 7 %, 30 days 11 %, any other 0 %. */
export function feeRateBps(tenorDays: number): number {
  return feeRateByTenor.get(tenorDays) ?? 0;
}

/** The maximum advance on a face value: 90 %, rounded down to 0.01. Minor units. */
export function maximumAdvance(faceValue: number): number {
  return share(faceValue, ADVANCE_RATE_BPS, BPS_PER_WHOLE, 'down');
}

/** The price of an advance. Amounts in minor units. */
export interface Quote {
  readonly maximumAdvance: number;
  /** 100 × min(advance, maximum) ÷ face value, in tenths of a per cent, half up. */
  readonly advancePercentTenths: number;
  readonly feeRateBps: number;
  readonly discountFee: number;
  readonly netProceeds: number;
}

/** The input of a quote: amounts in minor units, tenor in days. */
export interface QuoteRequest {
  readonly faceValue: number;
  readonly advance: number;
  readonly tenorDays: number;
}

/**
 * Prices an application. The fee is rounded half up to 0.01 and the client receives advance − fee, so fee and net
 * proceeds always add up to the advance. For a face value of 0, the advance's share of it is 0.
 */
export function quote({ faceValue, advance, tenorDays }: QuoteRequest): Quote {
  const maximum = maximumAdvance(faceValue);
  const rate = feeRateBps(tenorDays);
  const discountFee = share(advance, rate, BPS_PER_WHOLE, 'halfUp');
  return {
    maximumAdvance: maximum,
    advancePercentTenths:
      faceValue === 0 ? 0 : share(Math.min(advance, maximum), TENTHS_PER_WHOLE, faceValue, 'halfUp'),
    feeRateBps: rate,
    discountFee,
    netProceeds: advance - discountFee,
  };
}

const DAYS_A_YEAR = 365;

/**
 * The fee as a simple yearly rate on the cash received, in tenths of a per cent, half up: fee ÷ cash × 365 ÷ tenor.
 * Null if nothing is received, or if the tenor is 0.
 */
export function yearlyRateTenths(
  { discountFee, netProceeds }: Pick<Quote, 'discountFee' | 'netProceeds'>,
  tenorDays: number,
): number | null {
  if (netProceeds === 0 || tenorDays === 0) return null;
  return share(discountFee, TENTHS_PER_WHOLE * DAYS_A_YEAR, BigInt(netProceeds) * BigInt(tenorDays), 'halfUp');
}

/** A fee rate in per cent, as used on the wire and on screens: 1100 basis points are 11 per cent. */
export function feeRatePercent(rateBps: number): number {
  return rateBps / BPS_PER_PERCENT;
}

/**
 * The advance's share of the face value in per cent, as used on the wire and on screens: 900 tenths are 90 per cent.
 */
export function advancePercent(quoted: Quote): number {
  return quoted.advancePercentTenths / TENTHS_PER_PERCENT;
}
