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

  it('is earned the same however often, and however late, its days are posted', () => {
    const property = fc.property(span, fc.array(fc.nat(90), { minLength: 1 }), (given, runs) => {
      const posted = new Map<string, number>();
      let latest = 0;
      for (const run of [...runs, 100]) {
        const today = addDays(START, run);
        latest = Math.max(latest, run);
        for (const { date, amount } of earningsDue([given], { posted: new Set(posted.keys()) }, today))
          posted.set(date, amount);
        expect([...posted.values()].reduce((sum, one) => sum + one, 0)).toBe(earnedBy([given], addDays(START, latest)));
      }
      expect(earningsDue([given], { posted: new Set(posted.keys()) }, addDays(START, 200))).toEqual([]);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('is no longer earned once it is written off, except the part that the loss does not reach', () => {
    const fee = { from: START, days: 30, fee: 3000 };
    const earned = (amount: number) =>
      ['2026-11-11', '2026-11-12', '2026-12-31'].map((day) => earnedBy([fee], day, [{ on: '2026-11-11', amount }]));
    expect(earned(900_000)).toEqual([1000, 1000, 1000]);
    expect(earned(500)).toEqual([1000, 1100, 2500]);
  });

  it('earns and loses the same however late its days are posted', () => {
    const losses = fc.array(fc.record({ after: fc.nat(60), amount: fc.integer({ min: 1, max: 9_000_000 }) }), {
      maxLength: 3,
    });
    const property = fc.property(span, losses, fc.array(fc.nat(90), { minLength: 1 }), (given, lost, runs) => {
      const writeOffs = lost
        .map(({ after, amount }) => ({ on: addDays(START, after), amount }))
        .sort((one, other) => one.on.localeCompare(other.on));
      const postings = (days: readonly number[]) => {
        const posted = new Map<string, number>();
        for (const run of days) {
          const today = addDays(START, run);
          // A later write-off is not known yet.
          const onRecord = { posted: new Set(posted.keys()), writeOffs: writeOffs.filter(({ on }) => on <= today) };
          for (const { date, amount } of earningsDue([given], onRecord, today)) posted.set(date, amount);
        }
        return [...posted].sort();
      };
      const inPauses = Array.from({ length: 21 }, (_, step) => step * 5);
      const late = postings([...runs.toSorted((one, other) => one - other), 100]);
      expect(late).toEqual(postings(inPauses));
      const total = late.reduce((sum, [, amount]) => sum + amount, 0);
      const gone = lost.reduce((sum, { amount }) => sum + amount, 0);
      expect(total).toBeGreaterThanOrEqual(Math.min(given.fee, given.fee - gone));
      expect(total).toBeLessThanOrEqual(given.fee);
    });
    fc.assert(property, { numRuns: 100 });
  });

  it('has a day for each of its parts', () => {
    const property = fc.property(span, (given) => {
      const days = earningsDue([given], { posted: new Set() }, addDays(START, 200));
      for (const { date, amount } of days)
        expect(amount).toBe(earnedBy([given], date) - earnedBy([given], addDays(date, -1)));
      expect(days.reduce((sum, { amount }) => sum + amount, 0)).toBe(given.fee);
    });
    fc.assert(property, { numRuns: 300 });
  });
});
