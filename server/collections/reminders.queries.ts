import { type Insertable, sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import { isOwed } from '#server/invoices/due.ts';
import { isDisputed } from './collections.queries.ts';

/** The settings of reminders, and the day in Kampala (YYYY-MM-DD). */
export interface ReminderRule {
  readonly days: readonly number[];
  readonly today: string;
  /** The last reminder is sent up to this many days after the due date. */
  readonly until: number;
}

/**
 * Advances with a due reminder that was not sent, by the rule of `reminderDue` (contract/payments/reminders.ts),
 * through the index `invoices_due`. Disputed advances get no reminders.
 */
function selectDue(connection: Connection, { days, today, until }: ReminderRule) {
  const latest = sql<number>`(select max(day) from unnest(${days}::integer[]) as days (day)
    where day <= ${today}::date - invoices.due_on)`;
  return connection
    .selectFrom('invoices')
    .where(isOwed)
    .where(
      sql<boolean>`invoices.due_on between ${today}::date - ${until}::integer and ${today}::date - ${days[0] ?? 0}::integer`,
    )
    .where(
      sql<boolean>`not exists (select from repayment_reminders as sent where sent.invoice_id = invoices.id
        and sent.due_on = invoices.due_on and sent.day >= ${latest})`,
    )
    .where(sql<boolean>`not ${isDisputed('invoices.id')}`);
}

/** The ids of these advances, the latest first. */
export async function selectDueIds(connection: Connection, rule: ReminderRule, limit: number): Promise<number[]> {
  const due = selectDue(connection, rule).select('invoices.id').orderBy('invoices.due_on').orderBy('invoices.id');
  return (await due.limit(limit).execute()).map(({ id }) => id);
}

/** Locks one such advance; undefined if it is no longer due or another transaction has it. */
export function lockDue(connection: Connection, id: number, rule: ReminderRule) {
  return selectDue(connection, rule)
    .innerJoin('currencies', 'currencies.id', 'invoices.currency_id')
    .where('invoices.id', '=', id)
    .select([
      'invoices.id',
      'invoices.tag',
      'invoices.invoice_number as invoiceNumber',
      'currencies.code as currencyCode',
    ])
    .select(['invoices.outstanding', 'invoices.due_on as dueOn', 'invoices.repayment_reference as reference'])
    .select(['invoices.business_id as businessId', 'invoices.submitted_by as submittedBy'])
    .forNoKeyUpdate('invoices')
    .skipLocked()
    .executeTakeFirst();
}

export type DueRow = NonNullable<Awaited<ReturnType<typeof lockDue>>>;

/** The reminders already sent for a due date, as days relative to it. */
export async function selectSentDays(connection: Connection, invoiceId: number, dueOn: string): Promise<number[]> {
  const rows = await connection
    .selectFrom('repayment_reminders')
    .where('invoice_id', '=', invoiceId)
    .where('due_on', '=', dueOn)
    .select('day')
    .execute();
  return rows.map(({ day }) => day);
}

/** Records that a reminder was sent. */
export async function insertReminder(connection: Connection, reminder: Insertable<Tables['repayment_reminders']>) {
  await connection.insertInto('repayment_reminders').values(reminder).execute();
}
