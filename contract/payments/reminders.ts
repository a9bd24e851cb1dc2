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

/** Until when a reminder of that moment may still be sent: the end of its day's hours. */
export function remindsUntil(now: Date): Date {
  return new Date(midnightOf(kampalaDate(now)).getTime() + UNTIL_HOUR * HOUR_MS);
}

/** How long after the last reminder's day it is still sent: an advance that is late for months has had its reminders. */
export const LAST_REMINDER_DAYS = 7;

/**
 * Which reminder is due that many days after the due date, of those that were `sent`; undefined if none is. Only the
 * latest one: what was missed in a pause is not sent, and a clock that is set back sends nothing again.
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
