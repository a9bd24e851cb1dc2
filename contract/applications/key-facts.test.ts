import { describe, expect, it } from 'vitest';
import { DECLARATION, keyFactsOf, sayBuyerPays, sayIfLate } from './key-facts.ts';

/** The facts that a client must see before they submit, with figures worked out by hand. */

const application = { currencyCode: 'UGX', faceValue: 100_000_000, advance: 90_000_000, tenorDays: 30 };

describe('the key facts', () => {
  const facts = keyFactsOf(application, '2026-12-15', new Set());

  it('are the price, and its share of the cash', () => {
    expect(facts).toMatchObject({
      ...application,
      feeRatePercent: 11,
      discountFee: 9_900_000,
      netProceeds: 80_100_000,
      // 9.9 / 80.1 = 12.36 %
      feeOfCashTenths: 124,
      // 9.9 / 80.1 × 365 / 30 = 150.37 %
      yearlyRateTenths: 1504,
    });
  });

  it('say when the advance is due back', () => {
    expect(facts.paymentExpectedOn).toBe('2027-01-14');
    // 20 December 2026 is a Sunday.
    expect(keyFactsOf(application, '2026-11-20', new Set(['2026-12-21'])).paymentExpectedOn).toBe('2026-12-22');
  });

  it('have no share of nothing', () => {
    expect(keyFactsOf({ ...application, advance: 0 }, '2026-12-15', new Set())).toMatchObject({
      feeOfCashTenths: null,
      yearlyRateTenths: null,
    });
  });

  it('round the share half up', () => {
    // 11 % of 119.32 are 13.13 (13.1252 half up), 106.19 are left: 12.364 %; of 0.05: 0.01 of 0.04 is 25 %.
    expect(keyFactsOf({ ...application, advance: 11_932 }, '2026-12-15', new Set()).feeOfCashTenths).toBe(124);
    expect(keyFactsOf({ ...application, advance: 5 }, '2026-12-15', new Set()).feeOfCashTenths).toBe(250);
  });

  it('warn that a buyer pays after the due date, and say nothing of one who pays by then', () => {
    const pays = {
      buyer: 'Pearl Hotels',
      currencyCode: 'UGX',
      expectedCash: 11_000_000,
      withheld: 0,
      advance: 9_000_000,
    };
    const said = (paymentDueOn: string | null) =>
      sayBuyerPays({ ...pays, paymentDueOn, paymentExpectedOn: '2026-12-21' });
    expect(said('2027-01-04')).toBe(
      'Pearl Hotels should pay UGX 110,000 by 4 Jan 2027. That is after you must pay back.',
    );
    expect(said('2026-12-21')).toBe('Pearl Hotels should pay UGX 110,000 by 21 Dec 2026.');
    expect(said(null)).toBe('Pearl Hotels should pay UGX 110,000.');
  });

  it('say what being late stops', () => {
    const terms = { currencyCode: 'UGX', advance: 1, unpaid: 1, lateChargeBps: 0 };
    expect(sayIfLate({ ...terms, blocksAfterDays: 3 })).toBe(
      'You still owe the full amount. We charge nothing extra. After 3 days you cannot apply or get cash until you pay. ' +
        'Your funding limit grows only if you pay on time.',
    );
    expect(sayIfLate({ ...terms, blocksAfterDays: 0 })).toContain('You cannot apply or get cash until you pay.');
  });

  it('come with the declaration', () => {
    expect(DECLARATION).toBe(
      'The work on this invoice is done, its amount is owed to my business, and it is not financed elsewhere.',
    );
  });
});
