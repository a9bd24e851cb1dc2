import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '#contract/time/calendar.ts';
import { stateOfPromise } from './promises.ts';

const promise = { madeOn: '2026-12-21', by: '2026-12-28', amount: 50_000 };
const receipt = (amount: number, date: string) => ({ kind: 'receipt', amount, date }) as const;

describe('a promise to pay', () => {
  it('is open until its day has passed, and broken after it', () => {
    expect(stateOfPromise(promise, [], '2026-12-28')).toBe('open');
    expect(stateOfPromise(promise, [], '2026-12-29')).toBe('broken');
  });

  it('is kept by what was paid between the two days, in parts too', () => {
    const parts = [receipt(20_000, '2026-12-21'), receipt(30_000, '2026-12-28')];
    expect(stateOfPromise(promise, parts, '2027-01-30')).toBe('kept');
    for (const date of ['2026-12-20', '2026-12-29'])
      expect(stateOfPromise(promise, [receipt(50_000, date)], '2026-12-29')).toBe('broken');
    expect(stateOfPromise(promise, [receipt(49_999, '2026-12-22')], '2026-12-22')).toBe('open');
    expect(stateOfPromise(promise, [{ kind: 'surplus', amount: 50_000, date: '2026-12-22' }], '2026-12-22')).toBe(
      'open',
    );
  });

  it('is broken for good once its day has passed without enough', () => {
    const property = fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }), (paid, read) => {
      const state = stateOfPromise(
        promise,
        [receipt(50_000, addDays(promise.madeOn, paid))],
        addDays(promise.by, read),
      );
      expect(state).toBe(paid <= 7 ? 'kept' : read > 0 ? 'broken' : 'open');
    });
    fc.assert(property);
  });
});
