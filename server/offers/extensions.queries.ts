import { type Insertable, sql, type Updateable } from 'kysely';
import { extensionFacts } from '#contract/offers/schema.ts';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';
import { personName } from '#server/sessions/person-name.ts';

/** Stores a request for more time, or an offer of it. */
export function insertExtension(change: Change, extension: Insertable<Tables['extensions']>): void {
  change.send(change.insertInto('extensions').values(extension));
}

/** Updates an open extension of a locked application. */
export function updateExtension(change: Change, id: number, set: Updateable<Tables['extensions']>): void {
  change.send(change.updateTable('extensions').set(set).where('id', '=', id));
}

/** Whether an extension waits for an officer: to be offered, or for a second officer's agreement. */
export const isUnagreed = sql<boolean>`closed_at is null and agreed_at is null`;

/** An application's extensions, oldest first; the last one may be open. */
export function selectExtensions(connection: Connection, invoiceId: number) {
  return connection
    .selectFrom('extensions')
    .where('invoice_id', '=', invoiceId)
    .select([
      'id',
      'tenor_days as tenorDays',
      'reason',
      'asked_by as askedBy',
      'offered_by as offeredBy',
      'agreed_at as agreedAt',
    ])
    .select(['closed_at as closedAt', 'version', 'fee', 'due_on as dueOn'])
    .orderBy('id')
    .execute();
}

export type ExtensionRow = Awaited<ReturnType<typeof selectExtensions>>[number];

/** The last extension that the client accepted, with the key facts as accepted. */
export async function selectAcceptedExtension(connection: Connection, invoiceId: number) {
  const row = await connection
    .selectFrom('extensions')
    .innerJoin('persons', 'persons.id', 'closed_by')
    .where('invoice_id', '=', invoiceId)
    .where('version', 'is not', null)
    .orderBy('extensions.id', 'desc')
    .limit(1)
    .select(['version', 'facts', 'closed_at as at', personName('persons').as('by')])
    .$narrowType<{ version: string; at: Date }>()
    .executeTakeFirst();
  return row && { ...row, facts: extensionFacts.parse(row.facts) };
}

export type AcceptedExtension = NonNullable<Awaited<ReturnType<typeof selectAcceptedExtension>>>;
