import { describe, expect, it } from 'vitest';
import { looksLike, otherBuyerOf, payerOf } from './payer.ts';

describe('a payer', () => {
  it.each([
    ['MULAGO HOSPITAL', 'Mulago Hospital'],
    ['HOSPITAL MULAGO', 'Mulago Hospital'],
    ['UMEME LTD', 'Umeme Limited'],
    ['UMEME (U) LTD', 'Umeme'],
    ['THE UMEME CO. LTD', 'Umeme & Company'],
    ['JINJA', 'Jinja Agro'],
    ['MULAGO', 'Mulago Hospital'],
    ['MULAGO NATIONAL REF', 'Mulago National Referral Hospital'],
    ['STANBIC BANK U LTD', 'Stanbic Bank Uganda Limited'],
    ['Café Javas', 'CAFE JAVAS LTD'],
    ['Nabirye S', 'Sarah Nabirye'],
    ['SUPPLIER 12', 'Supplier 12 Ltd'],
  ])('%s looks like %s', (payer, business) => {
    expect(looksLike(payer, business)).toBe(true);
  });

  it.each([
    ['OKELLO', 'Mulago Hospital'],
    ['KAMPALA HOSPITAL', 'Mulago Hospital'],
    ['SUPPLIER 12', 'Supplier 13'],
    ['SUPPLIER 1', 'Supplier 12'],
    ['Mula', 'Mulago Hospital'],
    ['HOSPITAL', 'Mulago Hospital'],
    ['LTD', 'Umeme Ltd'],
    [' - ', '-'],
    ['', 'Umeme'],
  ])('%s does not look like %s', (payer, business) => {
    expect(looksLike(payer, business)).toBe(false);
  });

  it.each(['and', 'the', 'ltd', 'limited', 'plc', 'co', 'company', 'inc', 'llc', 'smc'])(
    'is compared without the word %s',
    (word) => expect(looksLike(`UMEME ${word}`, 'Umeme')).toBe(true),
  );

  const parties = { client: 'Jinja Agro Supplies Ltd', buyer: 'Mulago Hospital' };

  it.each([
    ['MULAGO HOSPITAL', 'buyer'],
    ['MULAGO', 'buyer'],
    ['JINJA AGRO', 'client'],
    ['NABIRYE SARAH', 'client'],
    [null, 'client'],
  ] as const)('named %s paid as the %s', (payer, who) => {
    expect(payerOf(payer, parties)).toBe(who);
  });

  it('who looks like both paid as the client', () => {
    expect(payerOf('KAMPALA', { client: 'Kampala Foods', buyer: 'Kampala Millers' })).toBe('client');
  });

  it.each([
    ['UMEME LTD', 'Umeme Limited'],
    ['MULAGO', null],
    ['JINJA AGRO', null],
    ['OKELLO', null],
    [null, null],
  ])('named %s looks like the other buyer %s', (payer, expected) => {
    expect(otherBuyerOf(payer, parties, ['Mulago Hospital', 'Nakasero Traders', 'Umeme Limited'])).toBe(expected);
  });
});
