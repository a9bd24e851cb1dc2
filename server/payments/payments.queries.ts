import type { Insertable } from 'kysely';
import type { OwnEntry, StandingEntry } from '#contract/payments/balance.ts';
import type { Payer, PaymentMethod } from '#contract/payments/schema.ts';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';
import { personName } from '#server/sessions/person-name.ts';

/** An entry in force. `amount` in minor units. */
export interface StandingRow extends StandingEntry {
  readonly id: number;
  readonly method: PaymentMethod;
  readonly reference: string;
  readonly payer: Payer | null;
}

/** An invoice's entries in force, oldest first. */
export function selectStanding(connection: Connection, invoiceId: number): Promise<StandingRow[]> {
  return connection
    .selectFrom('ledger_entries as entry')
    .leftJoin('ledger_entries as counter', 'counter.reverses', 'entry.id')
    .where('entry.invoice_id', '=', invoiceId)
    .where('entry.reverses', 'is', null)
    .where('counter.id', 'is', null)
    .select(['entry.id', 'entry.kind', 'entry.amount', 'entry.paid_on as date'])
    .select(['entry.method', 'entry.reference', 'entry.payer'])
    .orderBy('entry.id')
    .execute();
}

/** What a person recorded in an invoice's ledger, including counter-entries. */
export async function selectOwnEntries(
  connection: Connection,
  invoiceId: number,
  personId: number,
): Promise<OwnEntry[]> {
  const rows = await connection
    .selectFrom('ledger_entries as entry')
    .leftJoin('ledger_entries as counter', 'counter.reverses', 'entry.id')
    .where('entry.invoice_id', '=', invoiceId)
    .where('entry.recorded_by', '=', personId)
    .select(['entry.kind', 'entry.reverses', 'counter.id as counter_id'])
    .execute();
  return rows.map((row) => ({
    kind: row.kind,
    isReversed: row.counter_id !== null,
    isCounter: row.reverses !== null,
  }));
}

/** The whole ledger of an invoice, oldest first, with who recorded what. */
export function selectLedger(connection: Connection, invoiceId: number) {
  return connection
    .selectFrom('ledger_entries as entry')
    .leftJoin('persons', 'persons.id', 'entry.recorded_by') // not shown to clients
    .leftJoin('ledger_entries as counter', 'counter.reverses', 'entry.id')
    .leftJoin('ledger_entries as original', 'original.id', 'entry.reverses')
    .where('entry.invoice_id', '=', invoiceId)
    .select(['entry.tag', 'entry.kind', 'entry.amount', 'entry.paid_on', 'entry.method', 'entry.reference'])
    .select([
      'entry.payer',
      'entry.reason',
      'entry.recorded_at',
      'original.tag as reverses',
      'counter.id as counter_id',
    ])
    .select(personName('persons').$castTo<string | null>().as('recorded_by'))
    .orderBy('entry.id')
    .execute();
}

export type LedgerRow = Awaited<ReturnType<typeof selectLedger>>[number];

/** The id of the entry with that tag, and the tag of the invoice that it belongs to. */
export function selectEntry(
  connection: Connection,
  tag: string,
): Promise<{ id: number; invoiceTag: string } | undefined> {
  return connection
    .selectFrom('ledger_entries')
    .innerJoin('invoices', 'invoices.id', 'ledger_entries.invoice_id')
    .where('ledger_entries.tag', '=', tag)
    .select(['ledger_entries.id', 'invoices.tag as invoiceTag'])
    .executeTakeFirst();
}

/** When an application was first settled, even if reversed since; undefined if never. */
export async function selectFirstSettled(connection: Connection, invoiceId: number): Promise<Date | undefined> {
  const first = await connection
    .selectFrom('application_steps')
    .where('invoice_id', '=', invoiceId)
    .where('step', '=', 'settle')
    .select('at')
    .orderBy('id')
    .executeTakeFirst();
  return first?.at;
}

/** Adds an entry, or a counter-entry, to the ledger. */
export function insertEntry(change: Change, entry: Insertable<Tables['ledger_entries']>): void {
  change.send(change.insertInto('ledger_entries').values(entry));
}
