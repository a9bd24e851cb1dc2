import { fromMinor } from '#contract/money.ts';
import { balanceOf } from '#contract/payments/balance.ts';
import { overdueOf } from '#contract/payments/overdue.ts';
import type { LedgerEntry, PaymentsReply } from '#contract/payments/schema.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.service.ts';
import type { LedgerRow } from './payments.queries.ts';

/** The reader, and the day in Kampala (YYYY-MM-DD). */
export interface Reader {
  readonly isStaff: boolean;
  readonly today: string;
}

/** Presents the payments of an application. A client learns neither who recorded one nor why it was reversed. */
export function presentPayments(
  { status, application, case: { dueOn } }: InvoiceRecord,
  ledger: readonly LedgerRow[],
  { isStaff, today }: Reader,
): PaymentsReply {
  const balance = balanceOf(application?.advance ?? 0, ledger);
  return {
    disbursed: fromMinor(balance.disbursed),
    received: fromMinor(balance.received),
    outstanding: fromMinor(balance.outstanding),
    surplusOwed: fromMinor(balance.surplusOwed),
    surplusPaid: fromMinor(balance.surplusPaid),
    dueOn,
    overdue: overdueOf({ status, dueOn, outstanding: balance.outstanding }, today),
    entries: ledger.map((row) => presentEntry(row, isStaff)),
  };
}

function presentEntry(row: LedgerRow, isStaff: boolean): LedgerEntry {
  const { tag, kind, method, reference, payer, reverses } = row;
  return {
    tag,
    kind,
    amount: fromMinor(row.amount),
    date: row.paid_on,
    method,
    reference,
    payer,
    reverses,
    reversed: row.counter_id !== null,
    reason: isStaff ? row.reason : null,
    recordedAt: row.recorded_at.toISOString(),
    recordedBy: isStaff ? row.recorded_by : null,
  };
}
