import { sql } from 'kysely';
import type { CashMethod } from '#contract/journal/accounts.ts';
import type { PayoutKind } from '#contract/payouts/schema.ts';
import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';

/** Money that went out: the evidence for a payout, reversed payouts, and the references already used. */

/**
 * Whether someone other than officers confirms that the payment `entry` of a query was paid: the provider's last answer
 * about its transfer, or a statement.
 */
export const isShownPaid = sql<boolean>`(entry.kind in ('disbursement', 'surplus') and (
  exists (select from payouts join transfers as transfer on transfer.payout_id = payouts.id
      left join provider_records as record on record.transfer_id = transfer.id
    where payouts.entry_tag = entry.tag
      and coalesce(record.outcome, case transfer.state when 'succeeded' then 'paid' end) = 'paid')
  or exists (select from statement_lines as line
    where line.rail = entry.method and line.currency_id = entry.currency_id and line.amount < 0
      and line.reference_key = reference_key(entry.reference))))`;

/** Whether a payment is confirmed as paid; see {@link isShownPaid}. */
export async function findShownPaid(connection: Connection, entryId: number): Promise<boolean> {
  const found = await connection
    .selectFrom('journal_entries as entry')
    .where('entry.id', '=', entryId)
    .select(isShownPaid.as('isShown'))
    .executeTakeFirstOrThrow();
  return found.isShown;
}

/** A payment to a client that was reversed and not recorded again under its reference. `amount` in minor units. */
export interface PaidBefore {
  readonly invoiceId: number;
  readonly kind: PayoutKind;
  readonly method: CashMethod;
  readonly reference: string;
  readonly amount: number;
  readonly paidOn: string;
  readonly reversedOn: string;
  readonly isShownPaid: boolean;
}

/** The reversed payments to the clients of several applications, oldest first. */
export async function selectPaidBefore(connection: Connection, invoiceIds: readonly number[]): Promise<PaidBefore[]> {
  if (invoiceIds.length === 0) return [];
  const { rows } = await sql<PaidBefore>`
    select entry.invoice_id as "invoiceId", entry.kind, entry.method, entry.reference, entry.amount,
      entry.occurred_on as "paidOn", counter.occurred_on as "reversedOn", ${isShownPaid} as "isShownPaid"
    from journal_entries as entry join journal_entries as counter on counter.reverses = entry.id
    where entry.invoice_id = any(${invoiceIds}) and entry.kind in ('disbursement', 'surplus')
      and not exists (select from journal_entries as again left join journal_entries as undone on undone.reverses = again.id
        where again.invoice_id = entry.invoice_id and again.kind = entry.kind and again.reverses is null
          and again.method = entry.method and reference_key(again.reference) = reference_key(entry.reference)
          and undone.id is null)
    order by entry.id`.execute(connection);
  return rows;
}

/** Serialises payments out of one account under one reference, so that the second of two is refused. */
export async function lockPaidReference(change: Change, method: CashMethod, reference: string): Promise<void> {
  const key = sql`${method} || ' ' || reference_key(${reference})`;
  await sql`select pg_advisory_xact_lock(hashtext('kasente paid out'), hashtext(${key}))`.execute(change);
}

/** The payment in force out of an account under a reference, with its application; null for money sent back. */
export async function selectPaidUnder(connection: Connection, method: CashMethod, reference: string) {
  return connection
    .selectFrom('journal_entries as entry')
    .leftJoin('journal_entries as counter', 'counter.reverses', 'entry.id')
    .leftJoin('invoices', 'invoices.id', 'entry.invoice_id')
    .innerJoin('currencies', 'currencies.id', 'entry.currency_id')
    .where('entry.kind', 'in', ['disbursement', 'surplus', 'returned'])
    .where('entry.method', '=', method)
    .where(sql<boolean>`reference_key(entry.reference) = reference_key(${reference})`)
    .where('entry.reverses', 'is', null)
    .where('counter.id', 'is', null)
    .select(['entry.amount', 'entry.occurred_on as paidOn', 'currencies.code as currency'])
    .select('invoices.invoice_number as invoiceNumber')
    .executeTakeFirst();
}
