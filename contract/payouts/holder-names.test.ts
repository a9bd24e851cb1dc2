import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameHolder } from './holder-names.ts';

describe('isSameHolder', () => {
  it.each([
    ['Sarah Nabirye', 'SARAH NABIRYE'],
    ['Sarah Nabirye', 'NABIRYE SARAH'],
    ['Sarah Nabirye', '  Sarah   Nabirye '],
    ['Sarah Nabirye', 'S. Nabirye'],
    ['Sarah Nabirye', 'NABIRYE S'],
    ['Sarah Grace Nabirye', 'Nabirye S G'],
    ['Sarah G. Nabirye', 'Sarah Nabirye'],
    ['Mrs. Sarah Nabirye', 'Sarah Nabirye'],
    ['Hajji Musa Ssekandi', 'SSEKANDI MUSA'],
    ['Dr Josephine Kasozi', 'Prof. Josephine Kasozi'],
    ['Aimée Müller', 'AIMEE MULLER'],
    ["Ng'ang'a Peter", 'NGANGA PETER'],
    ['Okello-Oryem Henry', 'Henry Okello Oryem'],
    ['Mary Anne Auma', 'MARYANNE AUMA'],
    ['Nakatolwanga Ruth', 'Ruth Nakato Lwanga'],
    ['Nabirye', 'NABIRYE'],
  ])('takes %s and %s for one person', (account, provider) => {
    expect(isSameHolder(account, provider)).toBe(true);
  });

  it.each([
    ['Sarah Nabirye', 'Sarah Akello'],
    ['Sarah Nabirye', 'Susan Nabirye'],
    ['Sarah Nabirye', 'Sarah Grace Nabirye'],
    ['Sarah Grace Nabirye', 'Sarah Grace'],
    ['Sarah Nabirye', 'Sarah'],
    ['Sarah Nabirye', 'S N'],
    ['S N', 'S N'],
    ['Sarah Nabirye', 'R. Nabirye'],
    ['Sarah Sarah', 'Sarah Nabirye'],
    ['Mr', 'Mr'],
    ['', ''],
    ['Sarah Nabirye', ''],
    ['Sarah Nabirye', '•••'],
  ])('tells %s and %s apart', (account, provider) => {
    expect(isSameHolder(account, provider)).toBe(false);
  });

  const word = fc.stringMatching(/^[A-Z][a-z]{2,9}$/).filter((one) => !isTitle(one));
  const name = fc.array(fc.oneof(word, fc.stringMatching(/^[A-Z]\.?$/)), { minLength: 1, maxLength: 5 });
  const shuffled = name.chain((parts) =>
    fc.tuple(fc.constant(parts.join(' ')), fc.shuffledSubarray(parts, { minLength: parts.length })),
  );

  it('answers the same in every case and order, and both ways round', () => {
    fc.assert(
      fc.property(shuffled, shuffled, ([one, oneMixed], [other, otherMixed]) => {
        const answer = isSameHolder(one, other);
        expect(isSameHolder(oneMixed.join('  ').toUpperCase(), otherMixed.join(' ').toLowerCase())).toBe(answer);
        expect(isSameHolder(other, one)).toBe(answer);
      }),
    );
  });

  it('takes every name with a whole word for its own in another order, with initials for all words but the last', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), word, (given, surname) => {
        const full = [...given, surname].join(' ');
        const short = [surname, ...given.map((one) => `${one[0]}.`)].join(' ');
        expect(isSameHolder(full, full.toUpperCase())).toBe(true);
        expect(isSameHolder(full, short)).toBe(true);
      }),
    );
  });

  it('always tells another surname apart', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 3 }), word, word, (given, surname, another) => {
        fc.pre(surname.toLowerCase() !== another.toLowerCase());
        expect(isSameHolder([...given, surname].join(' '), [another, ...given].join(' '))).toBe(false);
      }),
    );
  });
});

/** Whether this single word is not a name, but for example a title. */
function isTitle(one: string): boolean {
  return !isSameHolder(one, one);
}
