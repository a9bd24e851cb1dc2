import fc from 'fast-check';
import { expect, it } from 'vitest';
import { payoutAmount } from '#contract/payments/payout-amount.ts';
import { MOST_PARTS, partsOf, refusalOfWallet, sayParts, type WalletLimits } from './wallet-limits.ts';

const limits = { perPayment: 500_000_000, perDay: 2_000_000_000 };
const none = { perPayment: undefined, perDay: undefined };

it.each<[string, number, number, WalletLimits, object | undefined]>([
  ['what it takes at once', 500_000_000, 0, limits, undefined],
  ['what it takes in parts', 2_000_000_000, 0, limits, undefined],
  [
    'more than it takes in parts',
    500_000_100 * MOST_PARTS,
    0,
    { ...limits, perDay: undefined },
    { code: 'ABOVE_WALLET', most: 500_000_000 * MOST_PARTS },
  ],
  ['anything, where it takes nothing', 100, 0, { ...none, perPayment: 0 }, { code: 'ABOVE_WALLET', most: 0 }],
  ['what is left for the day', 500_000_000, 1_500_000_000, limits, undefined],
  ['more than is left', 500_000_000, 1_600_000_000, limits, { code: 'WALLET_FULL_TODAY', most: 400_000_000 }],
  ['a day that is over its limit', 100, 2_100_000_000, limits, { code: 'WALLET_FULL_TODAY', most: 0 }],
  ['more than a day', 2_000_000_100, 0, limits, { code: 'ABOVE_WALLET', most: limits.perDay }],
  ['anything without limits', 9_000_000_000, 9_000_000_000, none, undefined],
])('a wallet takes what its limits allow: %s', (_, amount, sentToday, given, refusal) => {
  expect(refusalOfWallet(amount, sentToday, given)).toEqual(refusal);
});

it('what is taken keeps both limits, and what a refusal says is left is taken', () => {
  const minor = fc.integer({ min: 1, max: 3_000_000_000 });
  fc.assert(
    fc.property(minor, minor, minor, minor, (amount, sentToday, perPayment, perDay) => {
      const refusal = refusalOfWallet(amount, sentToday, { perPayment, perDay });
      expect(refusal === undefined).toBe(amount <= perPayment * MOST_PARTS && sentToday + amount <= perDay);
      if (refusal?.code === 'WALLET_FULL_TODAY' && refusal.most > 0)
        expect(refusalOfWallet(Math.min(refusal.most, amount), sentToday, { perPayment, perDay })).toBeUndefined();
    }),
  );
});

it('parts add up to the amount, each can be sent and is taken at once, and they are as few as there can be', () => {
  const shillings = fc.integer({ min: 1, max: 10_000_000 }).map((whole) => whole * 100);
  fc.assert(
    fc.property(
      shillings,
      fc.integer({ min: 1, max: MOST_PARTS }),
      fc.integer({ min: 0, max: 99 }),
      (most, times, less) => {
        const amount = Math.max(100, most * times - 100 * less);
        const parts = partsOf(amount, { perPayment: most });
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount);
        for (const part of parts) {
          expect(part).toBeGreaterThan(0);
          expect(part).toBeLessThanOrEqual(most);
          expect(payoutAmount(part, 'UGX')).toBe(part);
        }
        expect(parts.length).toBe(Math.ceil(amount / most));
      },
    ),
  );
});

it('a payout goes at once where there is no limit', () => {
  expect(partsOf(9_000_000_000, none)).toEqual([9_000_000_000]);
});

it('a payout says its parts', () => {
  expect(sayParts([5_000_000, 5_000_000, 1_000_000], 'UGX').replaceAll('\u00a0', ' ')).toBe(
    'It goes in 3 parts: UGX 5,000,000, then UGX 5,000,000, then UGX 1,000,000',
  );
});
