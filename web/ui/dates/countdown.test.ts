import { expect, it } from 'vitest';
import { formatClock } from './countdown.ts';

it('a clock shows minutes and seconds, or hours and minutes', () => {
  const shown = ['4:30', '1:00', '0:59', '0:18', '0:09', '0:00', '1:05', '0:05', '10:00'];
  expect([270, 60, 59, 18, 9, 0, 65, -5, 600].map(formatClock)).toEqual(shown);
});
