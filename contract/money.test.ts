import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatAmount,
  formatNumeric,
  fromMinor,
  MAXIMUM_AMOUNT_MINOR,
  minorToNumeric,
  numericToMinor,
  share,
  sumNumeric,
  toMinor,
} from './money.ts';

/**
 * Money compared with oracles that share no code with it: exact fractions of BigInt, decimal text and the platform's
 * own formatting. Together with applications/quote.test.ts, a million generated cases.
 */

const minorUnits = fc.oneof(
  fc.integer({ min: 0, max: 1000 }),
  fc.integer({ min: 0, max: 10_000_000 }),
  fc.integer({ min: 0, max: MAXIMUM_AMOUNT_MINOR }),
);
const signedMinorUnits = fc.tuple(minorUnits, fc.boolean()).map(([minor, negative]) => (negative ? 0 - minor : minor));

/** The decimal text, from the last two digits and the digits before them. */
function decimalText(minor: number): string {
  const size = BigInt(Math.abs(minor));
  return `${minor < 0 ? '-' : ''}${size / 100n}.${(size % 100n).toString().padStart(2, '0')}`;
}

describe('toMinor and fromMinor', () => {
  it('agree for every amount that the wire takes, also through JSON', () => {
    fc.assert(
      fc.property(signedMinorUnits, (minor) => {
        const amount = fromMinor(minor);
        const json = JSON.stringify(amount);
        return (
          Number(decimalText(minor)) === amount && toMinor(JSON.parse(json)) === minor && /^-?\d+(\.\d\d?)?$/.test(json)
        );
      }),
      { numRuns: 150_000 },
    );
  });

  it('take a number exactly when it is written with at most 2 decimals and is in range', () => {
    const quotients = fc.tuple(
      fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
      fc.constantFrom(1, 10, 100, 1000),
    );
    const numbers = fc.oneof(
      fc.double({ noNaN: true }),
      fc.double({ min: -1e13, max: 1e13, noNaN: true }),
      quotients.map(([dividend, divisor]) => dividend / divisor),
    );
    fc.assert(
      fc.property(numbers, (amount) => {
        const written = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(String(amount));
        const size = written && BigInt(`${written[2]}${(written[3] ?? '').padEnd(2, '0')}`);
        const inRange = size !== null && size <= 999_999_999_999_999n;
        const minor = toMinor(amount);
        if (!inRange) return minor === undefined;
        return minor !== undefined && BigInt(minor) === (written?.[1] === '-' ? -size : size);
      }),
      { numRuns: 150_000 },
    );
  });

  it.each([
    [0.01, 1],
    [0.1 + 0.2, undefined],
    [1.005, undefined],
    [1_000_000, 100_000_000],
    [9_999_999_999_999.99, 999_999_999_999_999],
    [10_000_000_000_000, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [5e-324, undefined],
  ])('reads %d as %s minor units', (amount, minor) => {
    expect(toMinor(amount)).toBe(minor);
  });
});

describe('minorToNumeric and numericToMinor', () => {
  it('write and read NUMERIC(15,2) without losing a unit', () => {
    fc.assert(
      fc.property(signedMinorUnits, (minor) => {
        const text = minorToNumeric(minor);
        return text === decimalText(minor) && numericToMinor(text) === minor;
      }),
      { numRuns: 100_000 },
    );
  });

  it.each([
    ['0', 0],
    ['12', 1200],
    ['12.5', 1250],
    ['12.5000', 1250],
    ['-0.01', -1],
  ])('reads %s', (text, minor) => {
    expect(numericToMinor(text)).toBe(minor);
  });

  it.each(['0.001', '', '1e3', 'NaN', '1,000.00', '99999999999999999999'])('refuses %j', (text) => {
    expect(() => numericToMinor(text)).toThrow(new RangeError(`not an amount of money: ${text}`));
  });
});

describe('share', () => {
  it('is the exact fraction, rounded half up or down to a whole unit', () => {
    const denominators = fc.oneof(
      fc.constantFrom(10_000, 1000, 2, 3),
      fc.integer({ min: 1, max: MAXIMUM_AMOUNT_MINOR }),
    );
    fc.assert(
      fc.property(minorUnits, fc.integer({ min: 0, max: 10_000 }), denominators, (amount, numerator, denominator) => {
        const [n, d] = [BigInt(amount) * BigInt(numerator), BigInt(denominator)];
        fc.pre(n / d <= BigInt(Number.MAX_SAFE_INTEGER));
        // Rounded down, x is the one whole number with x <= n/d < x + 1; half up, with x - 1/2 <= n/d < x + 1/2.
        const down = BigInt(share(amount, numerator, denominator, 'down'));
        const halfUp = BigInt(share(amount, numerator, denominator, 'halfUp'));
        const isDown = down * d <= n && n < (down + 1n) * d;
        const isHalfUp = (2n * halfUp - 1n) * d <= 2n * n && 2n * n < (2n * halfUp + 1n) * d;
        return isDown && isHalfUp;
      }),
      { numRuns: 200_000 },
    );
  });
});

describe('formatAmount', () => {
  it('groups thousands by commas and shows up to 2 decimals, or always 2', () => {
    fc.assert(
      fc.property(signedMinorUnits, (minor) => {
        const [whole = '', cents = ''] = decimalText(minor).replace('-', '').split('.');
        const grouped = `${minor < 0 ? '-' : ''}${BigInt(whole).toLocaleString('en-US')}`;
        const oracle = cents === '00' ? grouped : `${grouped}.${cents.endsWith('0') ? cents[0] : cents}`;
        return formatAmount(minor, 2) === `${grouped}.${cents}` && formatAmount(minor) === oracle;
      }),
      { numRuns: 100_000 },
    );
  });

  it.each([
    [null, '-'],
    [undefined, '-'],
    [0, '0'],
    [1, '0.01'],
    [100_000_000, '1,000,000'],
    [123_456_789, '1,234,567.89'],
    [150, '1.5'],
    [-123_450, '-1,234.5'],
  ])('writes %s as %s', (minor, text) => {
    expect(formatAmount(minor)).toBe(text);
  });

  it.each([
    ['1234567', '1,234,567', '1,234,567.00'],
    ['1234567.50', '1,234,567.5', '1,234,567.50'],
    ['-0.10', '-0.1', '-0.10'],
  ])('writes the sum %s', (numeric, text, withBoth) => {
    expect([formatNumeric(numeric), formatNumeric(numeric, 'upTo2'), formatNumeric(numeric, 2)]).toEqual([
      text,
      text,
      withBoth,
    ]);
  });

  it('writes both decimals for forms', () => {
    expect(formatAmount(100_000_000, 2)).toBe('1,000,000.00');
    expect(formatAmount(null, 2)).toBe('-');
  });
});

it('sums of decimal texts are exact to the cent, beyond what a number holds', () => {
  expect(sumNumeric([])).toBe('0.00');
  expect(sumNumeric(['0.05', '0.00'])).toBe('0.05');
  expect(sumNumeric(['0.05', '-0.10'])).toBe('-0.05');
  expect(sumNumeric(['-1200.00', '-34.50'])).toBe('-1234.50');
  expect(sumNumeric(['98999999999999.56', '1000000000000.44', '0.01'])).toBe('100000000000000.01');
});
