import { type Insertable, sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import type { PayoutBatches } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';
import { personName } from '#server/sessions/person-name.ts';
import { isAccountHeld, waitsForFile } from '#server/transfers/transfers.queries.ts';

/** Payouts for the next file: released, not in a file yet, and to an account that may be paid. */
function waiting(connection: Connection) {
  return connection
    .selectFrom('transfers as transfer')
    .innerJoin('payouts', 'payouts.id', 'transfer.payout_id')
    .innerJoin('payout_accounts as account', 'account.id', 'payouts.account_id')
    .innerJoin('invoices', 'invoices.id', 'transfer.invoice_id')
    .where(waitsForFile)
    .where((where) => where.not(isAccountHeld))
    .select(['transfer.id', 'transfer.tag', 'transfer.rail', 'transfer.currency', 'transfer.amount', 'transfer.number'])
    .select(['transfer.holder_name as holderName', 'transfer.file_reference as reference'])
    .select(['account.bank_name as bankName', 'invoices.tag as invoiceTag', 'payouts.tag as payoutTag'])
    .orderBy('transfer.id');
}

/** All payouts that wait for a file. */
export function selectWaiting(connection: Connection) {
  return waiting(connection).execute();
}

/**
 * The waiting payouts of one rail and currency, locked, so that two batches cannot take the same payout and nobody can
 * freeze its account.
 */
export function lockWaiting(
  change: Change,
  { rail, currency, limit }: { readonly rail: string; readonly currency: string; readonly limit: number },
) {
  return waiting(change)
    .where('transfer.rail', '=', rail)
    .where('transfer.currency', '=', currency)
    .limit(limit)
    .forUpdate('transfer')
    .forShare('account')
    .execute();
}

/** The number of the next batch. Batches are made one at a time, so that there are no gaps in the numbers. */
export async function takeNumber(change: Change): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('kasente payout batch'))`.execute(change);
  const last = await change
    .selectFrom('payout_batches')
    .select((query) => query.fn.max('number').as('number'))
    .executeTakeFirst();
  return (last?.number ?? 0) + 1;
}

/** Stores a batch, and marks its payouts as sent with it. */
export async function insertBatch(change: Change, batch: Insertable<PayoutBatches>, transferIds: readonly number[]) {
  const { id } = await change.insertInto('payout_batches').values(batch).returning('id').executeTakeFirstOrThrow();
  change.send(
    change
      .updateTable('transfers')
      // Officers who were told that the payout waits for a file are told again if no statement shows it.
      .set({ state: 'sent', sent_at: batch.made_at, batch_id: id, told_at: null })
      .where(sql<boolean>`id = any(${transferIds})`),
  );
}

function batches(connection: Connection) {
  return connection
    .selectFrom('payout_batches as batch')
    .innerJoin('persons', 'persons.id', 'batch.made_by')
    .select(['batch.id', 'batch.tag', 'batch.number', 'batch.rail', 'batch.currency', 'batch.total', 'batch.sha256'])
    .select(['batch.from_number as fromNumber', 'batch.from_name as fromName', 'batch.payout_count as payoutCount'])
    .select(['batch.made_at as madeAt', personName('persons').as('madeBy')])
    .select(
      sql<number>`(select count(*)::integer from transfers where batch_id = batch.id and known_at is null)`.as('open'),
    );
}
export type BatchRow = Awaited<ReturnType<typeof selectBatches>>[number];

/** The newest batches. */
export function selectBatches(connection: Connection, limit: number) {
  return batches(connection).orderBy('batch.number', 'desc').limit(limit).execute();
}

export function selectBatch(connection: Connection, tag: string): Promise<BatchRow | undefined> {
  return batches(connection).where('batch.tag', '=', tag).executeTakeFirst();
}

/** The payouts of a batch, in the order of its file. */
export function selectBatched(connection: Connection, batchId: number) {
  return connection
    .selectFrom('transfers as transfer')
    .innerJoin('payouts', 'payouts.id', 'transfer.payout_id')
    .innerJoin('payout_accounts as account', 'account.id', 'payouts.account_id')
    .where('transfer.batch_id', '=', batchId)
    .select(['transfer.amount', 'transfer.number', 'transfer.holder_name as holderName'])
    .select(['transfer.file_reference as reference', 'account.bank_name as bankName'])
    .orderBy('transfer.id')
    .execute();
}
