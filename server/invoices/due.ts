import { sql } from 'kysely';
import { DUE_THIS_WEEK_DAYS } from '#contract/desk/schema.ts';
import { payoutExponents } from '#contract/payments/payout-amount.ts';
import { addDays } from '#contract/time/calendar.ts';

/**
 * Due and late amounts in SQL, like `overdueOf` (contract/payments/overdue.ts) for one advance. `due_on` is the only
 * due date; an extension moves it.
 */

/** Whether an advance is paid out, and neither paid back nor written off. */
export const isOwed = sql<boolean>`invoices.status = 'Disbursed' and invoices.outstanding > 0`;

/** The payable part of the outstanding amount, for queries that include the currency. */
export const payable = sql<number>`trunc(invoices.outstanding, case currencies.code ${sql.join(
  Object.entries(payoutExponents).map(([code, decimals]) => sql`when ${sql.lit(code)} then ${sql.lit(decimals)}`),
  sql` `,
)} else 2 end)`;

/** Whether an unpaid advance's due date has passed on a day in Kampala (YYYY-MM-DD). */
export function isPastDue(today: string) {
  return sql<boolean>`invoices.due_on < ${today}`;
}

/** Whether the due date of an unpaid advance falls within the week that starts on that day. */
export function isDueThisWeek(today: string) {
  return sql<boolean>`invoices.due_on between ${today} and ${addDays(today, DUE_THIS_WEEK_DAYS)}`;
}

/** The part of an advance that was written off and not paid since, which the client still owes. 0 for most advances. */
export const lost = sql<number>`coalesce((
  select sum(off.amount) + coalesce((
    select sum(line.amount) from journal_lines as line join journal_entries as entry on entry.id = entry_id
    where entry.invoice_id = invoices.id and account = 'recoveries'), 0.00)
  from journal_entries as off where off.invoice_id = invoices.id and off.kind = 'writeOff' having count(*) > 0), 0.00)`;
