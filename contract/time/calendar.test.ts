import { describe, expect, it } from 'vitest';
import {
  addDays,
  daysBetween,
  isAfter,
  kampalaDate,
  kampalaTime,
  sayDay,
  sayDayAndMonth,
  sayLate,
  sayMoment,
} from './calendar.ts';

describe('the date in Kampala', () => {
  it.each([
    ['2026-11-20T20:59:59.999Z', '2026-11-20'],
    ['2026-11-20T21:00:00.000Z', '2026-11-21'],
    ['2026-12-31T21:00:00.000Z', '2027-01-01'],
    ['2024-02-28T21:30:00.000Z', '2024-02-29'],
  ])('at %s is %s', (instant, date) => {
    expect(kampalaDate(new Date(instant))).toBe(date);
  });

  it('compares with another as text', () => {
    expect(isAfter('2026-11-21', '2026-11-20')).toBe(true);
    expect(isAfter('2026-11-20', '2026-11-20')).toBe(false);
    expect(isAfter('2026-09-30', '2026-11-20')).toBe(false);
  });
});

describe('a day', () => {
  it.each([
    ['2026-11-20', 1, '2026-11-21'],
    ['2026-12-25', 30, '2027-01-24'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2026-11-20', 0, '2026-11-20'],
  ])('after %s by %i is %s', (date, days, later) => {
    expect(addDays(date, days)).toBe(later);
    expect([daysBetween(date, later), daysBetween(later, date)]).toEqual([days, days === 0 ? 0 : -days]);
  });
});

describe('an instant', () => {
  const now = new Date('2026-11-20T23:30:00+03:00');

  it('has a time of day in Kampala', () => {
    expect(kampalaTime(new Date('2026-11-20T13:20:59Z'))).toBe('16:20');
    expect(kampalaTime(new Date('2026-11-20T21:05:00Z'))).toBe('00:05');
  });

  it.each([
    ['2026-11-20T09:05:00+03:00', '09:05 today'],
    ['2026-11-21T00:10:00+03:00', '00:10 tomorrow'],
    ['2026-11-23T09:20:00+03:00', '09:20 on Mon 23 Nov'],
    ['2026-11-19T16:20:00+03:00', '16:20 on Thu 19 Nov'],
    ['2026-12-01T01:00:00+03:00', '01:00 on Tue 1 Dec'],
  ])('at %s is said as %s', (instant, said) => {
    expect(sayMoment(new Date(instant), now)).toBe(said);
    expect(sayDay(new Date(instant), now)).toBe(said.replace(/^[\d:]{5} (?:on )?/, ''));
  });
});

it('formats a date near now without its year, and a late decision with its promise', () => {
  expect([sayDayAndMonth('2026-12-22'), sayDayAndMonth('2027-01-03')]).toEqual(['22 Dec', '3 Jan']);
  expect([240, 60, 90].map(sayLate)).toEqual([
    'Past our 4-hour promise',
    'Past our 1-hour promise',
    'Past our 90-minute promise',
  ]);
});
