import { describe, expect, it } from 'vitest';
import { countedShort } from '#contract/counts.ts';
import { formatFormDate, formatFullDate, formatTableDate, sayElapsed } from './dates.ts';

/** 01:30 on 20 November in Kampala, still the 19th in UTC. */
const now = new Date('2026-11-19T22:30:00Z');

describe('a date in a table', () => {
  it.each([
    ['2026-11-20', 'today'],
    ['2026-11-19', 'yesterday'],
    ['2026-11-18', '2 days ago'],
    ['2026-11-13', '7 days ago'],
    ['2026-11-12', '2026 Nov, 12'],
    ['2025-01-02', '2025 Jan, 2'],
    ['2026-11-21', '2026 Nov, 21'],
  ])('%s is %s', (date, shown) => {
    expect(formatTableDate(date, now)).toBe(shown);
  });

  it.each([
    ['2026-11-19T22:29:31Z', 'just now'],
    ['2026-11-19T22:31:00Z', 'just now'],
    ['2026-11-19T22:29:00Z', '1 minute ago'],
    ['2026-11-19T21:31:00Z', '59 minutes ago'],
    ['2026-11-19T21:30:00Z', '1 hour ago'],
    ['2026-11-18T22:31:00Z', '23 hours ago'],
    ['2026-11-18T22:30:00Z', 'yesterday'],
    ['2026-11-18T20:59:00Z', '2 days ago'],
    ['2026-11-12T22:30:00Z', '7 days ago'],
    ['2026-11-12T22:29:59.999Z', '2026 Nov, 13'],
    ['2026-11-12T20:59:00Z', '2026 Nov, 12'],
  ])('the instant %s is %s', (instant, shown) => {
    expect(formatTableDate(instant, now)).toBe(shown);
  });

  it("is '-' when missing", () => {
    expect(formatTableDate(null, now)).toBe('-');
    expect(formatFormDate(null)).toBe('-');
  });
});

it.each([
  [-1000, 'just now'],
  [59_999, 'just now'],
  [60_000, '1 min ago'],
  [60 * 60_000 - 1, '59 min ago'],
  [60 * 60_000, '1 h ago'],
  [24 * 60 * 60_000 - 1, '23 h ago'],
  [3 * 24 * 60 * 60_000, '3 d ago'],
])('what was %d ms ago was, in short, %s', (elapsed, said) => {
  expect(sayElapsed(elapsed, countedShort)).toBe(said);
});

describe('a date in full', () => {
  it('has a time where there is one, by the clock of Kampala', () => {
    expect(formatFullDate('2026-11-02')).toBe('2 Nov 2026');
    expect(formatFullDate('2026-11-19T22:05:00Z')).toBe('20 Nov 2026, 01:05');
  });
});
