import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isLongEnough,
  meterColor,
  normalizePassword,
  passwordStrength,
  requirementScore,
  requirements,
  strengthHint,
} from './password.ts';
import { newPassword } from './schema.ts';

const lower = fc.constantFrom('a', 'b', 'y', 'z');
const upper = fc.constantFrom('A', 'B', 'Y', 'Z');
const number = fc.constantFrom('0', '1', '8', '9');
const symbol = fc.constantFrom('!', '-', '_', ' ', 'é', '£');
const allClasses = [lower, upper, number, symbol];

/** A password with exactly these character classes and this length. */
function passwordOf(
  classes: readonly fc.Arbitrary<string>[],
  minLength: number,
  maxLength: number,
): fc.Arbitrary<string> {
  const one = fc.tuple(...classes);
  const rest = fc.array(fc.oneof(...classes), {
    minLength: minLength - classes.length,
    maxLength: maxLength - classes.length,
  });
  return fc
    .tuple(one, rest)
    .chain(([first, more]) => fc.shuffledSubarray([...first, ...more], { minLength: first.length + more.length }))
    .map((characters) => characters.join(''));
}

const someClasses = (least: number, most: number) =>
  fc.shuffledSubarray(allClasses, { minLength: least, maxLength: most });

/** Asserts that every password of this kind has the strength with this id. */
function strengthIs(id: number, passwords: fc.Arbitrary<string>): void {
  fc.assert(
    fc.property(passwords, (password) => {
      expect(passwordStrength(password).id).toBe(id);
    }),
  );
}

describe('the strength of a password', () => {
  it.each([
    ['', 0, 'Too weak'],
    ['abcdefghijklmnop', 0, 'Too weak'],
    ['ab1de', 0, 'Too weak'],
    ['abc123', 1, 'Weak'],
    ['Abcdef1-', 2, 'Medium'],
    ['Abcdefg1-', 2, 'Medium'],
    ['Abcdefgh1-', 3, 'Strong'],
    ['Abcdefghijklmnop1', 1, 'Weak'],
    ['Kasente-demo-1', 3, 'Strong'],
  ])('of %j is id %i, %s', (password, id, level) => {
    expect(passwordStrength(password)).toEqual({ id, level });
  });

  it('is Strong with 4 classes from 10 characters, Medium from 8, Weak from 6', () => {
    strengthIs(3, passwordOf(allClasses, 10, 30));
    strengthIs(2, passwordOf(allClasses, 8, 9));
    strengthIs(1, passwordOf(allClasses, 6, 7));
    strengthIs(0, passwordOf(allClasses, 4, 5));
  });

  it('is Weak with 2 or 3 classes from 6 characters, and too weak with one however long', () => {
    strengthIs(
      1,
      someClasses(2, 3).chain((classes) => passwordOf(classes, 6, 40)),
    );
    strengthIs(
      0,
      someClasses(1, 1).chain((classes) => passwordOf(classes, 1, 40)),
    );
  });

  it('never falls when a character is added', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1, maxLength: 1 }), (password, more) => {
        expect(passwordStrength(password + more).id).toBeGreaterThanOrEqual(passwordStrength(password).id);
      }),
    );
  });

  it('has the specified hint, which is content above Weak', () => {
    expect(strengthHint('Abcdef1-')).toBe('Password is strong');
    expect(strengthHint('abcdef12')).toBe('Weak password. Include lower case, upper case, numbers and symbols.');
  });
});

describe('the requirement score', () => {
  it.each([
    ['', 0, 'red'],
    ['a', 20, 'red'],
    ['aA', 40, 'red'],
    ['aA1', 60, 'yellow'],
    ['aA1-', 80, 'yellow'],
    ['abcdefgh', 40, 'red'],
    ['Abcdef1-', 100, 'green'],
  ])('of %j is %i, %s', (password, score, color) => {
    expect(requirementScore(password)).toBe(score);
    expect(meterColor(requirementScore(password))).toBe(color);
  });

  it('is 100 minus an equal share for each requirement that is not met', () => {
    fc.assert(
      fc.property(fc.string(), (password) => {
        const unmet = requirements.filter(({ met }) => !met(password)).length;
        expect(requirementScore(password)).toBe(100 - 20 * unmet);
      }),
    );
  });

  it('turns yellow only above 50 and green only above 80', () => {
    expect([50, 50.1, 80, 80.1].map(meterColor)).toEqual(['red', 'yellow', 'yellow', 'green']);
  });
});

describe('a password in another writing', () => {
  it('is as strong as in the one that counts, and as long', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'B', '1', '１', 'Ａ', 'e\u0301', 'é', '-', '\ufdfa'),
      maxLength: 14,
    });
    fc.assert(
      fc.property(text, (typed) => {
        const normalized = normalizePassword(typed);
        expect(normalizePassword(normalized)).toBe(normalized);
        expect(passwordStrength(typed)).toEqual(passwordStrength(normalized));
        expect(requirementScore(typed)).toBe(requirementScore(normalized));
        expect(isLongEnough(typed)).toBe(newPassword('Too short').safeParse(typed).success);
      }),
    );
  });
});
