import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '#contract/time/calendar.ts';
import { earnedBy, earningsDue } from './earning.ts';

const START = '2026-11-01';
const span = fc
  .record({ after: fc.nat(40), days: fc.constantFrom(7, 15, 30), fee: fc.nat(20_000_000) })
  .map(({ after, days, fee }) => ({ from: addDays(START, after), days, fee }));

describe('a fee', () => {
  it('is earned evenly by day, nothing on the first and all of it on the last', () => {
    const fee = { from: START, days: 30, fee: 1000 };
    expect(
      ['2026-11-01', '2026-11-02', '2026-11-16', '2026-11-30', '2026-12-01', '2027-01-01'].map((day) =>
        earnedBy([fee], day),
      ),
    ).toEqual([0, 33, 500, 966, 1000, 1000]);
  });

  it('comes to the same however often, and however late, its days are posted', () => {
    const property = fc.property(span, fc.array(fc.nat(90), { minLength: 1 }), (given, runs) => {
      const posted = new Map<string, number>();
      let latest = 0;
      for (const run of [...runs, 100]) {
        const today = addDays(START, run);
        latest = Math.max(latest, run);
        for (const { date, amount } of earningsDue([given], new Set(posted.keys()), today)) posted.set(date, amount);
        expect([...posted.values()].reduce((sum, one) => sum + one, 0)).toBe(earnedBy([given], addDays(START, latest)));
      }
      expect(earningsDue([given], new Set(posted.keys()), addDays(START, 200))).toEqual([]);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('has a day for each of its parts', () => {
    const property = fc.property(span, (given) => {
      const days = earningsDue([given], new Set(), addDays(START, 200));
      for (const { date, amount } of days)
        expect(amount).toBe(earnedBy([given], date) - earnedBy([given], addDays(date, -1)));
      expect(days.reduce((sum, { amount }) => sum + amount, 0)).toBe(given.fee);
    });
    fc.assert(property, { numRuns: 300 });
  });
});
