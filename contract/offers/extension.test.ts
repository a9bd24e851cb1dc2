import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { feeRateBps, offeredTenors } from '#contract/applications/quote.ts';
import { addDays } from '#contract/time/calendar.ts';
import { type AcceptedExtension, extensionOf, missingFee } from './extension.ts';

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

describe('what an extension undercharged', () => {
  const tenor = fc.constantFrom(...offeredTenors);
  const receipts = fc.array(fc.record({ amount: fc.integer({ min: 1, max: 10 ** 8 }), after: fc.nat(20) }), {
    maxLength: 6,
  });
  const START = '2026-11-20';

  it('is what it would have cost without the receipts that are reversed since, however often that is asked', () => {
    const property = fc.property(
      fc.integer({ min: 1, max: 10 ** 9 }),
      tenor,
      fc.nat(20),
      receipts,
      receipts,
      (advance, tenorDays, day, real, mistaken) => {
        const acceptedOn = addDays(START, day);
        const entry = ({ amount, after }: { readonly amount: number; readonly after: number }) => ({
          kind: 'receipt' as const,
          amount,
          date: addDays(START, after),
        });
        const priceOf = (of: readonly { readonly amount: number; readonly date: string }[]) => {
          const paid = of.reduce((sum, { date, amount }) => sum + (date <= acceptedOn ? amount : 0), 0);
          const outstanding = Math.max(0, advance - paid);
          return extensionOf({ outstanding, dueOn: START }, tenorDays, { today: START, holidays: new Set() }).fee;
        };
        const kept = real.map(entry);
        const fee = priceOf([...kept, ...mistaken.map(entry)]);
        const accepted: AcceptedExtension[] = [{ acceptedOn, tenorDays, fee }];
        const charged = { kind: 'extension' as const, amount: fee, date: acceptedOn };
        const missing = missingFee(advance, accepted, [...kept, charged]);
        expect(fee + missing).toBe(priceOf(kept));
        const added = { kind: 'extension' as const, amount: missing, date: addDays(START, 30) };
        expect(missingFee(advance, accepted, [...kept, charged, added])).toBe(0);
      },
    );
    fc.assert(property, { numRuns: 500 });
  });

  it('raises what a later one costs, which was priced on the fee of the first', () => {
    const accepted = [
      { acceptedOn: START, tenorDays: 15, fee: 7_000 },
      { acceptedOn: addDays(START, 10), tenorDays: 15, fee: 7_490 },
    ];
    const charged = accepted.map(({ fee, acceptedOn: date }) => ({ kind: 'extension' as const, amount: fee, date }));
    // 7 % of 1,000,000 is 70,000, and of 1,070,000 it is 74,900.
    expect(missingFee(1_000_000, accepted, charged)).toBe(144_900 - 14_490);
  });
});
