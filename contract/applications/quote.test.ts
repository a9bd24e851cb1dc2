import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAXIMUM_AMOUNT_MINOR } from '#contract/money.ts';
import { advancePercent, feeRateBps, feeRatePercent, maximumAdvance, offeredTenors, quote } from './quote.ts';

/**
 * The price, compared with the same rules in exact fractions. Together with money.test.ts, a million generated cases.
 */

/** A fraction of whole numbers; `whole` rounds it half up or down by counting in halves. */
class Fraction {
  readonly over: bigint;
  readonly under: bigint;

  constructor(over: number | bigint, under: number | bigint = 1n) {
    this.over = BigInt(over);
    this.under = BigInt(under);
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.over * other.over, this.under * other.under);
  }

  down(): bigint {
    return (this.over - (this.over % this.under)) / this.under;
  }

  halfUp(): bigint {
    return new Fraction(2n * this.over + this.under, 2n * this.under).down();
  }
}

/** 'Fee rate by financing period days: 7 days 3%, 15 days 7%, 30 days 11%, any other 0%.' */
function specifiedPercent(days: number): bigint {
  if (days === 7) return 3n;
  if (days === 15) return 7n;
  return days === 30 ? 11n : 0n;
}

function oracle(faceValue: number, advance: number, tenorDays: number) {
  const percent = specifiedPercent(tenorDays);
  const maximum = new Fraction(90, 100).times(new Fraction(faceValue)).down();
  const applied = BigInt(advance);
  const counted = applied < maximum ? applied : maximum;
  const fee = new Fraction(percent, 100).times(new Fraction(applied)).halfUp();
  return {
    maximumAdvance: maximum,
    advancePercentTenths: faceValue === 0 ? 0n : new Fraction(counted * 100n * 10n, faceValue).halfUp(),
    feeRateBps: percent * 100n,
    discountFee: fee,
    netProceeds: applied - fee,
  };
}

const amounts = fc.oneof(
  fc.integer({ min: 0, max: 1000 }),
  fc.integer({ min: 0, max: 100_000_000 }),
  fc.integer({ min: 0, max: MAXIMUM_AMOUNT_MINOR }),
);
const tenors = fc.oneof(fc.constantFrom(7, 15, 30), fc.integer({ min: 0, max: 400 }));

describe('quote', () => {
  it('agrees with exact fractions', () => {
    fc.assert(
      fc.property(amounts, amounts, tenors, (faceValue, advance, tenorDays) => {
        const [given, right] = [quote({ faceValue, advance, tenorDays }), oracle(faceValue, advance, tenorDays)];
        return (
          BigInt(given.maximumAdvance) === right.maximumAdvance &&
          BigInt(given.advancePercentTenths) === right.advancePercentTenths &&
          BigInt(given.feeRateBps) === right.feeRateBps &&
          BigInt(given.discountFee) === right.discountFee &&
          BigInt(given.netProceeds) === right.netProceeds
        );
      }),
      { numRuns: 200_000 },
    );
  });

  it('never rounds away a shilling: fee and net proceeds are the advance, and neither is below 0', () => {
    fc.assert(
      fc.property(amounts, amounts, tenors, (faceValue, advance, tenorDays) => {
        const { discountFee, netProceeds } = quote({ faceValue, advance, tenorDays });
        return discountFee + netProceeds === advance && discountFee >= 0 && netProceeds >= 0;
      }),
      { numRuns: 100_000 },
    );
  });

  it('never advances more than 90 %, and never shows more than 90.0 %', () => {
    fc.assert(
      fc.property(amounts, amounts, (faceValue, advance) => {
        const { maximumAdvance: maximum, advancePercentTenths } = quote({ faceValue, advance, tenorDays: 30 });
        return BigInt(maximum) * 10n <= BigInt(faceValue) * 9n && advancePercentTenths <= 900;
      }),
      { numRuns: 100_000 },
    );
  });

  it.each([
    // face value, advance, tenor: fee, net, percentage; amounts in minor units
    [100_000_000, 90_000_000, 30, 9_900_000, 80_100_000, 90],
    [100_000_000, 90_000_000, 15, 6_300_000, 83_700_000, 90],
    [100_000_000, 90_000_000, 7, 2_700_000, 87_300_000, 90],
    [100_000_000, 90_000_000, 60, 0, 90_000_000, 90],
    [300, 100, 7, 3, 97, 33.3],
    [3000, 50, 7, 2, 48, 1.7],
    [3000, 49, 7, 1, 48, 1.6],
    [1, 1, 30, 0, 1, 0],
    [100, 200, 30, 22, 178, 90],
    [0, 100, 30, 11, 89, 0],
  ])('prices %d, %d over %d days', (faceValue, advance, tenorDays, fee, net, percent) => {
    const quoted = quote({ faceValue, advance, tenorDays });
    expect([quoted.discountFee, quoted.netProceeds, advancePercent(quoted)]).toEqual([fee, net, percent]);
  });
});

describe('the constants of section 9', () => {
  it('offers 7, 15 and 30 days at 3, 7 and 11 per cent, and prices every other period at 0', () => {
    expect(offeredTenors).toEqual([7, 15, 30]);
    expect([7, 15, 30, 0, 8, 14, 29, 31, 60].map((days) => feeRatePercent(feeRateBps(days)))).toEqual([
      3, 7, 11, 0, 0, 0, 0, 0, 0,
    ]);
  });

  it('rounds the maximum down to a hundredth', () => {
    expect([1, 9, 10, 11, 19, 99, 100_000_001].map(maximumAdvance)).toEqual([0, 8, 9, 9, 17, 89, 90_000_000]);
  });
});
