import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { payoutAmount } from '#contract/payments/payout-amount.ts';
import { HOUR_MS } from '#contract/time/durations.ts';
import {
  accountOf,
  accountState,
  isAccountNumber,
  maskedAccount,
  plainAccountNumber,
  providerCodes,
} from './account.ts';

describe('a number', () => {
  it.each([
    ['mtn', '+256 772 345 678', '0772345678', true],
    ['mtn', '256772345678', '0772345678', true],
    ['mtn', '\u202a+256 (0) 772\u2011345.678\u202c', '0772345678', true],
    ['mtn', '772345678', '0772345678', true],
    ['mtn', '00256772345678', '0772345678', true],
    ['mtn', '+254772345678', '+254772345678', false],
    ['bank', '\u200e9030\u20130012/34567', '9030001234567', true],
    ['bank', '２５６7000001', '2567000001', true],
    ['bank', '90300O1234567', '90300O1234567', false],
    ['mtn', '0702345678', '0702345678', false],
    ['airtel', '0702-345-678', '0702345678', true],
    ['airtel', '0772345678', '0772345678', false],
    ['bank', '9030 0012 34567', '9030001234567', true],
    ['bank', '12345', '12345', false],
    ['bank', 'ABC123456', 'ABC123456', false],
  ] as const)('of %s typed as %s is %s', (provider, typed, plain, isOne) => {
    expect([plainAccountNumber(provider, typed), isAccountNumber(provider, plain)]).toEqual([plain, isOne]);
  });

  it('is of one network at most, and shows its last three digits alone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), (rest) => {
        const number = `07${String(rest).padStart(8, '0')}`;
        const networks = providerCodes.filter((code) => code !== 'bank');
        expect(networks.filter((code) => isAccountNumber(code, number)).length).toBeLessThanOrEqual(1);
        const label = maskedAccount({ provider: 'mtn', number, holderName: 'Sarah Nabirye', bankName: null });
        expect(label).toBe(`MTN ••• ${number.slice(-3)}, Sarah Nabirye`);
      }),
    );
  });
});

describe('the state of an account', () => {
  const now = new Date('2026-11-20T09:00:00Z');
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const open = { verifiedAt: null, skipsWait: false, frozenAt: null, replacedAt: null };
  it.each([
    [open, 'unverified'],
    [{ ...open, verifiedAt: ago(24 * HOUR_MS - 1) }, 'waiting'],
    [{ ...open, verifiedAt: ago(24 * HOUR_MS) }, 'usable'],
    [{ ...open, verifiedAt: now, skipsWait: true }, 'usable'],
    [{ ...open, verifiedAt: now, skipsWait: true, frozenAt: now }, 'frozen'],
    [{ ...open, verifiedAt: ago(48 * HOUR_MS), replacedAt: now }, 'replaced'],
    [{ ...open, verifiedAt: ago(48 * HOUR_MS), replacedAt: now, frozenAt: now }, 'frozen'],
  ] as const)('of %o is %s', (account, state) => {
    expect(accountState(account, now, 24 * HOUR_MS)).toBe(state);
  });
});

it('an application is paid to the chosen account, else to the only usable one, else to the only one that will be', () => {
  const [one, two, waits] = [
    { id: 1, state: 'usable' },
    { id: 2, state: 'usable' },
    { id: 3, state: 'waiting' },
  ] as const;
  expect(accountOf([one, waits], null)).toBe(one);
  expect(accountOf([one, two], null)).toBeUndefined();
  expect(accountOf([waits], null)).toBe(waits);
  expect(accountOf([waits, { id: 4, state: 'unverified' }], null)).toBeUndefined();
  expect(accountOf([{ id: 5, state: 'frozen' }], null)).toBeUndefined();
  expect(accountOf([one, two, waits], 3)).toBe(waits);
  expect(accountOf([one], 9)).toBeUndefined();
});

it('a payout is the most that the rails carry of an amount, and what is left is less than one of their units', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (minor) => {
      const shillings = payoutAmount(minor, 'UGX');
      expect(shillings % 100).toBe(0);
      expect(minor - shillings).toBeGreaterThanOrEqual(0);
      expect(minor - shillings).toBeLessThan(100);
      expect(payoutAmount(minor, 'USD')).toBe(minor);
    }),
  );
});
