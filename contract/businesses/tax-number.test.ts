import { describe, expect, it } from 'vitest';
import { readTaxNumber } from './tax-number.ts';

describe('a tax number', () => {
  it.each([
    ['a TIN', '1001234567', '1001234567'],
    ['a TIN in groups', ' 100 123-4567 ', '1001234567'],
    ['a TIN with a no-break space and an invisible mark', '100\u00a01234567\u200b', '1001234567'],
    ['a TIN in full-width digits', '１００１２３４５６７', '1001234567'],
    ['a TIN in Arabic digits', '١٠٠١٢٣٤٥٦٧', '1001234567'],
    ['a NIN', 'CM91105101CLWQ', 'CM91105101CLWQ'],
    ['a NIN in small letters and groups', 'cf 9110 5101 clwq', 'CF91105101CLWQ'],
    ['a NIN with Cyrillic letters', 'СМ91105101СLWQ', 'CM91105101CLWQ'],
    ['a NIN with Greek letters', 'CΜ91105101CLWQ', 'CM91105101CLWQ'],
    ['a URSB number', '80020001234567', '80020001234567'],
    ['a URSB number in groups', '8002 0001-234567', '80020001234567'],
    ['a short URSB number with letters', 'p.1234', 'P1234'],
    ['a short URSB number with a slash', 'bn/123456', 'BN123456'],
  ])('is %s', (_, typed, read) => {
    expect(readTaxNumber(typed)).toBe(read);
    expect(readTaxNumber(read)).toBe(read);
  });

  it.each([
    ['nothing', ''],
    ['separators only', ' - '],
    ['the beginning of a TIN', '100 123'],
    ['a TIN without its last digit', '100123456'],
    ['a TIN with a digit too many', '10012345678'],
    ['a TIN with letters for digits', '1OO1234567'],
    ['a TIN with a letter at the end', '100123456X'],
    ['a TIN with text around it', 'TIN 1001234567'],
    ['a NIN without its last letter', 'CM91105101CLW'],
    ['a NIN with a letter too many', 'CM91105101CLWQE'],
    ['a NIN that begins with digits', '91105101CLWQCM'],
    ['fourteen letters', 'KAMPALATRADERS'],
    ['a URSB number without its last digit', '8002000123456'],
    ['a URSB number with a digit too many', '800200012345678'],
    ['a letter and three digits', 'P123'],
    ['a letter and eight digits', 'P12345678'],
    ['three letters before the digits', 'ABC1234'],
    ['other punctuation', '100123_4567'],
  ])('is not %s', (_, typed) => {
    expect(readTaxNumber(typed)).toBeUndefined();
  });
});
