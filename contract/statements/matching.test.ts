import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REPAYMENT_ALPHABET, readRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { type Claimant, matchReceived, referencesIn } from './matching.ts';

const character = fc.constantFrom(...Array.from(REPAYMENT_ALPHABET));
/** A valid reference: seven characters and a check character. */
const reference = fc.array(character, { minLength: 7, maxLength: 7 }).map((body) => {
  const sound = Array.from(REPAYMENT_ALPHABET, (last) => [...body, last].join('')).find(
    (one) => typeof readRepaymentReference(one) === 'object',
  );
  if (sound === undefined) throw new Error('there is no check character');
  return sound;
});

const claimant: Claimant = {
  tag: 'a',
  reference: 'x',
  status: 'Disbursed',
  currency: 'UGX',
  faceValue: 100_000,
  received: 0,
  paidOutOn: '2026-11-01',
};
const payment = { amount: 50_000, currency: 'UGX', date: '2026-11-19', wasAssigned: false };
const none = { named: [], isPayout: false, near: [], exact: [] };

describe('repayment references', () => {
  it('are found in a text however they are written', () => {
    const property = fc.property(reference, fc.constantFrom('', '-', ' '), fc.boolean(), (one, between, isSmall) => {
      const written = `${one.slice(0, 4)}${between}${one.slice(4)}`;
      const text = `Pay/inv ${isSmall ? written.toLowerCase() : written}, thanks`;
      expect(referencesIn(text).sound).toContain(one);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('are near, not valid, if they are mistyped or have swapped characters', () => {
    const wrong = fc.tuple(reference, fc.nat(7), character, fc.boolean()).map(([one, place, other, isSwap]) => {
      const all = Array.from(one);
      const next = (place + 1) % 8;
      const [own = '', neighbour = ''] = [all[place], all[next]];
      const isNext = isSwap && next > place;
      return { one, typed: (isNext ? all.with(place, neighbour).with(next, own) : all.with(place, other)).join('') };
    });
    const property = fc.property(wrong, ({ one, typed }) => {
      fc.pre(typed !== one);
      const { sound, near } = referencesIn(`for ${typed}`);
      expect(sound).toEqual([]);
      expect(near).toContain(one);
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it.each([
    'KDYC–7HHA',
    'KDYC—7HHA',
    'KDYC−7HHA',
    'KDYC  7HHA',
    'KDYC - 7HHA',
    'KDYC\u00a07HHA',
    'ＫＤＹＣ－７ＨＨＡ',
    'kdyc‐7hha',
  ])('are credited with any dash and run of spaces: %s', (written) => {
    expect(referencesIn(`Ref ${written} thanks`).sound).toEqual(['KDYC7HHA']);
  });

  it.each([
    'KDYC.7HHA',
    'KDYC/7HHA',
    'KDYC_7HHA',
    'RefKDYC7HHA',
    'KDYC7HHAthanks',
    'invKDYC-7HHA/2026',
    'K.D.Y.C.7.H.H.A',

    'КDYC-7ННА',
    'KDÝC-7HHA',
    'ÉKDYC-7HHA',
    'KDYC-7HH',
    'KDYC-7HHAA',
    'KDYCX7HHA',
    'KDYC.7HHX',
    'REFKDYC7HHX',
    'KD YC 7H HA',
  ])('are proposed, and never credited, where they are hidden or mistyped: %s', (written) => {
    expect(referencesIn(`Paid ${written} by phone`)).toMatchObject({
      sound: [],
      near: expect.arrayContaining(['KDYC7HHA']),
    });
  });

  it('are not found inside longer numbers', () => {
    const property = fc.property(reference, character, (one, more) => {
      expect(referencesIn(`${one}${more} ${more}${one}`).sound).toEqual([]);
    });
    fc.assert(property, { numRuns: 200 });
  });
});

describe('incoming money', () => {
  it('is credited automatically only to the one application that it names, if that can take it', () => {
    const possible = fc.record({
      tag: fc.uuid(),
      reference: fc.constant('x'),
      status: fc.constantFrom('Approved', 'Disbursed', 'Settled', 'Withdrawn'),
      currency: fc.constantFrom('UGX', 'USD'),
      faceValue: fc.nat(100_000),
      received: fc.nat(100_000),
      paidOutOn: fc.constantFrom(null, '2026-11-01', '2026-11-20'),
    });
    const found = fc.record({
      named: fc.array(possible),
      near: fc.array(possible),
      exact: fc.array(possible),
      isPayout: fc.boolean(),
    });
    const property = fc.property(found, fc.boolean(), (given, wasAssigned) => {
      const match = matchReceived({ ...payment, wasAssigned }, given);
      if (!match.isSure) return;
      expect(given.isPayout).toBe(false);
      expect(given.named).toEqual([match.to]);
      expect(match.to).toMatchObject({ currency: 'UGX', paidOutOn: '2026-11-01' });
      expect(['Disbursed', 'Settled']).toContain(match.to.status);
      expect(match.to.received + payment.amount).toBeLessThanOrEqual(match.to.faceValue);
      expect(wasAssigned).toBe(false);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it.each([
    ['no reference', none, { why: 'noReference', to: [] }],
    ['a payout of ours', { ...none, named: [claimant], isPayout: true }, { why: 'returnedPayout', to: [] }],
    ['two references', { ...none, named: [claimant, { ...claimant, tag: 'b' }] }, { why: 'several' }],
    ['a mistyped one', { ...none, near: [claimant] }, { why: 'mistyped', to: [claimant] }],
    ['exactly what is owed', { ...none, exact: [claimant] }, { why: 'exactAmount', to: [claimant] }],
    [
      'one of another currency',
      { ...none, named: [{ ...claimant, currency: 'USD' }] },
      { why: 'otherCurrency', to: [] },
    ],
    ['one that is not paid out', { ...none, named: [{ ...claimant, status: 'Approved' }] }, { why: 'notPaidOut' }],
    [
      'one paid out later',
      { ...none, named: [{ ...claimant, paidOutOn: '2026-11-20' }] },
      { why: 'beforePayout', to: [] },
    ],
    [
      'one that it exceeds',
      { ...none, named: [{ ...claimant, received: 60_000 }] },
      { why: 'large', to: [{ tag: 'a' }] },
    ],
  ] as const)('waits for an officer with %s', (_, found, expected) => {
    expect(matchReceived(payment, found)).toMatchObject({ isSure: false, ...expected });
  });
});
