import { describe, expect, it } from 'vitest';
import { HOW_TO_WRITE, IN_FIGURES } from '#contract/amounts/read-amount.ts';
import {
  amount,
  amountOrZero,
  calendarDate,
  clearable,
  freeText,
  lookupId,
  optional,
  searchPhrase,
  text,
} from './fields.ts';

const date = calendarDate('Provide the invoice date');

function firstMessage(parsed: { success: boolean; error?: { issues: { message: string }[] } }): string | undefined {
  return parsed.error?.issues[0]?.message;
}

describe('a lookup id', () => {
  const id = lookupId('Select buyer');

  it.each([
    [7, 7],
    ['7', 7],
    ['0007', 7],
    [2_147_483_647, 2_147_483_647],
  ])('%o is %d', (given, parsed) => {
    expect(id.parse(given)).toBe(parsed);
  });

  it.each([0, -1, 1.5, 2_147_483_648, '', ' 7', '7.0', '0x7', '-7', null, undefined, true, [7], Number.NaN])(
    '%o is refused with the message of its field',
    (given) => {
      expect(firstMessage(id.safeParse(given))).toBe('Select buyer');
    },
  );
});

describe('an amount', () => {
  it.each([
    [0.01, 1],
    [1_000_000, 100_000_000],
    [0.1 + 0.7, 80],
    [9_999_999_999_999.99, 999_999_999_999_999],
  ])('%d is %d minor units', (given, minor) => {
    expect(amount('Amount is required').parse(Math.round(given * 100) / 100)).toBe(minor);
  });

  it.each(['1000', null, undefined, Number.NaN, Number.POSITIVE_INFINITY, 0, -1])(
    '%o is refused as missing',
    (given) => {
      expect(firstMessage(amount('Amount is required').safeParse(given))).toBe('Amount is required');
    },
  );

  it.each([1.001, 10_000_000_000_000, 1e300])('%d is refused for its size or its decimals', (given) => {
    expect(firstMessage(amount('Amount is required').safeParse(given))).toBe(
      'Use up to 2 decimals, and no more than 9,999,999,999,999.99',
    );
  });

  it.each([
    ['12,50', HOW_TO_WRITE],
    ['1.5m', IN_FIGURES],
  ])('says how to write %j, which a form kept as its text', (given, message) => {
    expect(firstMessage(amount('Amount is required').safeParse(given))).toBe(message);
    expect(firstMessage(optional(amountOrZero('Fees')).safeParse(given))).toBe(message);
    expect(firstMessage(clearable(amountOrZero('Fees')).safeParse(given))).toBe(message);
  });

  it('may be 0 only where a fee may round to nothing', () => {
    expect(amountOrZero('Fees').parse(0)).toBe(0);
    expect(firstMessage(amountOrZero('Fees').safeParse(-0.01))).toBe('Fees');
  });
});

describe('a calendar date', () => {
  it.each(['2026-11-20', '2024-02-29', '1900-01-01'])('%s is one', (given) => {
    expect(date.parse(given)).toBe(given);
  });

  it.each(['2026-02-30', '2025-02-29', '0000-01-01', '1899-12-31', '20-11-2026', '2026-11-20T00:00:00Z', '', 20261120])(
    '%o is none',
    (given) => {
      expect(firstMessage(date.safeParse(given))).toBe('Provide the invoice date');
    },
  );
});

describe('text', () => {
  const number = text(2, 'Provide an invoice number', 10);

  it('is trimmed and bounded', () => {
    expect(number.parse('  INV 7  ')).toBe('INV 7');
    expect(firstMessage(number.safeParse(' 7 '))).toBe('Provide an invoice number');
    expect(firstMessage(number.safeParse('x'.repeat(11)))).toBe('Use at most 10 characters');
  });

  it.each(['a\u0000b', 'a\nb', 'a\ud800b'])(
    '%j is refused, because PostgreSQL or a person would stumble over it',
    (given) => {
      expect(firstMessage(number.safeParse(given))).toBe('Remove characters that cannot be printed');
      expect(searchPhrase.safeParse(given).success).toBe(false);
    },
  );

  it.each([
    ['turned about', 'INV\u202e7'],
    ['isolated', 'INV\u20667'],
    ['marked right to left', 'INV\u200f7'],
    ['of Arabic', 'INV\u061c7'],
    ['zero-width space', 'INV\u200b7'],
    ['zero-width joiner', 'INV\u200d7'],
    ['byte order mark', 'INV\ufeff7'],
    ['soft hyphen', 'INV\u00ad7'],
    ['word joiner', 'INV\u20607'],
    ['grapheme joiner', 'INV\u034f7'],
    ['Hangul filler', 'INV\u31647'],
    ['variation selector', 'INV\ufe0f7'],
    ['tag', 'INV\u{e0041}7'],
    ['line separator', 'INV\u20287'],
    ['Braille blank', 'INV\u28007'],
  ])('is refused with invisible characters: %s', (_, given) => {
    expect(firstMessage(number.safeParse(given))).toBe(
      'It has characters that cannot be seen. Type it again, do not paste it',
    );
  });

  it.each(['Nº 7/26-B', 'Ssebo & Co', 'Nakiŋŋo', 'محمد', '李四 7', 'é\u0301', 'a\u00a0b'])('takes %j', (given) => {
    expect(number.parse(given)).toBe(given);
  });

  it('is counted in characters, as the database counts', () => {
    expect(firstMessage(number.safeParse('😀'))).toBe('Provide an invoice number');
    expect(number.parse('😀😀')).toBe('😀😀');
  });
});

describe('freeText', () => {
  const note = freeText(4, 'Write a note', 20);

  it.each([
    ['two\nlines', 'two\nlines'],
    ['two\r\nlines', 'two\nlines'],
    ['two\rlines', 'two\nlines'],
    ['a\r\n\r\nparagraph', 'a\n\nparagraph'],
    ['with a\ttab', 'with a tab'],
    ['\n trimmed \r\n', 'trimmed'],
  ])('%j is %j', (given, parsed) => {
    expect(note.parse(given)).toBe(parsed);
  });

  it('is bounded as it is kept', () => {
    expect(firstMessage(note.safeParse('\n\n\n\n'))).toBe('Write a note');
    expect(note.parse(`${'x\r\n'.repeat(9)}xx`)).toHaveLength(20);
    expect(firstMessage(note.safeParse('x'.repeat(21)))).toBe('Use at most 20 characters');
  });

  it.each(['text\u0000', 'text\u001b[31m', 'text\u0085text', 'text\ud800'])('%j is refused', (given) => {
    expect(firstMessage(note.safeParse(given))).toBe('Remove characters that cannot be printed');
  });
});

describe('an optional field', () => {
  it.each(['', null, undefined])('treats %o as absent', (given) => {
    expect(optional(lookupId('Select')).parse(given)).toBeUndefined();
  });

  it('is held to its schema where it is given', () => {
    expect(optional(lookupId('Select')).parse('3')).toBe(3);
    expect(optional(lookupId('Select')).safeParse('three').success).toBe(false);
  });
});
