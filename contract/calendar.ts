/** Every calendar rule runs in Africa/Kampala (decisions), which is UTC+3 all year and has no summer time. */
const KAMPALA_OFFSET_MS = 3 * 60 * 60 * 1000;

/** The calendar date (YYYY-MM-DD) in Kampala at an instant. */
export function kampalaDate(instant: Date): string {
  return new Date(instant.getTime() + KAMPALA_OFFSET_MS).toISOString().slice(0, 10);
}

/** Whether a YYYY-MM-DD date lies after today's; both compare as text. */
export function isAfter(date: string, today: string): boolean {
  return date > today;
}

/** The calendar date that lies so many days after a YYYY-MM-DD date. */
export function addDays(date: string, days: number): string {
  const moved = new Date(`${date}T00:00:00Z`);
  moved.setUTCDate(moved.getUTCDate() + days);
  return moved.toISOString().slice(0, 10);
}

/** The time of day in Kampala at an instant, as 16:20. */
export function kampalaTime(instant: Date): string {
  return new Date(instant.getTime() + KAMPALA_OFFSET_MS).toISOString().slice(11, 16);
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A moment in Kampala as people say it: 'today 16:20', 'tomorrow 09:20', else 'Mon 23 Nov 09:20'. */
export function sayMoment(instant: Date, now: Date): string {
  const [date, today, time] = [kampalaDate(instant), kampalaDate(now), kampalaTime(instant)];
  if (date === today) return `today ${time}`;
  if (date === addDays(today, 1)) return `tomorrow ${time}`;
  const day = new Date(`${date}T00:00:00Z`);
  return `${WEEKDAYS[day.getUTCDay()]} ${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]} ${time}`;
}
