import { z } from 'zod';
import { calendarDate } from '#contract/fields.ts';
import { FUTURE_DATE } from '#contract/invoices/schema.ts';
import { isAfter, kampalaDate } from '#contract/time/calendar.ts';

/** The message for text that is not a date. */
const NO_DATE = 'Write the date like 5\u00a0Jan\u00a02026';

/** A typed date: today in Kampala or earlier. `missing` is the message if nothing is typed. */
export function pastDate(missing: string) {
  return z
    .string()
    .min(1, { error: missing, abort: true })
    .pipe(calendarDate(NO_DATE).refine((date) => !isAfter(date, kampalaDate(new Date())), FUTURE_DATE));
}
