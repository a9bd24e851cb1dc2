import { expect, it } from 'vitest';
import { mayBeReturned } from './returned.ts';

const OWN = 'K7RM9PX4';
const paid = { reference: 'FT 2632', amount: 80_100_000 };

it.each([
  ['the id of our payment', { providerId: 'ft2632' }, true],
  ['its reference among other words', { details: 'REVERSAL OF FT 2632 ACCOUNT CLOSED' }, true],
  ['exactly its amount and no application', { amount: 80_100_000 }, true],
  ['another amount and nothing of it', {}, false],
])('money that came in with %s may be our payment: %s', (_, line, expected) => {
  expect(mayBeReturned({ providerId: 'RT1', details: 'Deposit', amount: 5, ...line }, paid, OWN)).toBe(expected);
});

it('does not match a short reference by chance', () => {
  const line = { providerId: 'RT1', details: 'Account 123', amount: 5 };
  expect(mayBeReturned(line, { reference: '12', amount: 7 }, OWN)).toBe(false);
});
