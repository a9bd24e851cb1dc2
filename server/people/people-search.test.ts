import { describe, expect, it } from 'vitest';
import { readSearch } from './people-search.ts';

describe('reading a search phrase', () => {
  it.each(['', '   ', ' \t\n'])('is no search when empty: %j', (typed) => {
    expect(readSearch(typed)).toBeUndefined();
  });

  it.each([
    ['0700 000 001', '0700000001'],
    ['0700-000-001', '0700000001'],
    ['+256700000001', '0700000001'],
    ['256 700 000 001', '0700000001'],
    ['+256 (700) 000', '0700000'],
    ['+256', '256'],
  ])('looks for %j also as the number is kept, %j', (typed, kept) => {
    expect(readSearch(typed)?.phrases).toEqual([typed, kept]);
  });

  it.each(['0700000001', '256', '25670', 'Sarah', 'sarah 256700000001', 'user256700@example.ug'])(
    'looks for %j as it is alone',
    (typed) => {
      expect(readSearch(typed)?.phrases).toEqual([typed]);
    },
  );

  it('takes runs of spaces as one', () => {
    expect(readSearch('  Sarah   Nabirye ')?.phrases).toEqual(['Sarah Nabirye']);
  });

  it.each([
    ['sar', true],
    ['sa', false],
    ['a b c d', false],
    ['%%%', false],
    ['ééé', false],
    ['é sarah', true],
    ['07 0', false],
  ])('of %j, the index can find it: %j', (typed, indexed) => {
    expect(readSearch(typed)?.indexed).toBe(indexed);
  });
});
