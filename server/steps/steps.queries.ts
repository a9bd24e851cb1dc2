import type { Insertable, Updateable } from 'kysely';
import type { Holidays } from '#contract/time/working-time.ts';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';

/** Updates a locked invoice. */
export function moveInvoice(change: Change, { id }: Pick<InvoiceRecord, 'id'>, moved: Updateable<Tables['invoices']>) {
  change.send(change.updateTable('invoices').set(moved).where('id', '=', id));
}

/** Records a step. */
export function insertStep(change: Change, step: Insertable<Tables['application_steps']>): void {
  change.send(change.insertInto('application_steps').values(step));
}

const asked = new WeakMap<Connection, Promise<Holidays>>();

/**
 * Every public holiday, about twenty a year. Cached for the transaction, so that the read can go with the first
 * statements.
 */
export function selectHolidays(connection: Connection): Promise<Holidays> {
  const known = 'send' in connection ? asked.get(connection) : undefined;
  const holidays = known ?? readHolidays(connection);
  asked.set(connection, holidays);
  return holidays;
}

async function readHolidays(connection: Connection): Promise<Holidays> {
  const rows = await connection.selectFrom('public_holidays').select('date').execute();
  return new Set(rows.map(({ date }) => date));
}
