import fc from 'fast-check';
import { expect, it } from 'vitest';
import { refusalOfWallet, type WalletLimits } from './wallet-limits.ts';

const limits = { perPayment: 500_000_000, perDay: 2_000_000_000 };
const none = { perPayment: undefined, perDay: undefined };

it.each<[string, number, number, WalletLimits, object | undefined]>([
  ['what it takes at once', 500_000_000, 0, limits, undefined],
  ['more than it takes at once', 500_000_100, 0, limits, { code: 'ABOVE_WALLET', most: 500_000_000 }],
  ['what is left for the day', 500_000_000, 1_500_000_000, limits, undefined],
  ['more than is left', 500_000_000, 1_600_000_000, limits, { code: 'WALLET_FULL_TODAY', most: 400_000_000 }],
  ['a day that is over its limit', 100, 2_100_000_000, limits, { code: 'WALLET_FULL_TODAY', most: 0 }],
  [
    'more than a day',
    2_000_000_100,
    0,
    { ...none, perDay: limits.perDay },
    { code: 'ABOVE_WALLET', most: limits.perDay },
  ],
  ['anything without limits', 9_000_000_000, 9_000_000_000, none, undefined],
])('a wallet and %s', (_, amount, sentToday, given, refusal) => {
  expect(refusalOfWallet(amount, sentToday, given)).toEqual(refusal);
});

it('what is taken keeps both limits, and what a refusal says is left is taken', () => {
  const minor = fc.integer({ min: 1, max: 3_000_000_000 });
  fc.assert(
    fc.property(minor, minor, minor, minor, (amount, sentToday, perPayment, perDay) => {
      const refusal = refusalOfWallet(amount, sentToday, { perPayment, perDay });
      expect(refusal === undefined).toBe(amount <= perPayment && sentToday + amount <= perDay);
      if (refusal?.code === 'WALLET_FULL_TODAY' && refusal.most > 0)
        expect(refusalOfWallet(Math.min(refusal.most, amount), sentToday, { perPayment, perDay })).toBeUndefined();
    }),
  );
});
