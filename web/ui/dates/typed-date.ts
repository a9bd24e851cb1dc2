const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Dates with the day first, as written in Uganda: '1 Nov 2026', '1 November 2026', '1/11/2026', '01-11-2026',
 * '1.11.2026'.
 */
const DAY_FIRST = /^(\d{1,2})[\s./-]+(\d{1,2}|[a-z]{3,9})[\s./,-]+(\d{4})$/i;
const YEAR_FIRST = /^(\d{4})-(\d{2})-(\d{2})$/;

/** A typed date as YYYY-MM-DD, or null if it is not a date (yet). A year needs all four digits. */
export function readTypedDate(text: string): string | null {
  const typed = text.trim();
  const [, year = '', month = '', day = ''] = YEAR_FIRST.exec(typed) ?? [];
  if (year !== '') return calendarDay(Number(year), Number(month), Number(day));
  const [, first = '', second = '', last = ''] = DAY_FIRST.exec(typed) ?? [];
  return first === '' ? null : calendarDay(Number(last), readMonth(second), Number(first));
}

/** The form's value: the date, or the typed text if it is not one, which the form then refuses on its field. */
export function dateOrTyped(text: string): string {
  return readTypedDate(text) ?? text.trim();
}

function readMonth(text: string): number {
  return /^\d/.test(text) ? Number(text) : MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1;
}

/** Null for days that do not exist, such as 31 Feb. */
function calendarDay(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.toISOString().slice(0, 10) : null;
}
