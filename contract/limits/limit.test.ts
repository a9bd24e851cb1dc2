import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAXIMUM_AMOUNT_MINOR } from '#contract/money.ts';
import { availableOf, countsForGrowth, grownLimit, highestAlone } from './limit.ts';

const money = fc.integer({ min: 0, max: MAXIMUM_AMOUNT_MINOR });

describe('the available amount', () => {
  it('is what is not used of it, and never below 0', () => {
    expect(availableOf({ limit: 100, outstanding: 30, submitted: 20 })).toBe(50);
    expect(availableOf({ limit: 100, outstanding: 80, submitted: 20 })).toBe(0);
    expect(availableOf({ limit: 10, outstanding: 80, submitted: 20 })).toBe(0);
  });

  it('never lets more be used than the limit is', () => {
    const property = fc.property(money, money, money, (limit, outstanding, submitted) => {
      const available = availableOf({ limit, outstanding, submitted });
      expect(available).toBeGreaterThanOrEqual(0);
      if (available > 0) expect(outstanding + submitted + available).toBe(limit);
    });
    fc.assert(property, { numRuns: 10_000 });
  });
});

describe('the rule of growth', () => {
  const rule = { settledApplications: 3, growthPercent: 25, maximum: 500, sizePercent: 5, minimumDays: 7 };

  it('adds its share, down to 0.01, up to the maximum', () => {
    expect(grownLimit(100, rule)).toBe(125);
    expect(grownLimit(103, rule)).toBe(128);
    expect(grownLimit(450, rule)).toBe(500);
  });

  it('leads nowhere from the maximum, from above it and from nothing', () => {
    expect(grownLimit(500, rule)).toBeUndefined();
    expect(grownLimit(900, rule)).toBeUndefined();
    expect(grownLimit(0, rule)).toBeUndefined();
    expect(grownLimit(3, rule)).toBeUndefined();
  });

  it('always leads higher, by its share at most, and never above the maximum', () => {
    const property = fc.property(money, money, fc.integer({ min: 1, max: 100 }), (limit, maximum, growthPercent) => {
      const grown = grownLimit(limit, { ...rule, growthPercent, maximum });
      if (grown === undefined) return;
      expect(grown).toBeGreaterThan(limit);
      expect(grown).toBeLessThanOrEqual(maximum);
      expect(BigInt(grown - limit) * 100n).toBeLessThanOrEqual(BigInt(limit) * BigInt(growthPercent));
    });
    fc.assert(property, { numRuns: 10_000 });
  });
});

describe('a settlement that counts for growth', () => {
  const rule = { sizePercent: 5, minimumDays: 7 };

  it('is of a size beside the limit, and was out for some days', () => {
    expect(countsForGrowth({ advance: 50, days: 7 }, 1_000, rule)).toBe(true);
    expect(countsForGrowth({ advance: 49, days: 7 }, 1_000, rule)).toBe(false);
    expect(countsForGrowth({ advance: 50, days: 6 }, 1_000, rule)).toBe(false);
  });

  it('is never one of two cents under a limit of 50 million', () => {
    expect(countsForGrowth({ advance: 2, days: 90 }, 5_000_000_000, rule)).toBe(false);
  });

  it('is judged without rounding, up to the largest amounts', () => {
    const counts = (advance: number) =>
      countsForGrowth({ advance, days: 7 }, MAXIMUM_AMOUNT_MINOR, { ...rule, sizePercent: 100 });
    expect([counts(MAXIMUM_AMOUNT_MINOR), counts(MAXIMUM_AMOUNT_MINOR - 1)]).toEqual([true, false]);
  });
});

describe('the highest limit that one officer sets alone', () => {
  const rule = { start: 100, timesStart: 2, earned: undefined };

  it('is what is in force and below, where nothing was earned', () => {
    expect(highestAlone(100, rule)).toBe(100);
    expect(highestAlone(0, rule)).toBe(0);
  });

  it('is an earned raise, up to a multiple of the starting limit', () => {
    expect(highestAlone(100, { ...rule, earned: 125 })).toBe(125);
    expect(highestAlone(190, { ...rule, earned: 237 })).toBe(200);
    expect(highestAlone(200, { ...rule, earned: 250 })).toBe(200);
    expect(highestAlone(300, { ...rule, earned: 375 })).toBe(300);
  });

  it('is never above both what is in force and what was earned', () => {
    const property = fc.property(money, money, fc.option(money, { nil: undefined }), (limit, start, earned) => {
      const alone = highestAlone(limit, { start, timesStart: 2, earned });
      expect(alone).toBeGreaterThanOrEqual(limit);
      expect(alone === limit || (earned !== undefined && alone <= earned && alone <= start * 2)).toBe(true);
    });
    fc.assert(property, { numRuns: 10_000 });
  });
});
