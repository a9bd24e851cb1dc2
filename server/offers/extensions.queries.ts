import type { Insertable, Updateable } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';

/** Stores what was asked for or offered. */
export function insertExtension(change: Change, extension: Insertable<Tables['extensions']>): void {
  change.send(change.insertInto('extensions').values(extension));
}

/** Moves an open extension of a locked application on. */
export function updateExtension(change: Change, id: number, set: Updateable<Tables['extensions']>): void {
  change.send(change.updateTable('extensions').set(set).where('id', '=', id));
}

/** An application's extensions, oldest first; the last one may be open. */
export function selectExtensions(connection: Connection, invoiceId: number) {
  return connection
    .selectFrom('extensions')
    .where('invoice_id', '=', invoiceId)
    .select(['id', 'tenor_days as tenorDays', 'reason', 'offered_by as offeredBy', 'agreed_at as agreedAt'])
    .select(['closed_at as closedAt', 'version', 'fee', 'due_on as dueOn'])
    .orderBy('id')
    .execute();
}

export type ExtensionRow = Awaited<ReturnType<typeof selectExtensions>>[number];
