import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maximumAdvance } from '#contract/applications/quote.ts';
import { MAXIMUM_AMOUNT_MINOR } from '#contract/money.ts';
import { coverageOf, expectedCash, type InvoicedAmount, ratesOn, type TaxRate, vatWithin } from './expected-cash.ts';

/** The cash that really arrives: the worked example, edge cases, and properties of every invoice. */

const UGX = 100;
const MILLION = 1_000_000 * UGX;

const rates: readonly TaxRate[] = [
  { kind: 'vat', validFrom: '2000-01-01', rateBps: 1800, threshold: null },
  { kind: 'withholdingTax', validFrom: '2000-01-01', rateBps: 600, threshold: MILLION },
  { kind: 'vatWithholding', validFrom: '2000-01-01', rateBps: 600, threshold: null },
];
const both = { withholdsTax: true, withholdsVat: true };
const neither = { withholdsTax: false, withholdsVat: false };

function invoice(given: Partial<InvoicedAmount> = {}): InvoicedAmount {
  return { invoiceDate: '2026-11-20', currencyCode: 'UGX', faceValue: 118 * MILLION, vat: 18 * MILLION, ...given };
}

describe('the expected cash', () => {
  it('is 106 of 118 where the buyer withholds both taxes, which does not cover the highest advance', () => {
    const cash = expectedCash(invoice(), both, rates);
    expect(cash).toEqual({ withholdingTax: 6 * MILLION, withheldVat: 6 * MILLION, expectedCash: 106 * MILLION });
    const highest = maximumAdvance(118 * MILLION);
    expect(highest).toBe(106.2 * MILLION);
    expect(coverageOf(cash.expectedCash, highest)).toEqual({ tenths: 998, isShort: true });
  });

  it.each([
    ['neither', neither, 118],
    ['income tax', { withholdsTax: true, withholdsVat: false }, 112],
    ['VAT', { withholdsTax: false, withholdsVat: true }, 112],
  ])('is less whatever the buyer withholds: %s', (_, buyer, millions) => {
    expect(expectedCash(invoice(), buyer, rates).expectedCash).toBe(millions * MILLION);
  });

  it('takes withholding tax of the whole amount, and no VAT, where the client named no VAT', () => {
    const cash = expectedCash(invoice({ faceValue: 100 * MILLION, vat: null }), both, rates);
    expect(cash).toEqual({ withholdingTax: 6 * MILLION, withheldVat: 0, expectedCash: 94 * MILLION });
  });

  it('takes VAT only of what it was charged on', () => {
    const cash = expectedCash(invoice({ faceValue: 109 * MILLION, vat: 9 * MILLION }), both, rates);
    expect([cash.withholdingTax, cash.withheldVat]).toEqual([6 * MILLION, 3 * MILLION]);
  });

  it.each([
    ['UGX', MILLION, 0],
    ['UGX', MILLION + 1, 60_000 * UGX],
    ['USD', 1000, 60],
  ])('withholds income tax above the threshold only: %s %i', (currencyCode, faceValue, tax) => {
    const cash = expectedCash(invoice({ currencyCode, faceValue, vat: null }), both, rates);
    expect(cash.withholdingTax).toBe(tax);
  });

  it('is less by credit notes, and never below nothing', () => {
    expect(expectedCash(invoice(), both, rates, 6 * MILLION).expectedCash).toBe(100 * MILLION);
    expect(expectedCash(invoice(), both, rates, 118 * MILLION).expectedCash).toBe(0);
  });

  it('withholds nothing at rates that are not there yet', () => {
    expect(expectedCash(invoice({ invoiceDate: '1999-12-31' }), both, rates).expectedCash).toBe(118 * MILLION);
  });
});

describe('the rates', () => {
  it('are those of the day, however they are listed', () => {
    const raised: TaxRate = { kind: 'vat', validFrom: '2027-07-01', rateBps: 2000, threshold: null };
    for (const listed of [
      [raised, ...rates],
      [...rates, raised],
    ]) {
      expect(ratesOn(listed, '2027-06-30').vat?.rateBps).toBe(1800);
      expect(ratesOn(listed, '2027-07-01').vat?.rateBps).toBe(2000);
    }
  });

  it('say how much VAT an amount contains', () => {
    expect(vatWithin(118 * MILLION, '2026-11-20', rates)).toBe(18 * MILLION);
    expect(vatWithin(118 * MILLION, '2026-11-20', [])).toBeUndefined();
  });
});

const amounts = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: MAXIMUM_AMOUNT_MINOR }));
const invoices = fc
  .tuple(amounts, fc.option(fc.double({ min: 0, max: 1, noNaN: true })), fc.constantFrom('UGX', 'USD'))
  .map(([faceValue, part, currencyCode]) =>
    invoice({ faceValue, currencyCode, vat: part === null ? null : Math.floor(faceValue * part) }),
  );
const buyers = fc.record({ withholdsTax: fc.boolean(), withholdsVat: fc.boolean() });
const anyRates = fc.array(
  fc.record({
    kind: fc.constantFrom('vat', 'withholdingTax', 'vatWithholding'),
    validFrom: fc.constantFrom('2000-01-01', '2026-11-20', '2026-11-21'),
    rateBps: fc.integer({ min: 0, max: 10_000 }),
    threshold: fc.option(amounts),
  }),
  { maxLength: 6 },
);

describe('for every invoice, buyer and table of rates', () => {
  it('the cash is from nothing to the face value, in whole minor units, and less with each deduction', () => {
    fc.assert(
      fc.property(invoices, buyers, anyRates, fc.integer({ min: 0, max: 1000 }), (given, buyer, table, credit) => {
        const { withholdingTax, withheldVat, expectedCash: cash } = expectedCash(given, buyer, table);
        expect([withholdingTax, withheldVat, cash].every((one) => Number.isSafeInteger(one) && one >= 0)).toBe(true);
        expect(cash).toBe(Math.max(0, given.faceValue - withholdingTax - withheldVat));
        expect(expectedCash(given, buyer, table, credit).expectedCash).toBe(Math.max(0, cash - credit));
        expect(expectedCash(given, neither, table).expectedCash).toBe(given.faceValue);
      }),
    );
  });

  it('the coverage reads less than 100 % exactly where something is missing', () => {
    fc.assert(
      fc.property(amounts, amounts, (cash, advance) => {
        const { tenths, isShort } = coverageOf(cash, advance);
        expect(tenths < 1000).toBe(isShort);
      }),
    );
  });

  it('the VAT within an amount is no more than was charged on the amount without it', () => {
    fc.assert(
      fc.property(amounts, (faceValue) => {
        const vat = vatWithin(faceValue, '2026-11-20', rates) ?? 0;
        expect(vat).toBeGreaterThanOrEqual(0);
        expect(vat).toBeLessThan(faceValue);
      }),
    );
  });
});
