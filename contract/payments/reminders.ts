import { kampalaDate, kampalaTime, midnightOf } from '#contract/time/calendar.ts';
import { HOUR_MS } from '#contract/time/durations.ts';

/** Reminders of a repayment, on days counted from the due date: -3 is three days before it. */

const FROM = '08:00';
const UNTIL_HOUR = 18;
const UNTIL = `${UNTIL_HOUR}:00`;

/** Whether people may be reminded at that time: between 08:00 and 18:00 in Kampala. */
export function mayRemind(now: Date): boolean {
  const time = kampalaTime(now);
  return time >= FROM && time < UNTIL;
}

/** When the hours for reminders end on that day. */
export function remindsUntil(now: Date): Date {
  return new Date(midnightOf(kampalaDate(now)).getTime() + UNTIL_HOUR * HOUR_MS);
}

/**
 * The last reminder is sent at most this many days after the due date; by then an advance has had all its reminders.
 */
export const LAST_REMINDER_DAYS = 7;

/**
 * The reminder due this number of days after the due date, or undefined. Only the latest counts: reminders missed
 * during a pause are not sent, and a clock that is set back sends nothing twice.
 */
export function reminderDue(
  days: number,
  reminderDays: readonly number[],
  sent: readonly number[],
): number | undefined {
  const latest = reminderDays.filter((day) => day <= days).at(-1);
  const last = reminderDays.at(-1);
  if (latest === undefined || last === undefined || days > last + LAST_REMINDER_DAYS) return undefined;
  return sent.some((day) => day >= latest) ? undefined : latest;
}
