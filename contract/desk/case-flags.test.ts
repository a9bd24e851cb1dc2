import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addDays } from '#contract/time/calendar.ts';
import { caseFlagsOf, type JudgedTerms } from './case-flags.ts';

/** What stops an approval because of the buyer's terms. */

const TODAY = '2026-11-20';

function terms(given: Partial<JudgedTerms> = {}): JudgedTerms {
  const covered = { advance: 10_620_000, expectedCash: 10_620_000 };
  return { currencyCode: 'UGX', tenorDays: 30, paymentDueOn: null, ...covered, ...given };
}

it.each([
  ['nothing, where the cash covers the advance and no day is known', {}, []],
  ['nothing, where the buyer pays on the last day', { paymentDueOn: '2026-12-20' }, []],
  [
    'the coverage',
    { expectedCash: 10_600_000 },
    [{ kind: 'coverage', fact: 'UGX 106,000 should arrive: 99.8% of 106,200' }],
  ],
  [
    'the due date',
    { paymentDueOn: '2026-12-21' },
    [{ kind: 'dueDate', fact: 'The buyer pays by 21 Dec 2026; the advance is for 30 days' }],
  ],
])('flags %s', (_, given, flags) => {
  expect(caseFlagsOf(terms(given), TODAY)).toEqual(flags);
});

it('says the same of a due date on every day on which it is flagged, and on none after the first without', () => {
  fc.assert(
    fc.property(fc.integer({ min: -400, max: 400 }), fc.integer({ min: 0, max: 60 }), (due, later) => {
      const given = terms({ paymentDueOn: addDays(TODAY, due) });
      const [before, after] = [caseFlagsOf(given, TODAY), caseFlagsOf(given, addDays(TODAY, later))];
      expect(after.length === 0 || after[0]?.fact === before[0]?.fact).toBe(true);
    }),
  );
});
