import { counted, type SayTime } from '#contract/counts.ts';
import { addDays, kampalaDate, kampalaTime, sayDate, sayMonth } from '#contract/time/calendar.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time/durations.ts';

/**
 * Dates formatted for reading (docs/specification-coverage.md, 9). The input text is a calendar date (YYYY-MM-DD) or an
 * instant (ISO 8601).
 */

const DAYS_SHOWN_AS_RELATIVE = 7;

/** The last day that a calendar offers for a future date. */
export function inAYear(): string {
  return addDays(kampalaDate(new Date()), 365);
}

function isInstant(text: string): boolean {
  return text.includes('T');
}

/** The calendar date in Kampala, whatever the device's time zone. */
function calendarDay(text: string): string {
  return isInstant(text) ? kampalaDate(new Date(text)) : text;
}

/** A date in a table: relative up to 7 days old (an instant to the millisecond), then 'YYYY MMM, D'; '-' when missing. */
export function formatTableDate(date: string | null, now: Date): string {
  if (date === null) return '-';
  const day = calendarDay(date);
  const days = Math.round((Date.parse(kampalaDate(now)) - Date.parse(day)) / DAY_MS);
  const elapsed = now.getTime() - Date.parse(date);
  const isOlder = isInstant(date) ? elapsed > DAYS_SHOWN_AS_RELATIVE * DAY_MS : days > DAYS_SHOWN_AS_RELATIVE;
  if (isOlder || days < 0) return `${day.slice(0, 4)} ${sayMonth(day)}, ${Number(day.slice(8, 10))}`;
  return isInstant(date) && elapsed < DAY_MS ? sayElapsed(elapsed) : sayDaysAgo(days);
}

/** Intl.RelativeTimeFormat gives the same words, but its first call takes 50 ms on a cheap phone. */
function sayDaysAgo(days: number): string {
  if (days === 0) return 'today';
  return days === 1 ? 'yesterday' : `${days} days ago`;
}

/**
 * How long ago something happened, from milliseconds. Negative values count as now, because the device's clock may be
 * slightly behind the server's.
 */
export function sayElapsed(elapsed: number, say: SayTime = counted): string {
  if (elapsed < MINUTE_MS) return 'just now';
  if (elapsed < HOUR_MS) return `${say(Math.floor(elapsed / MINUTE_MS), 'minute')} ago`;
  if (elapsed < DAY_MS) return `${say(Math.floor(elapsed / HOUR_MS), 'hour')} ago`;
  return `${say(Math.floor(elapsed / DAY_MS), 'day')} ago`;
}

/** A date in a form or in full: 'D MMM YYYY', '-' when missing. */
export function formatFormDate(date: string | null): string {
  return date === null ? '-' : sayDate(calendarDay(date));
}

/** A date in full: 'D MMM YYYY', and for an instant the time of day in Kampala. */
export function formatFullDate(date: string): string {
  const day = formatFormDate(date);
  return isInstant(date) ? `${day}, ${kampalaTime(new Date(date))}` : day;
}
