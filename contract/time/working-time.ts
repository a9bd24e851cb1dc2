import { addDays, KAMPALA_OFFSET_MS, kampalaDate } from './calendar.ts';
import { DAY_MS, HOUR_MS } from './durations.ts';

/**
 * Working time: Monday to Friday, 08:00 to 17:00 in Kampala, without public holidays, in milliseconds. A moment outside
 * working hours counts as the next opening.
 */

const OPENS_MS = 8 * HOUR_MS;
const CLOSES_MS = 17 * HOUR_MS;

/** Public holidays as YYYY-MM-DD. */
export type Holidays = ReadonlySet<string>;

/** More days than any target needs. A calendar of nothing but holidays then throws instead of looping forever. */
const LONGEST_SEARCH_DAYS = 3660;

/** Opening and closing time of the Kampala day that begins at `midnight`; undefined if it is not a working day. */
function hoursOf(midnight: number, holidays: Holidays): { opens: number; closes: number } | undefined {
  const weekday = new Date(midnight + KAMPALA_OFFSET_MS).getUTCDay();
  if (weekday === 0 || weekday === 6 || holidays.has(kampalaDate(new Date(midnight)))) return undefined;
  return { opens: midnight + OPENS_MS, closes: midnight + CLOSES_MS };
}

/**
 * The first payment day from a date (YYYY-MM-DD) on: not a Sunday or public holiday. Saturdays count, because mobile
 * money and agents work on them.
 */
export function payingDayFrom(date: string, holidays: Holidays): string {
  for (let days = 0; days < LONGEST_SEARCH_DAYS; days += 1) {
    const day = addDays(date, days);
    if (new Date(`${day}T00:00:00Z`).getUTCDay() !== 0 && !holidays.has(day)) return day;
  }
  throw new RangeError('no payment day is left in the calendar');
}

/** The start of the Kampala day that contains an instant. */
function midnightOf(instant: number): number {
  return Math.floor((instant + KAMPALA_OFFSET_MS) / DAY_MS) * DAY_MS - KAMPALA_OFFSET_MS;
}

/**
 * The instant at which this much working time has passed since `start`. A span that ends at closing time ends then, not
 * at the next opening; a span of 0 ends at `start`, or at the next opening if `start` is outside working hours.
 */
export function addWorkingTime(start: Date, spanMs: number, holidays: Holidays): Date {
  let left = spanMs;
  let midnight = midnightOf(start.getTime());
  for (let day = 0; day < LONGEST_SEARCH_DAYS; day += 1, midnight += DAY_MS) {
    const hours = hoursOf(midnight, holidays);
    if (hours === undefined || start.getTime() >= hours.closes) continue;
    const from = Math.max(hours.opens, start.getTime());
    if (left <= hours.closes - from) return new Date(from + left);
    left -= hours.closes - from;
  }
  throw new RangeError('no working time is left in the calendar');
}

/** The same time of day, some working days earlier. */
export function workingDaysBefore(moment: Date, days: number, holidays: Holidays): Date {
  let left = days;
  for (let back = 0; back <= LONGEST_SEARCH_DAYS; back += 1) {
    const day = moment.getTime() - back * DAY_MS;
    if (back > 0 && hoursOf(midnightOf(day), holidays) !== undefined) left -= 1;
    if (left <= 0) return new Date(day);
  }
  throw new RangeError('no payment day is left in the calendar');
}

/** The working time between two instants; negative if `until` is before `since`. */
export function workingTimeBetween(since: Date, until: Date, holidays: Holidays): number {
  if (until.getTime() < since.getTime()) return -workingTimeBetween(until, since, holidays);
  let total = 0;
  for (let midnight = midnightOf(since.getTime()); midnight < until.getTime(); midnight += DAY_MS) {
    const hours = hoursOf(midnight, holidays);
    if (hours === undefined) continue;
    const from = Math.max(hours.opens, since.getTime());
    const to = Math.min(hours.closes, until.getTime());
    total += Math.max(0, to - from);
  }
  return total;
}
