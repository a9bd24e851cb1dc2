import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';

/** Cases whose moment has passed before it was said so; while a clock stands still there is no moment. */
function selectDue(connection: Connection, now: Date) {
  return connection
    .selectFrom('invoices')
    .where(sql<boolean>`invoices.status in ('Submitted', 'In Review')`)
    .where('invoices.decide_by', '<', now)
    .where('invoices.promise_missed_at', 'is', null);
}

/** Their ids, the longest due first. */
export async function selectDueIds(connection: Connection, now: Date, limit: number): Promise<number[]> {
  const rows = await selectDue(connection, now).select('id').orderBy('decide_by').orderBy('id').limit(limit).execute();
  return rows.map(({ id }) => id);
}

/** One of them, its row held until the transaction ends; undefined where it is due no more or somebody works on it. */
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
