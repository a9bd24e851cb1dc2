import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAmount } from '#contract/amounts/read-amount.ts';
import { regroup } from './regroup.ts';

const key = { byKey: true, forward: false, formatted: false };
const paste = { ...key, byKey: false };

describe('regroup', () => {
  it.each([
    ['123', '1234', 4, '1,234', 5],
    ['1,234', '1,2345', 6, '12,345', 6],
    ['1,234,567', '1,234,56', 8, '123,456', 7],
    ['1,234.50', '19,234.50', 2, '19,234.50', 2],
    ['1,234.50', '12,34.50', 5, '1,234.50', 5],
    ['1,234', '1234', 1, '1,234', 1],
    ['-1,234', '-1,2345', 7, '-12,345', 7],
    ['100', '00', 0, '00', 0],
  ])('after a key, %j is %j: the commas and the caret move', (before, after, caret, text, moved) => {
    expect(regroup({ before, after, caret, ...key })).toEqual({ text, caret: moved });
  });

  it('groups pasted digits, and no pasted comma is moved', () => {
    expect(regroup({ before: '', after: '1234567', caret: 7, ...paste }).text).toBe('1,234,567');
    for (const after of ['12,50', '1,25', '1,2345', '1.234.567,50', '1e6', '0850'])
      expect(regroup({ before: '1,250', after, caret: after.length, ...paste })).toEqual({
        text: after,
        caret: after.length,
      });
  });

  it('leaves commas and points that somebody types by hand', () => {
    let before = '';
    for (const character of '12,50') {
      const after = before + character;
      before = regroup({ before, after, caret: after.length, ...key, byKey: character !== ',' }).text;
    }
    expect(before).toBe('12,50');
    expect(regroup({ before: '850.00', after: '850.000', caret: 7, ...key }).text).toBe('850.000');
  });

  it('takes no third decimal behind decimals that we wrote', () => {
    expect(regroup({ before: '850.00', after: '850.000', caret: 7, ...key, formatted: true })).toEqual({
      text: '850.00',
      caret: 6,
    });
  });

  it('passes the comma that the delete key meets', () => {
    expect(regroup({ before: '1,234', after: '1234', caret: 1, ...key, forward: true })).toEqual({
      text: '1,234',
      caret: 2,
    });
  });

  it('writes the digits that were typed key by key, in groups that are read as they were meant', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999_999_999 }), (whole) => {
        let shown = '';
        for (const digit of String(whole).slice(0, 13)) {
          const after = shown + digit;
          shown = regroup({ before: shown, after, caret: after.length, ...key }).text;
        }
        return readAmount(shown, 'UGX').minor === Number(String(whole).slice(0, 13)) * 100;
      }),
    );
  });
});
