import { describe, expect, it } from 'vitest';
import type { StandingEntry } from '#contract/payments/balance.ts';
import { addDays } from '#contract/time/calendar.ts';
import { type LateHistory, lateChargeCap, lateChargesOf, sayLateCharge } from './late-charge.ts';

const DUE = '2026-12-21';
const terms = { advance: 90_000_000, lateChargeBps: 10, dueOn: DUE, unit: 100 };
const day = (late: number): string => addDays(DUE, late);
const entry = (kind: StandingEntry['kind'], amount: number, late: number): StandingEntry => ({
  kind,
  amount,
  date: day(late),
});
const NONE: LateHistory = { pauses: [], closings: [], charged: [] };
/** Noon of a day in Kampala. */
const noon = (late: number): Date => new Date(`${day(late)}T09:00:00Z`);
const sum = (days: readonly { readonly amount: number }[]): number => days.reduce((all, { amount }) => all + amount, 0);

describe('a late day', () => {
  it('costs its share of what is unpaid, from the day after the due date on', () => {
    expect(lateChargesOf(terms, [], NONE, DUE)).toEqual([]);
    expect(lateChargesOf(terms, [], NONE, day(2))).toEqual([
      { date: day(1), amount: 90_000 },
      { date: day(2), amount: 90_000 },
    ]);
    expect(lateChargesOf({ ...terms, lateChargeBps: 0 }, [], NONE, day(400))).toEqual([]);
  });

  it('is charged by how it stood when it began: what is paid on a day counts from the next', () => {
    const charges = lateChargesOf(terms, [entry('receipt', 45_000_000, 2)], NONE, day(3));
    expect(charges.map(({ amount }) => amount)).toEqual([90_000, 90_000, 45_000]);
  });

  it('costs nothing for the fee of more time or an earlier charge', () => {
    const standing = [entry('extension', 10_000_000, -3), entry('lateCharge', 5_000_000, -2)];
    expect(lateChargesOf(terms, standing, NONE, day(1))).toEqual([{ date: day(1), amount: 90_000 }]);
  });

  it('costs nothing once the advance is paid, though the fee of more time is open: a repayment pays the advance first', () => {
    const standing = [
      entry('extension', 10_000_000, -3),
      entry('receipt', 60_000_000, 1),
      entry('receipt', 30_000_000, 2),
    ];
    expect(lateChargesOf(terms, standing, NONE, day(30)).map(({ amount }) => amount)).toEqual([90_000, 30_000]);
  });

  it('costs nothing once the advance is paid or written off, though charges are open', () => {
    for (const kind of ['receipt', 'writeOff'] as const)
      expect(lateChargesOf(terms, [entry(kind, 90_000_000, 1)], NONE, day(30))).toEqual([
        { date: day(1), amount: 90_000 },
      ]);
  });

  it('costs nothing if it begins in a pause; the day on which the pause begins costs', () => {
    const pauses = [{ from: day(2), until: day(4) }];
    expect(lateChargesOf(terms, [], { ...NONE, pauses }, day(6)).map(({ date }) => date)).toEqual([
      day(1),
      day(2),
      day(5),
      day(6),
    ]);
    expect(lateChargesOf(terms, [], { ...NONE, pauses: [{ from: day(2), until: null }] }, day(60))).toHaveLength(2);
  });
});

describe('the charges of all days', () => {
  it('are never more than half of the advance, those before more time included', () => {
    expect(sum(lateChargesOf(terms, [], NONE, day(5000)))).toBe(lateChargeCap(terms.advance));
    const charged = Array.from({ length: 450 }, (_, index) => ({ date: day(index - 500), at: noon(index - 500) }));
    const moreTime = { pauses: [], closings: [{ on: day(-30), at: noon(-30) }], charged };
    expect(sum(lateChargesOf(terms, [], moreTime, day(3)))).toBe(450 * 90_000 + 3 * 90_000);
    expect(sum(lateChargesOf(terms, [], moreTime, day(5000)))).toBe(lateChargeCap(terms.advance));
  });
});

describe('a day before more time or a write-off', () => {
  const closings = [{ on: day(3), at: noon(3) }];

  it('is charged only if it was charged by then, also where that charge was reversed', () => {
    const charged = [
      { date: day(1), at: noon(1) },
      { date: day(3), at: noon(3) },
      { date: day(2), at: noon(4) },
    ];
    const dates = (dueOn: string) => lateChargesOf({ ...terms, dueOn }, [], { pauses: [], closings, charged }, day(12));
    expect(dates(day(10)).map(({ date }) => date)).toEqual([day(1), day(3), day(11), day(12)]);
    expect(
      dates(DUE)
        .slice(0, 3)
        .map(({ date }) => date),
    ).toEqual([day(1), day(3), day(4)]);
  });

  it('is charged by the payments that are known now', () => {
    const charged = [1, 2, 3].map((late) => ({ date: day(late), at: noon(late) }));
    const standing = [entry('receipt', 45_000_000, 1)];
    const days = lateChargesOf({ ...terms, dueOn: day(10) }, standing, { pauses: [], closings, charged }, day(5));
    expect(days.map(({ amount }) => amount)).toEqual([90_000, 45_000, 45_000]);
  });
});

it('what being late costs is said with amounts', () => {
  expect(sayLateCharge(terms, 90_000_000, 'UGX')).toBe(
    'Each day late adds 0.1 % of what is unpaid without fees, UGX 900 at first. It never adds more than UGX 450,000 in all.',
  );
});
