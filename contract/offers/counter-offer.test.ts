import fc from 'fast-check';
import { expect, it } from 'vitest';
import { offeredTenors, quote } from '#contract/applications/quote.ts';
import { inReview, LATER, OTHER } from '#contract/desk/case-facts.harness.ts';
import { decideCounterOffer, type Terms } from './counter-offer.ts';

const asked = { advance: 90_000_000, tenorDays: 30 };
const facts = {
  ...inReview,
  exposure: asked.advance,
  limit: asked.advance,
  aloneUpTo: asked.advance,
  openFlags: [],
  asked,
  currency: 'UGX',
  smallest: 5_000_000,
};
type Facts = Parameters<typeof decideCounterOffer>[0];
const lower = { advance: 80_000_000, tenorDays: 15 };
const codes = (more: Partial<Facts>) =>
  decideCounterOffer({ ...facts, offered: lower, ...more }).refusals.map(({ code }) => code);

it.each<[string, Terms, string[]]>([
  ['a lower advance', { advance: 80_000_000, tenorDays: 30 }, []],
  ['another tenor', { advance: 90_000_000, tenorDays: 7 }, []],
  ['both', { advance: 5_000_000, tenorDays: 15 }, []],
  ['the requested terms', asked, ['OFFER_UNCHANGED']],
  ['a cent more', { advance: 90_000_001, tenorDays: 7 }, ['OFFER_TOO_HIGH', 'LIMIT_NOT_HELD']],
  ['less than the smallest advance', { advance: 4_999_999, tenorDays: 30 }, ['ADVANCE_BELOW_MINIMUM']],
  ['a tenor that nobody offers', { advance: 80_000_000, tenorDays: 31 }, ['TENOR_NOT_OFFERED']],
])('an offer is compared with the requested terms: %s', (_, offered, expected) => {
  expect(codes({ offered })).toEqual(expected);
});

it('an offer names the field and the amount that it must not pass', () => {
  const fields = (offered: Terms) => decideCounterOffer({ ...facts, offered }).refusals[0]?.fields;
  expect([
    fields({ ...asked, advance: 90_000_001 }),
    fields({ ...asked, advance: 1 }),
    fields({ ...lower, tenorDays: 31 }),
    fields(asked),
  ]).toEqual([
    { amountAppliedFor: 'The client asked for UGX 900,000. Offer that or less' },
    { amountAppliedFor: 'The smallest advance is UGX 50,000. Offer that or more' },
    { financingPeriodId: 'Select Financing Period' },
    { amountAppliedFor: 'Offer a lower amount or another period' },
  ]);
});

it('an offer never costs more than its tenor cost before, and always changes something', () => {
  const tenor = fc.constantFrom(...offeredTenors, 8, 90);
  const terms = fc.record({ advance: fc.integer({ min: 1, max: 10_000_000_000 }), tenorDays: tenor });
  fc.assert(
    fc.property(terms, terms, (before, after) => {
      const { decision } = decideCounterOffer({ ...facts, asked: before, offered: after, smallest: 1 });
      if (decision === undefined) return;
      const fee = ({ advance }: Terms) =>
        quote({ faceValue: 20_000_000_000, advance, tenorDays: after.tenorDays }).discountFee;
      expect(fee(after)).toBeLessThanOrEqual(fee(before));
      expect(after).not.toEqual(before);
    }),
  );
});

it.each<[string, Partial<Facts>, string[]]>([
  ['another status', { status: 'Info Requested' }, ['STEP_NOT_ALLOWED']],
  ['another officer’s case', { assigneeId: OTHER }, ['CASE_TAKEN']],
  ['a new officer', { newUntil: LATER }, ['NEW_OFFICER']],
  ['a late client', { isClientLate: true }, ['CLIENT_OVERDUE']],
  ['a limit below the offer', { limit: 79_999_999 }, ['LIMIT_NOT_HELD']],
  ['a limit between offer and request', { limit: 80_000_000 }, []],
  ['a possible duplicate', { openFlags: [{ kind: 'sameFile', name: 'INV-1' }] }, ['FLAG_OPEN']],
  [
    'flags that an offer answers',
    {
      openFlags: [
        { kind: 'coverage', name: '' },
        { kind: 'dueDate', name: '' },
      ],
    },
    [],
  ],
  ['its terms before the officer', { offered: asked, newUntil: LATER }, ['OFFER_UNCHANGED', 'NEW_OFFICER']],
])('an offer is refused for %s', (_, more, expected) => {
  expect(codes(more)).toEqual(expected);
});

it('an offer takes two officers by its own amount, or by who let the applicant in', () => {
  const decide = (more: Partial<Facts>) => decideCounterOffer({ ...facts, offered: lower, ...more }).decision;
  expect(decide({})).toEqual({ needsTwo: false });
  expect(decide({ aloneUpTo: 80_000_000 })).toEqual({ needsTwo: false });
  expect(decide({ aloneUpTo: 79_999_999 })).toEqual({ needsTwo: true });
  expect(decide({ hasPlacedApplicant: true })).toEqual({ needsTwo: true });
});
