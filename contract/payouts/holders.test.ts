import { describe, expect, it } from 'vitest';
import { type HolderAnswer, holderDifference, isHolderAsked, isInactive, sayHolder } from './holders.ts';

const askedAt = new Date('2026-11-20T22:30:00Z');
const account = (given: Partial<HolderAnswer>) => ({
  id: 17,
  provider: 'mtn' as const,
  number: '0772345678',
  holderName: 'Sarah Nabirye',
  bankName: null,
  holderState: 'active' as const,
  holderSaid: 'SARAH NABIRYE',
  holderAskedAt: askedAt,
  ...given,
});
const never = { holderState: null, holderSaid: null, holderAskedAt: null };

describe('an officer', () => {
  it.each([
    ['nothing, where nobody was asked', never, null, null],
    ['the name, and nothing to answer for where it fits', {}, 'MTN says: SARAH NABIRYE', null],
    ['the same of initials and another order', { holderSaid: 'NABIRYE S.' }, 'MTN says: NABIRYE S.', null],
    [
      'both names, where they differ',
      { holderSaid: 'MOSES WAISWA' },
      'MTN says: MOSES WAISWA',
      'MTN says: MOSES WAISWA. The client says: MTN ••• 678, Sarah Nabirye (account 17)',
    ],
    [
      'that there is no name',
      { holderSaid: null },
      'MTN does not say who holds this number',
      'MTN does not say who holds MTN ••• 678, Sarah Nabirye (account 17)',
    ],
    [
      'that there was no answer that day',
      { holderState: 'unknown' as const, holderSaid: null },
      'MTN did not answer who holds this number',
      'MTN did not answer on 21 Nov 2026 who holds MTN ••• 678, Sarah Nabirye (account 17)',
    ],
    [
      'that nobody can be paid there, for which nobody can answer',
      { holderState: 'closed' as const, holderSaid: null },
      'MTN says that nobody has an active account with this number',
      null,
    ],
  ])('reads %s', (_, given, said, difference) => {
    expect([sayHolder(account(given)), holderDifference(account(given))]).toEqual([said, difference]);
  });
});

it('a number that is unknown or closed is inactive, and no other', () => {
  const states = ['active', 'none', 'closed', 'unknown', null] as const;
  expect(states.filter((holderState) => isInactive({ holderState }))).toEqual(['none', 'closed']);
});

it.each([
  ['never asked', never, 0, true],
  ['asked now', {}, 0, false],
  ['asked a moment ago', {}, 59_999, false],
  ['asked a minute ago', {}, 60_000, true],
  ['not answered', { holderState: 'unknown' as const, holderSaid: null }, 0, true],
])('a provider is asked again or not: %s', (_, given, laterMs, isAsked) => {
  expect(isHolderAsked(account(given), new Date(askedAt.getTime() + laterMs))).toBe(isAsked);
});
