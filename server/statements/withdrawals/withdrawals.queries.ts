import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';

/** Withdrawals of statements, and the proposals for them. */

/** An imported statement, withdrawn or not. */
export function selectStatement(connection: Connection, tag: string) {
  return connection
    .selectFrom('statements')
    .innerJoin('currencies', 'currencies.id', 'statements.currency_id')
    .where('statements.tag', '=', tag)
    .select(['statements.id', 'statements.tag', 'rail', 'currency_id as currencyId', 'currencies.code as currency'])
    .select(['file_name as fileName', 'from_on as from', 'until_on as until'])
    .executeTakeFirst();
}
export type StatementRow = NonNullable<Awaited<ReturnType<typeof selectStatement>>>;

/** The proposal to withdraw a statement, open or confirmed. */
export function selectWithdrawal(connection: Connection, statementId: number) {
  return connection
    .selectFrom('statement_withdrawals')
    .where('statement_id', '=', statementId)
    .where('dropped_at', 'is', null)
    .select(['id', 'tag', 'reason', 'proposed_by as proposedBy'])
    .select(sql<boolean>`confirmed_at is not null`.as('isConfirmed'))
    .executeTakeFirst();
}
export type WithdrawalRow = NonNullable<Awaited<ReturnType<typeof selectWithdrawal>>>;

/**
 * Locks the rows that officers and the matching lock for a statement's lines, and the open questions about repeats. A
 * transaction that waited for these locks reads afterwards, so it sees a confirmed withdrawal.
 */
export async function lockLines(change: Change, statementId: number): Promise<void> {
  await sql`select from suspense join imported_lines as line on line.id = suspense.line_id
    where line.statement_id = ${statementId} order by line.id for update of suspense`.execute(change);
  await sql`select from possible_repeats where line_id in (select id from imported_lines where statement_id = ${statementId})
      or of_line_id in (select id from imported_lines where statement_id = ${statementId})
    order by line_id for update`.execute(change);
}

/** The ids and references that identify the payments of a statement's lines. */
export async function selectNames(connection: Connection, statementId: number) {
  const lines = await connection
    .selectFrom('imported_lines')
    .where('statement_id', '=', statementId)
    .select(['reference_key as key', 'details'])
    .execute();
  return { keys: lines.map(({ key }) => key), texts: lines.map(({ details }) => details) };
}

interface Arrival {
  readonly id: number;
  readonly tag: string;
  readonly amount: number;
  readonly reference: string;
  /** The date of the counter entry: the day of the arrival, or today if that day is closed. */
  readonly date: string;
}

/** The lines of a statement, each with its arrival if it came into suspense. */
export async function selectArrivals(connection: Connection, statementId: number, today: string) {
  const { rows } = await sql<{ id: number; tag: string; arrival: Arrival | null }>`
    select line.id, line.tag, case when entry.id is not null then jsonb_build_object('id', entry.id, 'tag', entry.tag,
        'amount', (entry.amount * 100)::bigint, 'reference', entry.reference,
        'date', case when closed.id is null then entry.occurred_on else ${today}::date end) end as arrival
    from imported_lines as line
    left join journal_entries as entry on entry.statement_line_id = line.id and entry.kind = 'arrival'
    left join reconciled_days as closed on closed.rail = line.rail and closed.currency_id = line.currency_id
      and closed.day = entry.occurred_on
    where line.statement_id = ${statementId} order by line.id`.execute(connection);
  return rows;
}

/** Stores a proposal. */
export function insertWithdrawal(
  change: Change,
  proposal: {
    readonly tag: string;
    readonly statement_id: number;
    readonly reason: string;
    readonly proposed_at: Date;
    readonly proposed_by: number;
  },
): void {
  change.send(change.insertInto('statement_withdrawals').values(proposal));
}

/** Closes a proposal. */
export function endWithdrawal(
  change: Change,
  id: number,
  how:
    | { readonly confirmed_at: Date; readonly confirmed_by: number }
    | { readonly dropped_at: Date; readonly dropped_by: number },
): void {
  change.send(change.updateTable('statement_withdrawals').set(how).where('id', '=', id));
}
