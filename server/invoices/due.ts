import { sql } from 'kysely';
import { DUE_THIS_WEEK_DAYS } from '#contract/desk/schema.ts';
import { addDays } from '#contract/time/calendar.ts';

/**
 * What is due and late, in SQL, as `overdueOf` (contract/payments/overdue.ts) has it for one advance. `due_on` is the one
 * due date that holds: more time moves it.
 */

/** Whether an advance is paid out, and neither paid back nor written off. */
export const isOwed = sql<boolean>`invoices.status = 'Disbursed' and invoices.outstanding > 0`;

/** Whether the due date of an advance that is owed has passed on a day in Kampala (YYYY-MM-DD). */
export function isPastDue(today: string) {
  return sql<boolean>`invoices.due_on < ${today}`;
}

/** Whether it comes within the week, that day included. */
export function isDueThisWeek(today: string) {
  return sql<boolean>`invoices.due_on between ${today} and ${addDays(today, DUE_THIS_WEEK_DAYS)}`;
}
