import { DAY_MS, HOUR_MS } from './durations.ts';
/** Every calendar rule uses Africa/Kampala, which is UTC+3 all year without summer time. */
export const KAMPALA_OFFSET_MS = 3 * HOUR_MS;

/** The calendar date (YYYY-MM-DD) in Kampala at an instant. */
export function kampalaDate(instant: Date): string {
  return new Date(instant.getTime() + KAMPALA_OFFSET_MS).toISOString().slice(0, 10);
}

/** When a date (YYYY-MM-DD) begins in Kampala. */
export function midnightOf(date: string): Date {
  return new Date(`${date}T00:00:00+03:00`);
}

/** Whether a YYYY-MM-DD date is after today's. Both compare as text. */
export function isAfter(date: string, today: string): boolean {
  return date > today;
}

/** The calendar date some days after a YYYY-MM-DD date. */
export function addDays(date: string, days: number): string {
  const moved = new Date(`${date}T00:00:00Z`);
  moved.setUTCDate(moved.getUTCDate() + days);
  return moved.toISOString().slice(0, 10);
}

/** Days from the first YYYY-MM-DD date to the second; below 0 if the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

/** The time of day in Kampala at an instant, as 16:20. */
export function kampalaTime(instant: Date): string {
  return new Date(instant.getTime() + KAMPALA_OFFSET_MS).toISOString().slice(11, 16);
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A YYYY-MM-DD date as people read it: '22 Dec 2026'. */
export function sayDate(date: string): string {
  return `${sayDayAndMonth(date)} ${date.slice(0, 4)}`;
}

/** A time in Kampala in a form that can follow 'by': '16:20 today', '09:20 tomorrow', else '09:20 on Mon 23 Nov'. */
export function sayMoment(instant: Date, now: Date): string {
  const [day, time] = [sayDay(instant, now), kampalaTime(instant)];
  return day === 'today' || day === 'tomorrow' ? `${time} ${day}` : `${time} on ${day}`;
}

/** The day of an instant in Kampala: 'today', 'tomorrow', else 'Mon 23 Nov'. */
export function sayDay(instant: Date, now: Date): string {
  const [date, today] = [kampalaDate(instant), kampalaDate(now)];
  if (date === today) return 'today';
  return date === addDays(today, 1) ? 'tomorrow' : sayWeekday(date);
}

function sayWeekday(date: string): string {
  return `${WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]} ${sayDayAndMonth(date)}`;
}

/** A date without its year: '22 Dec'. */
export function sayDayAndMonth(date: string): string {
  return `${Number(date.slice(8, 10))} ${sayMonth(date)}`;
}

/** The month of a YYYY-MM-DD date: 'Dec'. */
export function sayMonth(date: string): string {
  return MONTHS[Number(date.slice(5, 7)) - 1] ?? '';
}

const MINUTES_AN_HOUR = 60;

/** The label of a late decision: 'Past our 4-hour promise', 'Past our 90-minute promise'. */
export function sayLate(targetMinutes: number): string {
  const span =
    targetMinutes % MINUTES_AN_HOUR === 0 ? `${targetMinutes / MINUTES_AN_HOUR}-hour` : `${targetMinutes}-minute`;
  return `Past our ${span} promise`;
}
