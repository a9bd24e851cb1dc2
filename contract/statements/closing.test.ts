import { describe, expect, it } from 'vitest';
import { closingRefusalOf, dayStateOf, firstToDo } from './closing.ts';

describe('a day of an account', () => {
  it.each([
    ['differs', { open: 1, isClosed: false, hasStatement: true }],
    ['differs', { open: 1, isClosed: true, hasStatement: true }],
    ['differs', { open: 1, isClosed: false, hasStatement: false }],
    ['closed', { open: 0, isClosed: true, hasStatement: true }],
    ['closed', { open: 0, isClosed: true, hasStatement: false }],
    ['agrees', { open: 0, isClosed: false, hasStatement: true }],
    ['noStatement', { open: 0, isClosed: false, hasStatement: false }],
  ] as const)('%s: %o', (state, facts) => {
    expect(dayStateOf(facts)).toBe(state);
  });

  it('is the first to do if it is the earliest that differs, or agrees and is not closed', () => {
    const [closed, none] = [
      { day: '2026-11-01', state: 'closed' },
      { day: '2026-11-02', state: 'noStatement' },
    ] as const;
    expect(firstToDo([closed, none])).toBeUndefined();
    const days = [{ day: '2026-11-05', state: 'differs' }, closed, { day: '2026-11-04', state: 'agrees' }] as const;
    expect(firstToDo(days)).toBe('2026-11-04');
  });

  it.each([
    [null, { open: 0, isClosed: false, hasExplained: false }],
    ['OWN_EXPLANATION', { open: 0, isClosed: false, hasExplained: true }],
    ['DIFFERENCES_OPEN', { open: 2, isClosed: false, hasExplained: true }],
    ['DAY_CLOSED', { open: 1, isClosed: true, hasExplained: false }],
  ] as const)('is refused to be closed with %s: %o', (refusal, facts) => {
    expect(closingRefusalOf(facts)).toBe(refusal);
  });
});
