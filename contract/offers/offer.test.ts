import { describe, expect, it } from 'vitest';
import { hasLapsed, offerValidUntil } from './offer.ts';

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
