import { type Insertable, sql } from 'kysely';
import type { Line, PostedKind } from '#contract/journal/position.ts';
import { minorToNumeric } from '#contract/money.ts';
import type { StandingEntry } from '#contract/payments/balance.ts';
import type { Connection } from '#server/db/database.ts';
import { insertRows } from '#server/db/insert-rows.ts';
import type { JournalEntries } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';

/** An entry in force. Amounts in minor units. */
export interface StandingRow extends Required<StandingEntry> {
  readonly id: number;
  readonly tag: string;
  readonly invoiceId: number;
  readonly reference: string | null;
  readonly deduction: JournalEntries['deduction'];
  readonly certificate: string | null;
  readonly recordedAt: Date;
  /** Null if Kasente recorded it itself. */
  readonly recordedBy: number | null;
  /** The statement line that brought the money. Clients do not see its tag. */
  readonly lineId: number | null;
  readonly lineTag: string | null;
}

function selectInForce(connection: Connection) {
  return connection
    .selectFrom('journal_entries as entry')
    .leftJoin('journal_entries as counter', 'counter.reverses', 'entry.id')
    .leftJoin('imported_lines as line', 'line.id', 'entry.statement_line_id')
    .where('entry.reverses', 'is', null)
    .where('counter.id', 'is', null)
    .select(['entry.id', 'entry.tag', 'entry.invoice_id as invoiceId', 'entry.kind', 'entry.amount'])
    .select(['entry.occurred_on as date', 'entry.method', 'entry.payer', 'entry.carried', 'entry.rounded'])
    .select(['entry.reference', 'entry.deduction', 'entry.certificate'])
    .select(['entry.recorded_at as recordedAt', 'entry.recorded_by as recordedBy'])
    .select(['entry.statement_line_id as lineId', 'line.tag as lineTag'])
    .select(sql<boolean>`entry.statement_line_id is not null`.as('isFromSuspense'))
    .$narrowType<{ kind: PostedKind; invoiceId: number }>() // the callers pass invoice ids
    .orderBy('entry.id');
}

/**
 * The entries in force of an invoice, given its own or its application's tag, oldest first. We look the invoice up
 * first and read by its id, so that PostgreSQL always uses the index: a plan for a join that was made while the journal
 * was short read the whole table.
 */
export function selectStanding(connection: Connection, invoiceTag: string): Promise<StandingRow[]> {
  const invoice = connection
    .selectFrom('invoices')
    .where((where) =>
      where.or([where('invoices.tag', '=', invoiceTag), where('invoices.application_tag', '=', invoiceTag)]),
    )
    .select('invoices.id');
  return selectInForce(connection).where('entry.invoice_id', '=', invoice).execute();
}

/** The entries in force of several invoices, oldest first. */
export function selectStandingOf(connection: Connection, invoiceIds: readonly number[]): Promise<StandingRow[]> {
  return selectInForce(connection).where(sql<boolean>`entry.invoice_id = any(${invoiceIds})`).execute();
}

/** The disbursements of several invoices, and their reversals. */
export function selectParts(connection: Connection, invoiceIds: readonly number[]) {
  return connection
    .selectFrom('journal_entries')
    .where(sql<boolean>`invoice_id = any(${invoiceIds})`)
    .where('kind', '=', 'disbursement')
    .select(['invoice_id as invoiceId', 'kind', 'amount', 'carried'])
    .$narrowType<{ kind: 'disbursement' }>()
    .execute();
}

/** An entry and its lines. */
export interface NewEntryRow {
  readonly entry: Insertable<JournalEntries> & { readonly tag: string };
  readonly lines: readonly Line[];
}

/** Adds entries, then their lines: row-level security shows a client their own entry only once it is stored. */
export function insertEntries(change: Change, entries: readonly NewEntryRow[]): void {
  const lines = entries.flatMap((one) => one.lines.map((line) => ({ ...line, tag: one.entry.tag })));
  change.send(
    insertRows(
      change,
      'journal_entries',
      entries.map(({ entry }) => entry),
    ),
  );
  const tags = lines.map(({ tag }) => tag);
  const accounts = lines.map(({ account }) => account);
  const amounts = lines.map(({ amount }) => minorToNumeric(amount));
  change.send(
    change
      .insertInto('journal_lines')
      .columns(['entry_id', 'account', 'amount'])
      .expression(
        sql`select entry.id, line.account, line.amount
          from unnest(${tags}::uuid[], ${accounts}::text[], ${amounts}::numeric[]) as line (tag, account, amount)
          join journal_entries as entry on entry.tag = line.tag`,
      ),
  );
}

/** The two officers who ended a request to pay as paid, for an entry of the surrounding query. */
export const endersOfEntry = (entry: string) => sql`(select unnest(array[proposed_by, confirmed_by])
  from transfer_endings as ending join transfers as transfer on transfer.id = ending.transfer_id
  where transfer.direction = 'in' and transfer.entry_tag = ${sql.ref(entry)} and ending.confirmed_at is not null)`;
