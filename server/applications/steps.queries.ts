import type { Insertable, Updateable } from 'kysely';
import type { Holidays } from '#contract/applications/working-time.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.service.ts';
import type { Connection } from '#server/platform/database.ts';
import type { Tables } from '#server/platform/tables.ts';

/** Moves an invoice whose row is locked, guarded by the status it leaves; false when it has left it already. */
export async function moveInvoice(
  connection: Connection,
  invoice: Pick<InvoiceRecord, 'id' | 'status'>,
  moved: Updateable<Tables['invoices']>,
): Promise<boolean> {
  const { numUpdatedRows } = await connection
    .updateTable('invoices')
    .set(moved)
    .where('id', '=', invoice.id)
    .where('status', '=', invoice.status)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Keeps a step that was taken. */
export async function insertStep(connection: Connection, step: Insertable<Tables['application_steps']>): Promise<void> {
  await connection.insertInto('application_steps').values(step).execute();
}

/** Every public holiday there is; some twenty a year. */
export async function selectHolidays(connection: Connection): Promise<Holidays> {
  const rows = await connection.selectFrom('public_holidays').select('date').execute();
  return new Set(rows.map(({ date }) => date));
}
