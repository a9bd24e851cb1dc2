import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REPAYMENT_ALPHABET, readRepaymentReference, sayRepaymentReference } from './repayment-reference.ts';

/** Uses a different method from the product: it searches for the check character. */
function withCheck(body: string): string {
  const [found, ...others] = REPAYMENT_ALPHABET.split('').filter(
    (check) => typeof readRepaymentReference(body + check) === 'object',
  );
  expect(others).toEqual([]);
  return body + (found ?? '?');
}

const characters = REPAYMENT_ALPHABET.split('');
const body = fc.string({ unit: fc.constantFrom(...characters), minLength: 7, maxLength: 7 });

describe('a repayment reference', () => {
  it('has exactly one check character for each body', () => {
    const property = fc.property(body, (typed) => {
      expect(withCheck(typed)).toHaveLength(8);
    });
    fc.assert(property);
  });

  it('is read with spaces, dashes and small letters', () => {
    const reference = withCheck('ACDEFGH');
    expect(readRepaymentReference(` ${sayRepaymentReference(reference).toLowerCase()} `)).toEqual({ reference });
    expect(sayRepaymentReference(reference)).toMatch(/^ACDE-FGH.$/);
  });

  it('has no characters that are taken for another', () => {
    expect(new Set(characters).size).toBe(23);
    expect(REPAYMENT_ALPHABET).not.toMatch(/[0O1IL2Z5S8BUQ]/);
  });

  it('is recognised as mistyped with any other character in any place', () => {
    const property = fc.property(body, (typed) => {
      const reference = withCheck(typed);
      for (const [place, right] of reference.split('').entries()) {
        for (const wrong of characters.filter((one) => one !== right)) {
          const mistyped = reference.slice(0, place) + wrong + reference.slice(place + 1);
          expect(readRepaymentReference(mistyped)).toBe('mistyped');
        }
      }
    });
    fc.assert(property, { numRuns: 200 });
  });

  it('is recognised as mistyped with any two characters swapped', () => {
    // The sum is linear, so pairs of places with pairs of characters cover every case.
    for (let one = 0; one < 8; one += 1) {
      for (let other = one + 1; other < 8; other += 1) {
        for (const left of characters) {
          for (const right of characters.filter((character) => character !== left)) {
            expect(afterSwap(one, other, left, right)).toBe('mistyped');
          }
        }
      }
    }
  });

  it('is none with another length or other characters', () => {
    for (const typed of ['', 'ACDE', 'ACDEFGHJK', 'INV-2026', 'ACDE-FG0H'])
      expect(readRepaymentReference(typed)).toBeUndefined();
  });
});

/** A valid reference with two characters in two places, and how it reads with the two swapped. */
function afterSwap(one: number, other: number, left: string, right: string) {
  const places = Array.from({ length: 8 }, () => 'A');
  places[one] = left;
  places[other] = right;
  const free = [0, 1, 2].find((place) => place !== one && place !== other) ?? 0;
  const sound = characters.find((filler) => {
    places[free] = filler;
    return typeof readRepaymentReference(places.join('')) === 'object';
  });
  places[free] = sound ?? '?';
  places[one] = right;
  places[other] = left;
  return readRepaymentReference(places.join(''));
}
