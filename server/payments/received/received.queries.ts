import { sql } from 'kysely';
import type { CashMethod } from '#contract/journal/accounts.ts';
import type { ReferenceUse } from '#contract/payments/references/used-reference.ts';
import type { Rail } from '#contract/statements/layouts.ts';
import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';

/** Serialises everything that counts money of a rail by reference: imports, typed receipts and requests to pay. */
export async function lockRail(change: Change, rail: CashMethod): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('kasente statements'), hashtext(${rail}))`.execute(change);
}

/** Whether a statement shows incoming money under a reference. */
export async function isOnStatement(connection: Connection, rail: CashMethod, key: string): Promise<boolean> {
  const line = await connection
    .selectFrom('statement_lines')
    .where('reference_key', '=', key)
    .where('amount', '>', 0)
    .where(sql<boolean>`rail = ${rail}`)
    .select('id')
    .executeTakeFirst();
  return line !== undefined;
}

/**
 * The entries in force of applications with a reference, oldest first. An MTN or Airtel number is also looked for among
 * our payouts, and among the mobile money entries of the first release, which name no network.
 */
export function selectReferenceUses(connection: Connection, method: Rail, key: string): Promise<ReferenceUse[]> {
  const entries = connection
    .selectFrom('journal_entries as entry')
    .innerJoin('invoices', 'invoices.id', 'entry.invoice_id')
    .leftJoin('journal_entries as counter', 'counter.reverses', 'entry.id')
    .where(sql<boolean>`reference_key(entry.reference) = ${key}`)
    .where('entry.method', 'in', method === 'bank' ? [method] : [method, 'mobileMoney'])
    .where('entry.reverses', 'is', null)
    .where('counter.id', 'is', null);
  return (method === 'bank' ? entries.where('entry.kind', '=', 'receipt') : entries)
    .select(['invoices.tag as applicationTag', 'invoices.invoice_number as invoiceNumber'])
    .select(['invoices.repayment_reference as repaymentReference', 'entry.occurred_on as date'])
    .select(sql<boolean>`entry.kind = 'receipt' and entry.transfer_id is not null`.as('isRequest'))
    .orderBy('entry.id')
    .execute();
}

/** The line that proves a receipt, unless another receipt in force accounts for it or the money is in suspense. */
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
