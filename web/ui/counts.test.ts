import { expect, it } from 'vitest';
import { counted, formatCount } from './counts.ts';

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1_234_567, '1,234,567'],
  [-1200, '-1,200'],
])('writes %d as %s', (count, written) => {
  expect(formatCount(count)).toBe(written);
});

it.each([
  [0, '0 applications'],
  [1, '1 application'],
  [2, '2 applications'],
  [10_000, '10,000 applications'],
])('says of %d that it is %s', (count, said) => {
  expect(counted(count, 'application')).toBe(said);
});
