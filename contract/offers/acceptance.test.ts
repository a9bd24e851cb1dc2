import { expect, it } from 'vitest';
import { type AcceptanceFacts, decideAcceptance } from './acceptance.ts';

const facts: AcceptanceFacts = {
  now: new Date('2026-11-20T08:00:00Z'),
  offeredAt: new Date('2026-11-20T08:00:00Z'),
  validDays: 14,
  keyFacts: { seen: 'v1', today: 'v1' },
  isClientActive: true,
  isBuyerActive: true,
  overdue: undefined,
  exposure: 900,
  limit: 900,
  aloneUpTo: 900,
  neededTwo: false,
};

it.each<[string, Partial<AcceptanceFacts>, string[]]>([
  ['a lapsed offer', { now: new Date('2026-12-05T08:00:00Z') }, ['OFFER_LAPSED']],
  ['key facts of another day', { keyFacts: { seen: 'v0', today: 'v1' } }, ['OFFER_CHANGED']],
  ['an inactive client', { isClientActive: false }, ['BUSINESS_INACTIVE']],
  ['an inactive buyer', { isBuyerActive: false }, ['UNKNOWN_REFERENCE']],
  ['what is overdue', { overdue: { tag: 't', text: 'Pay it back' } }, ['OVERDUE_BLOCKS']],
  ['too low a limit', { limit: 899 }, ['LIMIT_EXCEEDED']],
  [
    'several at once, what the client reads first',
    { keyFacts: { seen: 'v0', today: 'v1' }, isClientActive: false, limit: 0 },
    ['OFFER_CHANGED', 'BUSINESS_INACTIVE', 'LIMIT_EXCEEDED'],
  ],
])('an acceptance is refused for %s', (_, more, codes) => {
  expect(decideAcceptance({ ...facts, ...more }).refusals.map(({ code }) => code)).toEqual(codes);
});

it('names what is overdue, and the buyer’s field', () => {
  const [overdue] = decideAcceptance({ ...facts, overdue: { tag: 't', text: 'Pay it back' } }).refusals;
  expect(overdue).toMatchObject({ more: 'Pay it back', extra: { overdueTag: 't' } });
  const [buyer] = decideAcceptance({ ...facts, isBuyerActive: false }).refusals;
  expect(Object.keys(buyer?.fields ?? {})).toEqual(['invoice.buyerId']);
});

it('an acceptance decides, or is the first of two where the offer took two or takes two by now', () => {
  const decide = (more: Partial<AcceptanceFacts>) => decideAcceptance({ ...facts, ...more }).decision;
  expect(decide({})).toBe('acceptOffer');
  expect(decide({ aloneUpTo: 899 })).toBe('acceptOfferFirst');
  expect(decide({ neededTwo: true })).toBe('acceptOfferFirst');
});
