import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StandingEntry } from '#contract/payments/balance.ts';
import { addDays } from '#contract/time/calendar.ts';
import { correctionOf, type Derivation } from './derived.ts';
import type { LateHistory } from './late-charge.ts';

const DUE = '2026-12-21';
const terms = { advance: 90_000_000, lateChargeBps: 10, dueOn: DUE, unit: 100 };
const day = (late: number): string => addDays(DUE, late);
const payout: StandingEntry = { kind: 'disbursement', amount: 80_100_000, date: '2026-11-20' };
const receipt = (amount: number, late: number): StandingEntry => ({ kind: 'receipt', amount, date: day(late) });
const at = (late: number, history: Partial<LateHistory> = {}): Derivation => ({
  terms,
  history: { pauses: [], closings: [], charged: [], ...history },
  today: day(late),
});

describe('late charges', () => {
  it('are posted for days without one, and reversed where a payment of before makes them wrong', () => {
    const first = correctionOf(at(3), [payout]);
    expect(first.post.map(({ amount }) => amount)).toEqual([90_000, 90_000, 90_000]);
    const early = receipt(45_000_000, 1);
    const second = correctionOf(at(3), first.standing, { adds: [early] });
    expect(second.reverse.map(({ date }) => date)).toEqual([day(2), day(3)]);
    expect(second.post.map(({ amount }) => amount)).toEqual([45_000, 45_000]);
  });

  it('come back with the reversal of that payment', () => {
    const early = receipt(90_000_000, 0);
    const { post, reverse } = correctionOf(at(3), [payout, early], { without: early });
    expect([post.length, reverse]).toEqual([3, []]);
  });

  it('of a later day stay, where the change began before midnight', () => {
    const { standing } = correctionOf(at(3), [payout]);
    expect(correctionOf(at(2), standing)).toMatchObject({ post: [], reverse: [] });
  });

  it('are nothing before a payout', () => {
    expect(correctionOf({ ...at(9), terms: { ...terms, dueOn: null } }, []).post).toEqual([]);
  });

  const payments = fc.array(
    fc.record({
      amount: fc.integer({ min: 1, max: 60_000_000 }),
      late: fc.integer({ min: -5, max: 40 }),
      isReversed: fc.boolean(),
    }),
    { maxLength: 6 },
  );
  const pauses = fc.array(fc.record({ from: fc.integer({ min: -5, max: 40 }), days: fc.option(fc.nat(10)) }), {
    maxLength: 2,
  });

  it('are the same however often and late they are posted, and whatever is recorded and reversed in between', () => {
    const property = fc.property(payments, pauses, fc.array(fc.nat(60), { maxLength: 8 }), (given, paused, runs) => {
      const history = {
        pauses: paused.map(({ from, days }) => ({ from: day(from), until: days === null ? null : day(from + days) })),
      };
      let standing: readonly StandingEntry[] = [payout];
      let latest = 0;
      for (const [index, late] of runs.entries()) {
        latest = Math.max(latest, late);
        const one = given[index];
        const adds = one === undefined ? [] : [receipt(one.amount, one.late)];
        ({ standing } = correctionOf(at(latest, history), standing, { adds }));
        standing = [...standing, ...adds];
        if (one?.isReversed !== true) continue;
        const without = adds[0];
        ({ standing } = correctionOf(at(latest, history), standing, { ...(without && { without }) }));
        standing = standing.filter((entry) => entry !== without);
      }
      ({ standing } = correctionOf(at(60, history), standing));
      const inForce = given.slice(0, runs.length).filter(({ isReversed }) => !isReversed);
      const known = [payout, ...inForce.map(({ amount, late }) => receipt(amount, late))];
      const byDay = (entries: readonly StandingEntry[]) =>
        entries
          .filter(({ kind }) => kind === 'lateCharge')
          .map(({ date, amount }) => `${date} ${amount}`)
          .sort();
      expect(byDay(standing)).toEqual(byDay(correctionOf(at(60, history), known).standing));
    });
    fc.assert(property, { numRuns: 300 });
  });
});
