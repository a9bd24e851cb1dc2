import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusals } from '#contract/transfers/refusals.ts';
import { mostToAsk, providerOfNumber, refusalOfAmount } from './amount.ts';
import { sayRequestToOfficer } from './officer-words.ts';
import { requestForm, type ShownRequest } from './schema.ts';
import { sayToPayer } from './words.ts';

describe('the amount of a request', () => {
  it('is what is owed in whole shillings, less than one shilling below it, and never refused itself', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 99_999_999_999 }), (owed) => {
        const most = mostToAsk(owed, 'UGX');
        expect(most % 100).toBe(0);
        expect(owed - most).toBeGreaterThanOrEqual(0);
        expect(owed - most).toBeLessThan(100);
        expect(refusalOfAmount(most, { owed, currency: 'UGX', least: 100 })).toBeUndefined();
        expect(refusalOfAmount(most + 100, { owed, currency: 'UGX', least: 100 })).toContain('or less');
      }),
    );
    expect(mostToAsk(1_050, 'USD')).toBe(1_050);
  });

  it('is at least what the provider takes', () => {
    const limits = { owed: 1_000_000, currency: 'UGX', least: 50_000 };
    expect(refusalOfAmount(49_900, limits)).toBe('Enter UGX 500 or more');
    expect(refusalOfAmount(50_000, limits)).toBeUndefined();
  });
});

describe('a number', () => {
  it.each([
    ['0772345678', 'mtn'],
    ['0752345678', 'airtel'],
    ['0312345678', undefined],
    ['256772345678', undefined],
  ] as const)('%s is of %s', (number, provider) => {
    expect(providerOfNumber(number)).toBe(provider);
  });

  it('is taken as people write it, and only where another number is chosen', () => {
    const parse = (form: object) => requestForm.parse({ amount: 1000, wallet: 'other', ...form });
    for (const number of ['0772 345 678', '+256 772-345-678', '256772345678'])
      expect(parse({ number }).number).toBe('0772345678');
    expect(parse({ wallet: 'own', number: '0772345678' }).number).toBeUndefined();
  });
});

const request: ShownRequest = {
  tag: '5d0c1a0e-8f0b-4c57-9d35-2f6f0c9f1b12',
  provider: 'mtn',
  state: 'sent',
  amount: 500_000,
  currency: 'UGX',
  from: '••• 678',
  until: '2026-11-20T07:07:00Z',
  knownAt: null,
  providerReference: null,
  refusal: null,
  said: null,
  askedBy: null,
};
const soon = new Date('2026-11-20T07:05:00Z');
const after = new Date('2026-11-20T07:07:00Z');

describe('a payer reads', () => {
  it.each([
    [{}, soon, 'Look at your phone: MTN asks ••• 678 to approve UGX 500,000 with the PIN. You have until 10:07.'],
    [
      { state: 'unknown' },
      after,
      "The five minutes are over: We're still asking MTN about UGX 500,000. If your phone says you paid, it counts. Don't pay again yet.",
    ],
    [{ state: 'succeeded' }, after, 'Paid. Thank you: We received UGX 500,000 from MTN ••• 678.'],
    [
      { state: 'failed', refusal: 'expired' },
      after,
      'UGX 500,000 was not paid: You did not approve it on your phone in five minutes. Ask again.',
    ],
    [
      { state: 'failed', refusal: 'insufficientFloat' },
      soon,
      'UGX 500,000 was not paid: There is too little money in this wallet. Top it up and ask again, or pay less.',
    ],
  ] as const)('the state and what to do: %o', (change, now, said) => {
    const { title, text } = sayToPayer({ ...request, ...change }, now);
    expect(`${title}: ${text}`.replaceAll('\u00a0', ' ')).toBe(said);
  });

  it('what would work, whatever the refusal', () => {
    for (const refusal of refusals) {
      const { text } = sayToPayer({ ...request, state: 'failed', refusal }, soon);
      expect(text).toMatch(/[Aa]sk again|[Uu]se another number|Pay/);
    }
  });
});

it.each([
  [{}, soon, 'We asked MTN ••• 678 to pay. It can approve until 10:07'],
  [{ state: 'succeeded', providerReference: '8841' }, soon, 'We asked MTN ••• 678 to pay. Paid, MTN 8841'],
  [{ state: 'failed', refusal: 'rejected' }, soon, 'We asked MTN ••• 678 to pay. Not paid: Not approved on the phone'],
] as const)('an officer reads: %o', (change, now, said) => {
  expect(sayRequestToOfficer({ ...request, ...change }, now)).toBe(said);
});
