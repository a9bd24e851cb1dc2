import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';

/**
 * Open payouts by file, or only one, each with the outgoing lines of its account that have its amount and are not older
 * than its file. The caller checks whether a line names the payout.
 */
export function selectPaid(connection: Connection, tag?: string) {
  const paid = connection
    .selectFrom('transfers as transfer')
    .innerJoin('payout_batches as batch', 'batch.id', 'transfer.batch_id')
    .innerJoin('invoices', 'invoices.id', 'transfer.invoice_id')
    .innerJoin('payouts', 'payouts.id', 'transfer.payout_id')
    .innerJoin('payout_accounts as account', 'account.id', 'payouts.account_id')
    .innerJoin('currencies', 'currencies.code', 'transfer.currency')
    .innerJoin('statement_lines as line', (join) =>
      join
        .onRef('line.rail', '=', 'account.provider')
        .onRef('line.currency_id', '=', 'currencies.id')
        .on(sql<boolean>`line.amount = -transfer.amount`)
        .on(sql<boolean>`line.occurred_on >= (batch.made_at at time zone 'Africa/Kampala')::date`),
    )
    .where('transfer.known_at', 'is', null)
    .select(['transfer.tag', 'transfer.file_reference as reference', 'invoices.tag as invoiceTag'])
    .select(['line.provider_id as providerReference', 'line.occurred_on as paidOn', 'line.details'])
    .orderBy('line.id');
  return (tag === undefined ? paid : paid.where('transfer.tag', '=', tag)).execute();
}
export type PaidRow = Awaited<ReturnType<typeof selectPaid>>[number];
