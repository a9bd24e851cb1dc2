import { DAY_MS } from '#contract/time/durations.ts';

/** Calendar periods by their first days (YYYY-MM-DD), computed in UTC, which has no summer time. */

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The first days of the last `count` months up to that of `today`, oldest first. */
export function monthsUpTo(today: string, count: number): string[] {
  const [year = 0, month = 1] = today.split('-').map(Number);
  return Array.from({ length: count }, (_, index) => dayOf(Date.UTC(year, month - count + index, 1)));
}

/** The Mondays of the last `count` weeks up to that of `today`, oldest first. */
export function weeksUpTo(today: string, count: number): string[] {
  const time = Date.parse(today);
  const daysSinceMonday = (new Date(time).getUTCDay() + 6) % 7;
  return Array.from({ length: count }, (_, index) =>
    dayOf(time - (daysSinceMonday + 7 * (count - 1 - index)) * DAY_MS),
  );
}
