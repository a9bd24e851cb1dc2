import { describe, expect, it } from 'vitest';
import { dateOrTyped, readTypedDate } from './typed-date.ts';

describe('a date that somebody typed', () => {
  it.each([
    ['1 Nov 2026', '2026-11-01'],
    ['01 november 2026', '2026-11-01'],
    ['1/11/2026', '2026-11-01'],
    ['01-11-2026', '2026-11-01'],
    ['1.11.2026', '2026-11-01'],
    [' 29 Feb 2024 ', '2024-02-29'],
    ['2026-11-01', '2026-11-01'],
  ])('%j is %s', (typed, date) => {
    expect(readTypedDate(typed)).toBe(date);
  });

  it.each([
    '',
    '1',
    '1 Nov',
    '1 Nov 20',
    '1/11/26',
    '31 Feb 2026',
    '29 Feb 2026',
    '1 Xyz 2026',
    '13/13/2026',
    '2026-13-01',
  ])('%j is not one, or not one yet', (typed) => {
    expect(readTypedDate(typed)).toBeNull();
  });

  it.each([
    ['5 Jan 2026', '2026-01-05'],
    [' 31 Feb 2026 ', '31 Feb 2026'],
    ['soon', 'soon'],
    ['  ', ''],
  ])('%j stays in the form as %j', (typed, kept) => {
    expect(dateOrTyped(typed)).toBe(kept);
  });
});
