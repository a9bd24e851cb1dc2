import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { offeredTenors, quote } from '#contract/applications/quote.ts';
import { hasLapsed, offerProblem, offerValidUntil } from './offer.ts';

describe('an approval', () => {
  const approvedAt = new Date('2026-11-20T20:59:59Z'); // a second before midnight in Kampala

  it('holds for whole days in Kampala, the day of the decision not counted', () => {
    expect(offerValidUntil(approvedAt, 14)).toBe('2026-12-04');
    expect(offerValidUntil(new Date('2026-11-20T21:00:00Z'), 14)).toBe('2026-12-05');
  });

  it('lapses when its last day is over, and not a second before', () => {
    expect(hasLapsed(approvedAt, 14, new Date('2026-12-04T20:59:59Z'))).toBe(false);
    expect(hasLapsed(approvedAt, 14, new Date('2026-12-04T21:00:00Z'))).toBe(true);
  });

  it('does not lapse where the clock was set back', () => {
    expect(hasLapsed(approvedAt, 14, new Date('2025-01-01T00:00:00Z'))).toBe(false);
  });
});

describe('a counter-offer', () => {
  const asked = { advance: 90_000_000, tenorDays: 30 };

  it.each([
    ['a lower advance', { advance: 80_000_000, tenorDays: 30 }, undefined],
    ['another tenor', { advance: 90_000_000, tenorDays: 7 }, undefined],
    ['both', { advance: 5_000_000, tenorDays: 15 }, undefined],
    ['what was asked for', asked, 'OFFER_UNCHANGED'],
    ['a cent more', { advance: 90_000_001, tenorDays: 7 }, 'OFFER_TOO_HIGH'],
    ['less than the smallest advance', { advance: 4_999_999, tenorDays: 30 }, 'ADVANCE_BELOW_MINIMUM'],
    ['a tenor that nobody offers', { advance: 80_000_000, tenorDays: 31 }, 'TENOR_NOT_OFFERED'],
  ])('is checked against what was asked for: %s', (_, offered, problem) => {
    expect(offerProblem(asked, offered, 5_000_000)).toBe(problem);
  });

  it('never costs more than its tenor cost before, and always changes something', () => {
    const tenor = fc.constantFrom(...offeredTenors, 8, 90);
    const terms = fc.record({ advance: fc.integer({ min: 1, max: 10_000_000_000 }), tenorDays: tenor });
    fc.assert(
      fc.property(terms, terms, (before, after) => {
        if (offerProblem(before, after, 1) !== undefined) return;
        const fee = ({ advance }: typeof before) =>
          quote({ faceValue: 20_000_000_000, advance, tenorDays: after.tenorDays }).discountFee;
        expect(fee(after)).toBeLessThanOrEqual(fee(before));
        expect(after).not.toEqual(before);
      }),
    );
  });
});
