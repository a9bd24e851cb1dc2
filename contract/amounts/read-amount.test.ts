import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAmount, MAXIMUM_AMOUNT_MINOR } from '#contract/money.ts';
import { HOW_TO_WRITE, IN_FIGURES, readAmount, TOO_LARGE } from './read-amount.ts';

const MINOR = 100;

describe('readAmount', () => {
  it.each([
    ['1250', 1250],
    ['1,250', 1250],
    ['1,234,567.50', 1_234_567.5],
    ['1234567.5', 1_234_567.5],
    ['0.50', 0.5],
    ['0850000', 850_000],
    ['12.', 12],
    ['850.000', 850_000],
    ['1.234', 1234],
    ['1.234.567', 1_234_567],
    ['850 000', 850_000],
    ['1 234 567.50', 1_234_567.5],
    ['1\u00a0234\u202f567', 1_234_567],
    ['1\u2009234\u2009567', 1_234_567],
    ['1’234’567', 1_234_567],
    ['\u202a850,000\u202c', 850_000],
    [' 850,000\n', 850_000],
    ['UGX 850,000/=', 850_000],
    ['UGX850,000', 850_000],
    ['ugx 850.000', 850_000],
    ['USh. 850,000', 850_000],
    ['Shs 850,000', 850_000],
    ['850,000/-', 850_000],
    ['850,000 UGX', 850_000],
    ['850,000/= UGX', 850_000],
    ['-5', -5],
    ['\u2212850,000', -850_000],
    ['-0', 0],
    ['9,999,999,999,999.99', 9_999_999_999_999.99],
  ])('reads %j in shillings as %d', (text, amount) => {
    expect(readAmount(text, 'UGX')).toEqual({ minor: Math.round(amount * MINOR) });
  });

  it.each([
    '12,50',
    '1,5',
    '1234567,50',
    '1.234.567,50',
    '1234567.555',
    '1,234.567',
    '1.234,567',
    '1 234,567',
    '12,34,567',
    '1,2345',
    '0.500',
    '0,500',
    '1234.567',
    '12 50',
    ',50',
    '.50',
    '12,',
    '1,234,56',
    '(850,000)',
    '+850,000',
    '850,000-',
    '--5',
    '1-2',
    '',
    '-',
  ])('refuses %j in shillings and says how to write it', (text) => {
    expect(readAmount(text, 'UGX')).toEqual({ problem: HOW_TO_WRITE });
  });

  it.each(['1e6', '1.5m', '1.5 million', '2 million', '850k', '1/2', '10²', '½', '0x10', 'USD 500', '٨٥٠', 'ten', '='])(
    'wants %j in figures',
    (text) => {
      expect(readAmount(text, 'UGX')).toEqual({ problem: IN_FIGURES });
    },
  );

  it.each(['10,000,000,000,000', '99999999999999', '9999999999999999999999999'])('refuses %j as too large', (text) => {
    expect(readAmount(text, 'UGX')).toEqual({ problem: TOO_LARGE });
  });

  it('takes no long text for an amount', () => {
    expect(readAmount(`${' '.repeat(100_000)}1`, 'UGX')).toEqual({ problem: IN_FIGURES });
  });

  it.each(['USD', undefined])('does not know in %s whether a single point is decimal', (currency) => {
    expect(readAmount('850.000', currency)).toEqual({ problem: HOW_TO_WRITE });
    expect(readAmount('1.234.567', currency)).toEqual({ minor: 123_456_700 });
  });

  it('reads the marks of the amount’s own currency only', () => {
    expect(readAmount('US$ 1,250.50', 'USD')).toEqual({ minor: 125_050 });
    expect(readAmount('$1,250', 'USD')).toEqual({ minor: 125_000 });
    expect(readAmount('UGX 1,250', 'USD')).toEqual({ problem: IN_FIGURES });
    expect(readAmount('UGX 1,250', undefined)).toEqual({ problem: IN_FIGURES });
  });

  const minorUnits = fc.integer({ min: 0, max: MAXIMUM_AMOUNT_MINOR });
  const currencies = fc.constantFrom('UGX', 'USD', undefined);

  it('reads back whatever the product writes, in every currency', () => {
    fc.assert(
      fc.property(minorUnits, currencies, (minor, currency) => {
        const texts = [formatAmount(minor), formatAmount(minor, 2), (minor / MINOR).toFixed(2)];
        return texts.every((text) => readAmount(text, currency).minor === minor);
      }),
      { numRuns: 20_000 },
    );
  });

  it('never changes a digit: an amount that is read has the digits of its text', () => {
    const text = fc.string({ unit: fc.constantFrom(...'0123456789.,, \u00a0-'.split('')), maxLength: 24 });
    fc.assert(
      fc.property(text, currencies, (typed, currency) => {
        const { minor } = readAmount(typed, currency);
        if (minor === undefined) return true;
        const digits = typed.replaceAll(/\D/g, '').replace(/^0+/, '');
        return [0, 1, 2].some((decimals) => Math.abs(minor) === Number(digits) * 10 ** decimals);
      }),
      { numRuns: 50_000 },
    );
  });

  it('reads no amount differently in two currencies', () => {
    const text = fc.string({ unit: fc.constantFrom(...'0123456789.,,  '.split('')), maxLength: 16 });
    fc.assert(
      fc.property(text, (typed) => {
        const read = ['UGX', 'USD', undefined].flatMap((currency) => readAmount(typed, currency).minor ?? []);
        return new Set(read).size <= 1;
      }),
      { numRuns: 50_000 },
    );
  });
});
