import { describe, expect, it } from 'vitest';
import { readSearch } from './people-search.ts';

describe('reading a search phrase', () => {
  it.each(['', '   ', ' \t\n', "'", '- %'])('is no search without letters and digits: %j', (typed) => {
    expect(readSearch(typed)).toBeUndefined();
  });

  it.each([
    ['0700 000 001', ['0700000001']],
    ['0700-000-001', ['0700000001']],
    ['+256700000001', ['256700000001', '0700000001']],
    ['+256 (0) 700 000.001', ['2560700000001', '0700000001']],
    ['\u202a00256 700000001\u202c', ['00256700000001', '0700000001']],
    ['700000001', ['700000001', '0700000001']],
    ['256 700 000 001', ['256700000001', '0700000001']],
    ['+256 (700) 000', ['256700000', '0700000']],
    ['+256', ['256']],
    ['25670', ['25670']],
  ])('takes the digits of %j for one number, %j', (typed, writings) => {
    expect(readSearch(typed)?.terms).toEqual([writings]);
  });

  it.each([
    ['Nabirye Sarah', [['nabirye'], ['sarah']]],
    ['  NABIRYE,  Sarah ', [['nabirye'], ['sarah']]],
    ['okello-odongo', [['okello'], ['odongo']]],
    ['O’Brien', [['obrien']]],
    ['Katónga-café', [['katonga'], ['cafe']]],
    ['sarah 0700-000 001', [['sarah'], ['0700000001']]],
    ['+256 700 000001 Sarah', [['256700000001', '0700000001'], ['sarah']]],
    ['user256700@example.ug', [['user256700exampleug']]],
  ])('looks for each word of %j', (typed, terms) => {
    expect(readSearch(typed)?.terms).toEqual(terms);
  });

  it('looks for the words as typed in the names of businesses', () => {
    expect(readSearch('Studio 2000 100')?.words).toEqual(['studio', '2000', '100']);
  });
});
