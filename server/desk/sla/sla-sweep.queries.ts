import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';

/** Cases past their deadline whose client we haven't told; a paused clock has no deadline. */
function selectDue(connection: Connection, now: Date) {
  return connection
    .selectFrom('invoices')
    .where(sql<boolean>`invoices.status in ('Submitted', 'In Review')`)
    .where('invoices.decide_by', '<', now)
    .where('invoices.promise_missed_at', 'is', null);
}

/** The ids of these cases, the longest overdue first. */
export async function selectDueIds(connection: Connection, now: Date, limit: number): Promise<number[]> {
  const rows = await selectDue(connection, now).select('id').orderBy('decide_by').orderBy('id').limit(limit).execute();
  return rows.map(({ id }) => id);
}

/** Locks one such case; undefined if it is no longer due or another transaction has it. */
export function lockDue(connection: Connection, id: number, now: Date) {
  return selectDue(connection, now)
    .where('invoices.id', '=', id)
    .select(['invoices.tag', 'invoices.invoice_number as invoiceNumber', 'invoices.decide_by as decideBy'])
    .select(['invoices.business_id as businessId', 'invoices.submitted_by as submittedBy'])
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** Marks a case whose row is locked. */
export async function markMissed(connection: Connection, id: number, now: Date): Promise<void> {
  await connection.updateTable('invoices').set({ promise_missed_at: now }).where('id', '=', id).execute();
}
