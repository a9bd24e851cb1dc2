import { positionOf } from '#contract/journal/position.ts';
import { fromMinor } from '#contract/money.ts';
import { balanceOf } from '#contract/payments/balance.ts';
import { overdueOf } from '#contract/payments/overdue.ts';
import type { LedgerEntry, PaymentsReply, WriteOffProposal } from '#contract/payments/schema.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.service.ts';
import type { OpenProposal } from '#server/payments/write-offs/write-offs.queries.ts';
import type { LedgerRow } from './payments.queries.ts';

/** The reader, and the day in Kampala (YYYY-MM-DD). */
export interface Reader {
  readonly isStaff: boolean;
  readonly personId: number;
  readonly today: string;
}

interface Recorded {
  readonly ledger: readonly LedgerRow[];
  /** The write-off that waits, for staff. */
  readonly writeOff: OpenProposal | undefined;
}

/** Presents the payments of an application. A client learns neither who recorded one nor why it was reversed. */
export function presentPayments(
  { status, application, faceValue, case: { dueOn } }: InvoiceRecord,
  { ledger, writeOff }: Recorded,
  { isStaff, personId, today }: Reader,
): PaymentsReply {
  const terms = { faceValue, advance: application?.advance ?? 0, netProceeds: application?.netProceeds ?? 0 };
  const balance = balanceOf(terms.advance, ledger);
  const deducted = ledger.reduce((sum, { kind, amount }) => sum + (kind === 'deduction' ? amount : 0), 0);
  return {
    disbursed: fromMinor(balance.disbursed),
    received: fromMinor(balance.received),
    outstanding: fromMinor(balance.outstanding),
    surplusOwed: fromMinor(balance.surplusOwed),
    surplusPaid: fromMinor(balance.surplusPaid),
    deducted: fromMinor(deducted),
    buyerOwes: fromMinor(positionOf(terms, ledger).buyersOwe ?? 0),
    lost: fromMinor(balance.lost),
    writeOff: writeOff === undefined ? null : presentProposal(writeOff, personId),
    dueOn,
    overdue: overdueOf({ status, dueOn, outstanding: balance.outstanding }, today),
    entries: ledger.map((row) => presentEntry(row, isStaff)),
  };
}

function presentProposal(
  { tag, amount, reason, proposedAt, proposedBy, proposedByName }: OpenProposal,
  personId: number,
): WriteOffProposal {
  const said = { tag, amount: fromMinor(amount), reason, proposedAt: proposedAt.toISOString() };
  return { ...said, proposedBy: proposedByName, isOwn: proposedBy === personId };
}

function presentEntry(row: LedgerRow, isStaff: boolean): LedgerEntry {
  const { tag, kind, method, deduction, payer, reverses } = row;
  return {
    tag,
    kind,
    amount: fromMinor(row.amount),
    date: row.occurred_on,
    method,
    reference: row.reference ?? row.certificate,
    deduction,
    payer,
    reverses,
    reversed: row.counter_id !== null,
    reason: isStaff ? row.reason : null,
    recordedAt: row.recorded_at.toISOString(),
    recordedBy: isStaff ? row.recorded_by : null,
  };
}
