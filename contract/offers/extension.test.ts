import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { feeRateBps, offeredTenors } from '#contract/applications/quote.ts';
import { addDays } from '#contract/time/calendar.ts';
import { extensionOf } from './extension.ts';

describe('an extension', () => {
  const owed = { outstanding: 90_000_000, dueOn: '2026-12-21' };
  const on = (today: string, holidays: readonly string[] = []) => ({ today, holidays: new Set(holidays) });

  it('costs the fee of its tenor on what is outstanding, and counts from the due date', () => {
    expect(extensionOf(owed, 15, on('2026-12-18'))).toEqual({
      tenorDays: 15,
      feeRatePercent: 7,
      fee: 6_300_000,
      toPayBack: 96_300_000,
      dueOn: '2027-01-05',
      // 7 % × 365 / 15
      yearlyRateTenths: 1703,
    });
  });

  it('counts from the day where the due date has passed, and ends on a day on which people pay', () => {
    expect(extensionOf(owed, 7, on('2026-12-30')).dueOn).toBe('2027-01-06');
    expect(extensionOf(owed, 7, on('2026-12-27', ['2027-01-04'])).dueOn).toBe('2027-01-05');
  });

  it('never costs more than its rate, nor ends before its days are over', () => {
    const days = fc.integer({ min: -60, max: 60 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 ** 12 }),
        fc.constantFrom(...offeredTenors),
        days,
        (outstanding, tenor, late) => {
          const today = addDays(owed.dueOn, late);
          const extended = extensionOf({ ...owed, outstanding }, tenor, on(today));
          expect(extended.toPayBack - extended.fee).toBe(outstanding);
          expect(Math.abs(extended.fee * 10_000 - outstanding * feeRateBps(tenor))).toBeLessThanOrEqual(5_000);
          expect(extended.dueOn >= addDays(owed.dueOn, tenor) && extended.dueOn >= addDays(today, tenor)).toBe(true);
        },
      ),
    );
  });
});
