import { addDays, isAfter, kampalaDate } from '#contract/time/calendar.ts';

/** The last valid day in Kampala (YYYY-MM-DD) of an approval or counter-offer made at that moment. */
export function offerValidUntil(since: Date, validDays: number): string {
  return addDays(kampalaDate(since), validDays);
}

/** Whether an approval or a counter-offer has lapsed: its last valid day in Kampala is over. */
export function hasLapsed(since: Date, validDays: number, now: Date): boolean {
  return isAfter(kampalaDate(now), offerValidUntil(since, validDays));
}
