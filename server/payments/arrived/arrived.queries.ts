import { sql } from 'kysely';
import type { CashMethod } from '#contract/journal/accounts.ts';
import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';

/** An import of a rail's statement and officers' typed receipts of that rail exclude each other. */
export async function lockRail(change: Change, rail: CashMethod, how: 'shared' | 'exclusive'): Promise<void> {
  const lock = sql.raw(how === 'exclusive' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared');
  await sql`select ${lock}(hashtext('kasente statements'), hashtext(${rail}))`.execute(change);
}

/** Whether a statement shows incoming money under that reference. */
export async function isOnStatement(connection: Connection, rail: CashMethod, key: string): Promise<boolean> {
  const line = await connection
    .selectFrom('statement_lines')
    .where('provider_key', '=', key)
    .where('amount', '>', 0)
    .where(sql<boolean>`rail = ${rail}`)
    .select('id')
    .executeTakeFirst();
  return line !== undefined;
}

/** Whether a receipt in force from a request to pay has that reference. */
export async function isCountedRequest(connection: Connection, method: CashMethod, key: string): Promise<boolean> {
  const entry = await connection
    .selectFrom('journal_entries as entry')
    .leftJoin('journal_entries as counter', 'counter.reverses', 'entry.id')
    .where('entry.method', '=', method)
    .where(sql<boolean>`reference_key(entry.reference) = ${key}`)
    .where('entry.transfer_id', 'is not', null)
    .where('counter.id', 'is', null)
    .select('entry.id')
    .executeTakeFirst();
  return entry !== undefined;
}

/** The line that proves a receipt, unless another receipt in force accounts for it or it is in suspense. */
export function selectKnownLine(connection: Connection, entryId: number) {
  return connection
    .selectFrom('known_receipts as known')
    .innerJoin('statement_lines as line', 'line.id', 'known.line_id')
    .where('known.entry_id', '=', entryId)
    .where(
      sql<boolean>`not exists (select from known_receipts as other
        left join journal_entries as counter on counter.reverses = other.entry_id
        where other.line_id = line.id and other.entry_id <> known.entry_id and counter.id is null)`,
    )
    .where(sql<boolean>`not exists (select from suspense where suspense.line_id = line.id)`)
    .select(['line.id', 'line.tag', 'line.rail', 'line.currency_id as currencyId', 'line.amount'])
    .select(['line.occurred_on as date', 'line.provider_id as providerId'])
    .executeTakeFirst();
}
