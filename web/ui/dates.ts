import dayjs from 'dayjs';
import relativeTime from 'dayjs/plugin/relativeTime.js';

dayjs.extend(relativeTime);

const DAYS_SHOWN_AS_RELATIVE = 7;

/** A date in a table: relative time up to 7 days old, then 'YYYY MMM, D'; '-' when missing (specification, section 9). */
export function formatTableDate(date: string | null, now: Date): string {
  if (date === null) return '-';
  const day = dayjs(date);
  return dayjs(now).diff(day, 'day') >= DAYS_SHOWN_AS_RELATIVE ? day.format('YYYY MMM, D') : day.from(now);
}

/** A date in a form or in full: 'D MMM YYYY'. */
export function formatFormDate(date: string | null): string {
  return date === null ? '-' : dayjs(date).format('D MMM YYYY');
}
