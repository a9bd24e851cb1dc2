import fc from 'fast-check';
import { expect, it } from 'vitest';
import { caseFlagKindCodes } from '#contract/desk/schema.ts';
import { addDays } from '#contract/time/calendar.ts';
import { type CaseFlag, caseFlagsOf, type JudgedTerms, type Stage, stopsCase } from './case-flags.ts';

/** Flags about the buyer or the account that stop an approval or a payout. */

const TODAY = '2026-11-20';

/** 23:30 of the day before in UTC. */
const at = (date: string) => new Date(`${date}T02:30:00+03:00`);
const payee = (verifiedOn: string, id = 17, difference: string | null = null) => ({
  payee: { id, label: 'MTN ••• 678, Sarah Nabirye', verifiedAt: at(verifiedOn), difference },
});

function terms(given: Partial<JudgedTerms>): JudgedTerms {
  const covered = { advance: 10_620_000, expectedCash: 10_620_000, buyerChanges: [], payee: null, paidBefore: [] };
  const stage = { status: 'Approved', surplusOwed: 0, restOwed: 0 } as const;
  return { currencyCode: 'UGX', tenorDays: 30, paymentDueOn: null, ...stage, ...covered, ...given };
}

it.each<[string, Partial<JudgedTerms>, CaseFlag[]]>([
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
  [
    'changes of the buyer, each field once',
    {
      buyerChanges: [
        { at: at('2026-11-18'), fields: ['tin', 'name'] },
        { at: at('2026-11-19'), fields: ['tin', 'withholdsVat'] },
      ],
    },
    [
      {
        kind: 'buyerChanged',
        fact: '2 changes of the buyer’s record, last on 19 Nov 2026: name, TIN, withheld VAT',
      },
    ],
  ],
  [
    'an account on its last day as a new one',
    payee('2026-10-22'),
    [
      {
        kind: 'newPayoutAccount',
        fact: 'MTN ••• 678, Sarah Nabirye (account 17): checked on 22 Oct 2026 at 02:30',
      },
    ],
  ],
  ['nothing, where the account was checked 30 days ago', payee('2026-10-21'), []],
  ['a holder who differs', payee('2026-10-21', 17, 'MTN says: X'), [{ kind: 'holderDiffers', fact: 'MTN says: X' }]],
  ['nothing, where no account may be paid to', { payee: null }, []],
])('a case is flagged for %s', (_, given, flags) => {
  expect(caseFlagsOf(terms(given), TODAY)).toEqual(flags);
});

it.each<[string, Stage, readonly string[]]>([
  ['a paid case', { status: 'Disbursed', surplusOwed: 0, restOwed: 0 }, []],
  ['a settled case', { status: 'Settled', surplusOwed: 0, restOwed: 0 }, []],
  [
    'a surplus',
    { status: 'Settled', surplusOwed: 1, restOwed: 0 },
    ['newPayoutAccount', 'holderDiffers', 'paidBefore'],
  ],
  [
    'the rest of the cash',
    { status: 'Disbursed', surplusOwed: 0, restOwed: 1 },
    ['newPayoutAccount', 'holderDiffers', 'paidBefore'],
  ],
  [
    'it on a settled case',
    { status: 'Settled', surplusOwed: 0, restOwed: 1 },
    ['newPayoutAccount', 'holderDiffers', 'paidBefore'],
  ],
])('flags stop %s by kind', (_, stage, kinds) => {
  expect(caseFlagKindCodes.filter((kind) => stopsCase(stage, kind))).toEqual(kinds);
});

it('a flag says something else for another account, for one that was checked again, and after another change', () => {
  const change = { at: at('2026-11-19'), fields: ['tin'] as const };
  const each = [
    payee('2026-11-18'),
    payee('2026-11-18', 18),
    payee('2026-11-19'),
    { buyerChanges: [change] },
    { buyerChanges: [change, change] },
  ].flatMap((given) => caseFlagsOf(terms(given), TODAY).map(({ fact }) => fact));
  expect(new Set(each).size).toBe(5);
});

it('a due-date flag says the same on every day until the first without it', () => {
  fc.assert(
    fc.property(fc.integer({ min: -400, max: 400 }), fc.integer({ min: 0, max: 60 }), (due, later) => {
      const given = terms({ paymentDueOn: addDays(TODAY, due) });
      const [before, after] = [caseFlagsOf(given, TODAY), caseFlagsOf(given, addDays(TODAY, later))];
      expect(after.length === 0 || after[0]?.fact === before[0]?.fact).toBe(true);
    }),
  );
});
