import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';

/** A bank payment of one application that nobody ordered. */
interface Planted {
  readonly id: number;
  readonly tag?: string;
  readonly kind?: 'disbursement' | 'surplus';
  /** UGX; the net proceeds unless given. */
  readonly amount?: string;
  readonly at: Date;
  /** The id of the officer who recorded it. */
  readonly by: number;
}

/**
 * The SQL that adds such a payment as server/journal/journal.service.ts would post it, without any of the steps before
 * it.
 */
export function plantedPayment({
  id,
  tag = randomUUID(),
  kind = 'disbursement',
  amount,
  at,
  by,
}: Planted): RawBuilder<unknown> {
  const lines =
    kind === 'surplus'
      ? sql`('clientPayable', entry.amount)`
      : sql`('advances', advance), ('feesNotEarned', -discount_fee), ('buyersOwe', face_value), ('financedInvoices', -face_value)`;
  return sql`with entry as (
      insert into journal_entries (tag, invoice_id, currency_id, kind, amount, occurred_on, method, reference,
        recorded_at, recorded_by)
      select ${tag}, id, currency_id, ${kind}, coalesce(${amount ?? null}::numeric, net_proceeds), '2026-11-20', 'bank', ${tag},
        ${at}, ${by}
      from invoices where id = ${id} returning id, invoice_id, amount)
    insert into journal_lines (entry_id, account, amount)
    select entry.id, line.account, line.amount from entry join invoices on invoices.id = entry.invoice_id,
      lateral (values ('cashBank', -entry.amount), ${lines}) as line (account, amount)`;
}
