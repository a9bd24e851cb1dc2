import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { availableOf, grownLimit } from '#contract/limits/limit.ts';
import { MAXIMUM_AMOUNT_MINOR } from '#contract/money.ts';

const money = fc.integer({ min: 0, max: MAXIMUM_AMOUNT_MINOR });

describe('what a limit leaves', () => {
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
  const rule = { settledApplications: 3, growthPercent: 25, maximum: 500 };

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
      const grown = grownLimit(limit, { settledApplications: 1, growthPercent, maximum });
      if (grown === undefined) return;
      expect(grown).toBeGreaterThan(limit);
      expect(grown).toBeLessThanOrEqual(maximum);
      expect(BigInt(grown - limit) * 100n).toBeLessThanOrEqual(BigInt(limit) * BigInt(growthPercent));
    });
    fc.assert(property, { numRuns: 10_000 });
  });
});
