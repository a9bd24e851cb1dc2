import { sql } from 'kysely';
import type { PostedKind } from '#contract/journal/position.ts';
import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';
import { endersOfEntry } from '#server/journal/journal.queries.ts';
import { isShownPaid } from '#server/journal/paid-out.queries.ts';
import { personName } from '#server/sessions/person-name.ts';

/**
 * Every entry of an invoice with the officers behind it, for the rules about officers. These are the officer who
 * recorded it, the proposer, the importer of its statement, and the two officers who ended its request to pay by hand.
 */
export async function selectRecorded(connection: Connection, invoiceId: number) {
  const rows = await connection
    .selectFrom('journal_entries as entry')
    .leftJoin('journal_entries as counter', 'counter.reverses', 'entry.id')
    .leftJoin('imported_lines as line', 'line.id', 'entry.statement_line_id')
    .leftJoin('statements', 'statements.id', 'line.statement_id')
    .where('entry.invoice_id', '=', invoiceId)
    .select(['entry.kind', 'entry.reverses', 'entry.recorded_by as recordedBy', 'counter.id as counter_id'])
    .select('statements.imported_by as importedBy')
    .select(sql<number[]>`array${endersOfEntry('entry.tag')}`.as('endedBy'))
    .select(
      sql<number[]>`array(select proposed_by from write_off_proposals where entry_tag = entry.tag)`.as('proposedBy'),
    )
    .$narrowType<{ kind: PostedKind }>() // entries of an application
    .execute();
  return rows.flatMap((row) => {
    const entry = { kind: row.kind, isReversed: row.counter_id !== null, isReversal: row.reverses !== null };
    const importers = row.importedBy === null || entry.isReversal ? [] : [row.importedBy];
    return [row.recordedBy, ...importers, ...row.endedBy, ...row.proposedBy].map((recordedBy) => ({
      ...entry,
      recordedBy,
    }));
  });
}

/** The officer who prepared the payout of an invoice that waits for its release. */
export async function selectPreparer(connection: Connection, invoiceId: number): Promise<number | undefined> {
  const open = await connection
    .selectFrom('payouts')
    .where('invoice_id', '=', invoiceId)
    .where('released_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .select('prepared_by as preparedBy')
    .executeTakeFirst();
  return open?.preparedBy;
}

/**
 * The entries of an invoice with the people who recorded them, oldest first, without the daily shares of a fee. Clients
 * do not see the evidence from statements.
 */
export function selectLedger(connection: Connection, invoiceId: number, { isStaff }: { readonly isStaff: boolean }) {
  return connection
    .selectFrom('journal_entries as entry')
    .leftJoin('persons', 'persons.id', 'entry.recorded_by') // the recorder is not shown to clients
    .leftJoin('journal_entries as counter', 'counter.reverses', 'entry.id')
    .leftJoin('journal_entries as original', 'original.id', 'entry.reverses')
    .where('entry.invoice_id', '=', invoiceId)
    .where('entry.kind', '<>', 'feeEarned')
    .select(['entry.tag', 'entry.kind', 'entry.amount', 'entry.occurred_on', 'entry.method', 'entry.reference'])
    .select([
      'entry.carried',
      'entry.rounded',
      'entry.deduction',
      'entry.certificate',
      'entry.payer',
      'entry.reason',
      'entry.recorded_at',
    ])
    .select(['original.tag as reverses', 'counter.id as counter_id'])
    .select((isStaff ? isShownPaid : sql<boolean>`false`).as('is_shown_paid'))
    .select(personName('persons').$castTo<string | null>().as('recorded_by'))
    .$narrowType<{ kind: Exclude<PostedKind, 'feeEarned'> }>()
    .orderBy('entry.id')
    .execute();
}

export type LedgerRow = Awaited<ReturnType<typeof selectLedger>>[number];

/** The id of an entry, and the tag of its invoice. */
export function selectEntry(connection: Connection, tag: string) {
  return connection
    .selectFrom('journal_entries')
    .innerJoin('invoices', 'invoices.id', 'journal_entries.invoice_id')
    .where('journal_entries.tag', '=', tag)
    .select(['journal_entries.id', 'invoices.tag as invoiceTag'])
    .executeTakeFirst();
}

/** When an application was first settled, even if that was reversed since; undefined if never. */
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

/** Serialises entries with the same certificate, so that the second of two is refused. */
export async function lockCertificate(change: Change, certificate: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('kasente certificate'), hashtext(certificate_key(${certificate})))`.execute(
    change,
  );
}

/** Whether a deduction in force, on any application, has that certificate. */
export async function isCertificateUsed(connection: Connection, certificate: string): Promise<boolean> {
  const used = await connection
    .selectFrom('journal_entries as entry')
    .leftJoin('journal_entries as counter', 'counter.reverses', 'entry.id')
    .where(sql<boolean>`certificate_key(entry.certificate) = certificate_key(${certificate})`)
    .where('entry.reverses', 'is', null)
    .where('counter.id', 'is', null)
    .select('entry.id')
    .executeTakeFirst();
  return used !== undefined;
}
