import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUsername } from './username.ts';

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((all) => all.join(''));
const spaces = fc.constantFrom('', ' ', '  ', '\u00a0', '\t');

describe('a username', () => {
  it('is one number however it is written: 07…, +2567…, 2567…, with spaces anywhere', () => {
    fc.assert(
      fc.property(
        digits(8),
        fc.constantFrom('0', '+256', '256'),
        fc.array(spaces, { minLength: 16, maxLength: 16 }),
        (rest, prefix, gaps) => {
          const typed = `${prefix}7${rest}`
            .split('')
            .map((character, index) => `${gaps[index] ?? ''}${character}`)
            .join('');
          expect(readUsername(`${typed}${gaps[15] ?? ''}`)).toEqual({ kind: 'phone', value: `07${rest}` });
        },
      ),
    );
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
    '00256771234567',
    '0771-234-567',
    '07712345６7',
    '+0771234567',
    '256 0771234567',
    '1256771234567',
  ])('is not %j', (typed) => {
    expect(readUsername(typed)).toBeUndefined();
  });

  it('is an e-mail address in lower case', () => {
    fc.assert(
      fc.property(fc.emailAddress({ size: 'small' }), (address) => {
        const read = readUsername(` ${address.toUpperCase()} `);
        // Quoted local parts and the like are left out; what is taken is the address in lower case.
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
    ]) {
      expect(readUsername(typed)).toBeUndefined();
    }
    expect(performance.now() - before).toBeLessThan(500);
  });
});
