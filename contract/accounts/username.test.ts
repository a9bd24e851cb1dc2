import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUsername } from './username.ts';

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((all) => all.join(''));
const separators = fc.constantFrom(
  ...['', '', '', ' ', '  ', '\u00a0', '\t', '\u2007', '\u3000', '-', '\u2010', '\u2011', '\u2013', '\u2014', '\u2212'],
  ...['.', '\u00b7', '/', '\u2044', '(', ')', '[', ']', "'", '_', ','],
  ...['\u200b', '\u200e', '\u200f', '\u202a', '\u202c', '\u2068', '\u2069', '\u00ad', '\ufeff', '\u2060'],
);
const prefixes = ['0', '', '+256', '256', '00256', '000256', '+2560', '2560', '002560'];

describe('a username', () => {
  it('is one phone number whatever stands between its digits and in front of its national number', () => {
    fc.assert(
      fc.property(
        digits(8),
        fc.constantFrom(...prefixes),
        fc.array(separators, { minLength: 20, maxLength: 20 }),
        (rest, prefix, gaps) => {
          const typed = Array.from(`${prefix}7${rest}`, (character, index) => `${gaps[index]}${character}`).join('');
          expect(readUsername(`${typed}${gaps[19]}`)).toEqual({ kind: 'phone', value: `07${rest}` });
        },
      ),
    );
  });

  it.each([
    '\u202a+256 700000001\u202c',
    '\u2068+256 700000001\u2069',
    '\u200e0700000001',
    '0700000001\u200b',
    '0700\u2011000001',
    '0700-000-001',
    '0700.000.001',
    '(0700) 000001',
    '+256 (0) 700000001',
    '(+256) 700 000 001',
    '+2560700000001',
    '+256-0700-000-001',
    '+ 256 700000001',
    '00256700000001',
    '00 256 (0)700 000 001',
    '000256700000001',
    '700000001',
    '0700/000001',
    'tel:+256-700-000-001',
    'Tel: 0700 000 001',
    '０７００ ０００ ００１',
    '＋２５６７０００００００１',
    '٠٧٠٠٠٠٠٠٠١',
    '۰۷۰۰۰۰۰۰۰۱',
    "'0700000001",
    '\u{1f4de} 0700 000 001',
  ])('is 0700000001 written as %j', (typed) => {
    expect(readUsername(typed)).toEqual({ kind: 'phone', value: '0700000001' });
  });

  it('may be any number of 07 and 8 digits: a library does not judge it', () => {
    for (const number of ['0700000001', '0730000000', '0799999999']) {
      expect(readUsername(number)).toEqual({ kind: 'phone', value: number });
    }
  });

  it.each([
    '',
    '0414123456',
    '077123456',
    '07712345678',
    '+25477123456',
    '+0771234567',
    '1256771234567',
    '+256414123456',
    '0312 345 678',
    '+254722123456',
    '00254722123456',
    '+700000001',
    '00700000001',
    '+1 256 700 0000',
    '256-700-0000',
    '256256700000001',
    '07OO000001',
    'O700000001',
    '0700 000 00I',
    '0700*00001',
    '*165*0700000001#',
    '0700000001 / 0700000002',
    '0700000001;ext=5',
    '0700+000001',
    '++256700000001',
    '\u200b\u202a',
  ])('is not %j', (typed) => {
    expect(readUsername(typed)).toBeUndefined();
  });

  it('is an e-mail address in lower case', () => {
    fc.assert(
      fc.property(fc.emailAddress({ size: 'small' }), (address) => {
        const read = readUsername(` ${address.toUpperCase()} `);
        // Quoted local parts and other exotic addresses aren't accepted; an accepted address is kept in lower case.
        if (read !== undefined) expect(read).toEqual({ kind: 'email', value: address.toLowerCase() });
      }),
    );
    expect(readUsername('Sarah.Nabirye+shop@Mail.Example.CO.UG')).toEqual({
      kind: 'email',
      value: 'sarah.nabirye+shop@mail.example.co.ug',
    });
  });

  it.each([
    'a@b',
    '@mail.ug',
    'a b@mail.ug',
    'a@mail..ug',
    'a@-mail.ug',
    'a@mail-.ug',
    'a@mail.ug\nb@mail.ug',
    'a@b@mail.ug',
    `${'a'.repeat(65)}@mail.ug`,
    `a@${'b'.repeat(250)}.ug`,
    '<a@mail.ug>',
    'a,b@mail.ug',
  ])('is not the e-mail address %j', (typed) => {
    expect(readUsername(typed)).toBeUndefined();
  });

  it('is an e-mail address of 254 characters at most, of labels of any length, with spaces around it', () => {
    const longest = `a@${'b'.repeat(249)}.ug`;
    expect(readUsername(longest)).toEqual({ kind: 'email', value: longest });
    expect(readUsername(longest.replace('a@', 'aa@'))).toBeUndefined();
    expect(readUsername(' a@b.c.ug\t')).toEqual({ kind: 'email', value: 'a@b.c.ug' });
    for (const typed of ['\u202aa@b.c.ug\u202c', '\ufeffa@b.c.ug', 'a@b.c.ug\u200b', '\u00a0A@b\u00ad.c.ug\u2069 '])
      expect(readUsername(typed)).toEqual({ kind: 'email', value: 'a@b.c.ug' });
    expect(readUsername('a@b.c')).toEqual({ kind: 'email', value: 'a@b.c' });
  });

  it('may have 256 in the middle of a number', () => {
    expect(readUsername('0772563456')).toEqual({ kind: 'phone', value: '0772563456' });
  });

  it('read again is itself', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.emailAddress(),
          digits(8).map((rest) => `+2567${rest}`),
        ),
        (typed) => {
          const read = readUsername(typed);
          if (read !== undefined) expect(readUsername(read.value)).toEqual(read);
        },
      ),
    );
  });

  it('is looked for in linear time', () => {
    const before = performance.now();
    for (const typed of [
      `${'a'.repeat(60_000)}@`,
      `a@${'a-'.repeat(30_000)}`,
      `a@${'a.'.repeat(30_000)}!`,
      '2 '.repeat(30_000),
      '\u202a-'.repeat(30_000),
      'tel'.repeat(20_000),
    ]) {
      expect(readUsername(typed)).toBeUndefined();
    }
    expect(performance.now() - before).toBeLessThan(500);
  });
});
