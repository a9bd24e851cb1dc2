import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referenceKey } from './reference-key.ts';

const everyCharacter = Array.from({ length: 0x11_00_00 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

describe("a reference's key", () => {
  it('has no space, dash, control, direction or invisible character', () => {
    const leftOut = /[\p{Z}\p{Pd}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}]/u;
    const kept = everyCharacter.filter((one) => leftOut.test(one) && referenceKey(one) !== '');
    expect(kept.map((one) => one.codePointAt(0)?.toString(16))).toEqual([]);
  });

  it('has every letter and digit, of whatever script', () => {
    const outlinedDigits = /[\u{1ccf0}-\u{1ccf9}]/u; // since Unicode 16
    const isKept = (one: string): boolean => /[\p{Lu}\p{Ll}\p{Nd}]/u.test(one) && !outlinedDigits.test(one);
    const lost = everyCharacter.filter((one) => isKept(one) && referenceKey(one) === '');
    expect(lost.map((one) => one.codePointAt(0)?.toString(16))).toEqual([]);
  });

  it.each([
    ['a dash', 'MP-100'],
    ['an en dash', 'MP–100'],
    ['a minus sign', 'MP−100'],
    ['a no-break space', 'MP\u00a0100'],
    ['a narrow no-break space', 'MP\u202f100'],
    ['a line break', 'MP\r\n100'],
    ['a tab', '\tMP100'],
    ['a zero-width space', 'MP\u200b100'],
    ['a byte order mark', '\ufeffMP100'],
    ['a soft hyphen', 'MP\u00ad100'],
    ['direction marks', '\u202aMP100\u202c\u200e'],
    ['an emoji selector', 'MP100\ufe0f'],
    ['a blank Hangul letter', 'MP\u3164100'],
    ['a blank Braille pattern', 'MP\u2800100'],
    ['a leading apostrophe', "'MP100"],
    ['a curly apostrophe', '’MP100'],
    ['small letters', 'mp100'],
    ['full-width letters and digits', 'ＭＰ１００'],
    ['mathematical letters', '𝐌𝐏𝟏𝟎𝟎'],
    ['an accent', 'ḾP100'],
    ['dots and slashes', 'MP.100/'],
  ])('is the same with %s', (_, written) => {
    expect(referenceKey(written)).toBe('mp100');
  });

  it('has no leading zeros if it is a number', () => {
    expect(['0036344', '36344', '00', "'0036344", 'A007'].map(referenceKey)).toEqual([
      '36344',
      '36344',
      '0',
      '36344',
      'a007',
    ]);
  });

  it('of a key is the key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (one) => referenceKey(referenceKey(one)) === referenceKey(one)),
    );
  });
});
