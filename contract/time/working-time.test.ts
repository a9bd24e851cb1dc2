import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from './calendar.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';
import { addWorkingTime, payingDayFrom, workingDaysBefore, workingTimeBetween } from './working-time.ts';

/** Compares working time with a naive oracle that walks through Kampala's calendar minute by minute. */

const kampala = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Africa/Kampala',
  weekday: 'short',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  hourCycle: 'h23',
});

interface Hour {
  readonly weekday: string;
  readonly date: string;
  readonly hour: number;
}

const hours = new Map<number, Hour>();

/** The hour of an instant according to the runtime's time zones. Cached, because that is slow. */
function hourOf(time: number): Hour {
  const key = Math.floor(time / HOUR_MS);
  const known = hours.get(key);
  if (known !== undefined) return known;
  const parts = Object.fromEntries(kampala.formatToParts(time).map(({ type, value }) => [type, value]));
  const hour = {
    weekday: parts.weekday ?? '',
    date: `${parts.year}-${parts.month}-${parts.day}`,
    hour: Number(parts.hour),
  };
  hours.set(key, hour);
  return hour;
}

/** Whether the minute that begins then is working time, directly by the rule. */
function isWorkingMinute(time: number, holidays: ReadonlySet<string>): boolean {
  const { weekday, date, hour } = hourOf(time);
  return weekday !== 'Sat' && weekday !== 'Sun' && !holidays.has(date) && hour >= 8 && hour < 17;
}

function oracleBetween(since: number, until: number, holidays: ReadonlySet<string>): number {
  let minutes = 0;
  for (let time = since; time < until; time += MINUTE_MS) if (isWorkingMinute(time, holidays)) minutes += 1;
  return minutes * MINUTE_MS;
}

function oracleAfter(start: number, minutes: number, holidays: ReadonlySet<string>): number {
  let time = start;
  while (!isWorkingMinute(time, holidays)) time += MINUTE_MS;
  for (let left = minutes; left > 0; time += MINUTE_MS) if (isWorkingMinute(time, holidays)) left -= 1;
  // The last working minute has passed: the result is closing time, not the next opening.
  return time;
}

/** Whole minutes around Christmas and New Year 2026, with weekends, holidays and nights. */
const FROM = Date.parse('2026-12-17T00:00:00Z');
const times = fc.integer({ min: 0, max: 25 * 24 * 60 }).map((minute) => FROM + minute * MINUTE_MS);
const holidaySets = fc
  .subarray(['2026-12-18', '2026-12-21', '2026-12-24', '2026-12-25', '2026-12-26', '2026-12-28', '2027-01-01'])
  .map((dates) => new Set(dates));

describe('working time', () => {
  it('after a start is the same as in a minute-by-minute walk', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 3 * 540 }), holidaySets, (start, minutes, holidays) => {
        const end = addWorkingTime(new Date(start), minutes * MINUTE_MS, holidays).getTime();
        return end === oracleAfter(start, minutes, holidays);
      }),
      { numRuns: 2_000 },
    );
  });

  it('between two instants is the same as in a minute-by-minute walk', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 0, max: 6 * 24 * 60 }), holidaySets, (since, minutes, holidays) => {
        const until = since + minutes * MINUTE_MS;
        const found = workingTimeBetween(new Date(since), new Date(until), holidays);
        return (
          found === oracleBetween(since, until, holidays) &&
          workingTimeBetween(new Date(until), new Date(since), holidays) === (found === 0 ? 0 : -found)
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('is exact to the millisecond: the time between a start and its end is the time that was added', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 25 * DAY_MS }),
        fc.integer({ min: 1, max: 40 * HOUR_MS }),
        holidaySets,
        (offset, span, holidays) => {
          const start = new Date(FROM + offset);
          return workingTimeBetween(start, addWorkingTime(start, span, holidays), holidays) === span;
        },
      ),
      { numRuns: 20_000 },
    );
  });

  const christmas = new Set(['2026-12-25', '2026-12-26']);
  it.each([
    ['in the middle of a day', '2026-11-20T12:20:00+03:00', '2026-11-20T16:20:00+03:00'],
    ['to the very end of a day', '2026-11-20T13:00:00+03:00', '2026-11-20T17:00:00+03:00'],
    ['over a weekend', '2026-11-20T15:00:00+03:00', '2026-11-23T10:00:00+03:00'],
    ['from before opening', '2026-11-20T06:30:00+03:00', '2026-11-20T12:00:00+03:00'],
    ['from after closing', '2026-11-19T17:00:00+03:00', '2026-11-20T12:00:00+03:00'],
    ['from a Sunday', '2026-11-22T23:59:59+03:00', '2026-11-23T12:00:00+03:00'],
    [
      'over midnight in UTC, which is not midnight in Kampala',
      '2026-11-20T02:59:00+03:00',
      '2026-11-20T12:00:00+03:00',
    ],
    ['over a holiday and a weekend', '2026-12-24T16:00:00+03:00', '2026-12-28T11:00:00+03:00'],
  ])('ends after four hours: %s', (_, start, end) => {
    expect(addWorkingTime(new Date(start), 4 * HOUR_MS, christmas)).toEqual(new Date(end));
  });

  it('ends at its start, or at the next opening, for a span of 0', () => {
    const none = new Set<string>();
    expect(addWorkingTime(new Date('2026-11-20T12:00:00+03:00'), 0, none)).toEqual(
      new Date('2026-11-20T12:00:00+03:00'),
    );
    expect(addWorkingTime(new Date('2026-11-21T12:00:00+03:00'), 0, none)).toEqual(
      new Date('2026-11-23T08:00:00+03:00'),
    );
  });

  it('ends at the next opening for a span of 0 from closing time on', () => {
    expect(addWorkingTime(new Date('2026-11-20T17:00:00+03:00'), 0, new Set())).toEqual(
      new Date('2026-11-23T08:00:00+03:00'),
    );
  });

  it('throws if every day is a holiday', () => {
    const everyDay = { has: () => true } as unknown as ReadonlySet<string>; // only `has` is called
    expect(() => addWorkingTime(new Date(), 1, everyDay)).toThrow('no working time is left');
  });
});

describe('the next payment day', () => {
  const christmas = new Set(['2026-12-25', '2026-12-26']);
  it.each([
    ['a Friday', '2026-12-18', '2026-12-18'],
    ['a Saturday', '2026-12-19', '2026-12-19'],
    ['a Sunday', '2026-12-20', '2026-12-21'],
    ['two holidays and a Sunday', '2026-12-25', '2026-12-28'],
  ])('is found from %s', (_, date, payingDay) => {
    expect(payingDayFrom(date, christmas)).toBe(payingDay);
  });

  it('is the first day that is neither a Sunday nor a holiday', () => {
    const property = fc.property(
      fc.integer({ min: 0, max: 4000 }),
      fc.array(fc.integer({ min: 0, max: 30 })),
      (from, off) => {
        const date = addDays('2026-01-01', from);
        const holidays = new Set(off.map((days) => addDays(date, days)));
        const isOpen = (day: string) => new Date(`${day}T12:00:00Z`).getUTCDay() !== 0 && !holidays.has(day);
        const found = payingDayFrom(date, holidays);
        expect(isOpen(found)).toBe(true);
        for (let day = date; day < found; day = addDays(day, 1)) expect(isOpen(day)).toBe(false);
      },
    );
    fc.assert(property, { numRuns: 2000 });
  });
});

it.each([
  ['a Wednesday', '2026-12-16', '2026-12-14'],
  ['a Monday', '2026-12-14', '2026-12-10'],
  ['a Sunday', '2026-12-13', '2026-12-10'],
  ['the Monday after two holidays', '2026-12-28', '2026-12-23'],
])('two working days before %s are counted without weekends and holidays', (_, date, before) => {
  const found = workingDaysBefore(new Date(`${date}T20:30:00Z`), 2, new Set(['2026-12-25', '2026-12-26']));
  expect(found.toISOString()).toBe(`${before}T20:30:00.000Z`);
});
