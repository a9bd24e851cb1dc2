import { expect, it } from 'vitest';
import { counted, countedShort, formatCount, sayMinutes, sayWait } from './counts.ts';

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1_234_567, '1,234,567'],
  [-1200, '-1,200'],
])('a count %d is written as %s', (count, written) => {
  expect(formatCount(count)).toBe(written);
});

it.each([
  [0, '0 applications'],
  [1, '1 application'],
  [2, '2 applications'],
  [10_000, '10,000 applications'],
])('a count %d is said as %s', (count, said) => {
  expect(counted(count, 'application')).toBe(said);
});

it('a time is said in hours and minutes', () => {
  expect([18, 65, 0, -60, 121].map(sayMinutes)).toEqual([
    '18 minutes',
    '1 hour 5 minutes',
    'less than a minute',
    '1 hour',
    '2 hours 1 minute',
  ]);
});

it.each([
  [0.2, '1 second', '1 s'],
  [41.3, '42 seconds', '42 s'],
  [120, '120 seconds', '120 s'],
  [121, '3 minutes', '3 min'],
  [7200, '120 minutes', '120 min'],
  [7201, '3 hours', '3 h'],
])('a wait of %d s is rounded up: %s, or in short %s', (seconds, said, short) => {
  expect(sayWait(seconds)).toBe(said);
  expect(sayWait(seconds, countedShort)).toBe(short);
});
