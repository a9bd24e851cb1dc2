import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '#contract/time/calendar.ts';
import type { StandingEntry } from './balance.ts';
import { correctionOf, lateChargeCap, lateChargesOf, sayLateCharge } from './late-charge.ts';

const DUE = '2026-12-21';
const terms = { advance: 90_000_000, lateChargeBps: 10, dueOn: DUE };
const day = (late: number): string => addDays(DUE, late);
const entry = (kind: StandingEntry['kind'], amount: number, late: number): StandingEntry => ({
  kind,
  amount,
  date: day(late),
});
const sum = (days: readonly { readonly amount: number }[]): number => days.reduce((all, { amount }) => all + amount, 0);

describe('a late day', () => {
  it('costs its share of what is unpaid, from the day after the due date on', () => {
    expect(lateChargesOf(terms, [], [], DUE)).toEqual([]);
    expect(lateChargesOf(terms, [], [], day(2))).toEqual([
      { date: day(1), amount: 90_000 },
      { date: day(2), amount: 90_000 },
    ]);
    expect(lateChargesOf({ ...terms, lateChargeBps: 0 }, [], [], day(400))).toEqual([]);
  });

  it('is charged by how it stood when it began: what is paid on a day counts from the next', () => {
    const charges = lateChargesOf(terms, [entry('receipt', 45_000_000, 2)], [], day(3));
    expect(charges.map(({ amount }) => amount)).toEqual([90_000, 90_000, 45_000]);
  });

  it('charges the fee of more time like the advance, and no charge', () => {
    const standing = [entry('extension', 10_000_000, -3), entry('lateCharge', 5_000_000, -2)];
    expect(lateChargesOf(terms, standing, [], day(1))).toEqual([{ date: day(1), amount: 100_000 }]);
  });

  it('costs nothing once all is paid or written off, though charges are open', () => {
    for (const kind of ['receipt', 'writeOff'] as const)
      expect(lateChargesOf(terms, [entry(kind, 90_000_000, 1)], [], day(30))).toEqual([
        { date: day(1), amount: 90_000 },
      ]);
  });

  it('costs nothing if it begins in a pause; the day on which the pause begins costs', () => {
    const pauses = [{ from: day(2), until: day(4) }];
    expect(lateChargesOf(terms, [], pauses, day(6)).map(({ date }) => date)).toEqual([day(1), day(2), day(5), day(6)]);
    expect(lateChargesOf(terms, [], [{ from: day(2), until: null }], day(60))).toHaveLength(2);
  });
});

describe('the charges of all days', () => {
  it('are never more than half of the advance, those before more time included', () => {
    expect(sum(lateChargesOf(terms, [], [], day(5000)))).toBe(lateChargeCap(terms.advance));
    const before = [entry('lateCharge', 44_950_000, -1)];
    expect(lateChargesOf(terms, before, [], day(3))).toEqual([{ date: day(1), amount: 50_000 }]);
  });

  const paid = fc.array(
    fc.record({ amount: fc.integer({ min: 1, max: 60_000_000 }), late: fc.integer({ min: -5, max: 40 }) }),
    { maxLength: 5 },
  );
  const pauses = fc.array(fc.record({ from: fc.integer({ min: -5, max: 40 }), days: fc.option(fc.nat(10)) }), {
    maxLength: 2,
  });

  it('are the same however often and late they are posted, and whenever a payment becomes known', () => {
    const property = fc.property(paid, pauses, fc.array(fc.nat(60), { maxLength: 8 }), (receipts, paused, runs) => {
      const given = paused.map(({ from, days }) => ({
        from: day(from),
        until: days === null ? null : day(from + days),
      }));
      let posted: StandingEntry[] = [];
      const known: StandingEntry[] = [];
      const run = (today: string): void => {
        const due = lateChargesOf(terms, known, given, today);
        const { post, reverse } = correctionOf(DUE, due, posted);
        posted = posted.filter((one) => !reverse.includes(one));
        posted.push(...post.map((one) => ({ ...one, kind: 'lateCharge' as const })));
      };
      let latest = 0;
      for (const [index, late] of runs.entries()) {
        latest = Math.max(latest, late);
        run(day(latest));
        const receipt = receipts[index];
        if (receipt !== undefined) known.push(entry('receipt', receipt.amount, receipt.late));
      }
      known.splice(0, known.length, ...receipts.map(({ amount, late }) => entry('receipt', amount, late)));
      run(day(60));
      run(day(60));
      const atOnce = lateChargesOf(terms, known, given, day(60));
      const inOrder = posted.map(({ date, amount }) => ({ date, amount }));
      expect(inOrder.sort((one, other) => one.date.localeCompare(other.date))).toEqual(atOnce);
    });
    fc.assert(property, { numRuns: 300 });
  });
});

it('what being late costs is said with amounts', () => {
  expect(sayLateCharge(terms, 90_000_000, 'UGX')).toBe(
    'Each day late adds 0.1 % of what is unpaid, UGX 900 at first. It never adds more than UGX 450,000 in all.',
  );
});
