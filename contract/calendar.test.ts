import { describe, expect, it } from 'vitest';
import { isAfter, kampalaDate } from '#contract/calendar.ts';

describe('the date in Kampala', () => {
  it.each([
    ['2026-11-20T20:59:59.999Z', '2026-11-20'],
    ['2026-11-20T21:00:00.000Z', '2026-11-21'],
    ['2026-12-31T21:00:00.000Z', '2027-01-01'],
    ['2024-02-28T21:30:00.000Z', '2024-02-29'],
  ])('at %s is %s', (instant, date) => {
    expect(kampalaDate(new Date(instant))).toBe(date);
  });

  it('is later than another as text', () => {
    expect(isAfter('2026-11-21', '2026-11-20')).toBe(true);
    expect(isAfter('2026-11-20', '2026-11-20')).toBe(false);
    expect(isAfter('2026-09-30', '2026-11-20')).toBe(false);
  });
});
