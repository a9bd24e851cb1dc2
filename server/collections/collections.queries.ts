import { type Insertable, sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';
import { personName } from '#server/sessions/person-name.ts';

/** The entries that officers and clients recorded for some invoices, newest first. */
export function selectEntries(connection: Connection, invoiceIds: readonly number[]) {
  return connection
    .selectFrom('collection_entries as entry')
    .innerJoin('invoices', 'invoices.id', 'entry.invoice_id')
    .innerJoin('currencies', 'currencies.id', 'invoices.currency_id')
    .leftJoin('persons', 'persons.id', 'entry.by_person') // clients see no officers
    .where(sql<boolean>`entry.invoice_id = any(${invoiceIds})`)
    .orderBy('entry.id', 'desc')
    .select(['entry.invoice_id', 'entry.tag', 'entry.kind', 'entry.at', 'entry.note', 'entry.day', 'entry.amount'])
    .select('currencies.code as currency')
    .select(['entry.channel', 'entry.next_step'])
    .select(personName('persons').$castTo<string | null>().as('by'))
    .execute();
}

export type EntryRow = Awaited<ReturnType<typeof selectEntries>>[number];

/** Adds an entry to the collection record. */
export function insertCollectionEntry(change: Change, entry: Insertable<Tables['collection_entries']>): void {
  change.send(change.insertInto('collection_entries').values(entry));
}

/** Whether the buyer's latest entry is a dispute. */
export function isDisputed(invoiceId: string) {
  return sql<boolean>`coalesce((select kind = 'dispute' from collection_entries
    where invoice_id = ${sql.ref(invoiceId)} and kind in ('dispute', 'disputeEnded') order by id desc limit 1), false)`;
}
