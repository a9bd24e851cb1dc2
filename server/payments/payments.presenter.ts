import { positionOf, restOf } from '#contract/journal/position.ts';
import { fromMinor } from '#contract/money.ts';
import { balanceOf } from '#contract/payments/balance.ts';
import { isDerived } from '#contract/payments/derived/derived.ts';
import { chargeAt, type LateTerms, lateChargeCap } from '#contract/payments/derived/late-charge.ts';
import { type LedgerFacts, refusalsToConfirm, refusalsToWriteOff, reversalOf } from '#contract/payments/ledger-acts.ts';
import { overdueOf } from '#contract/payments/overdue.ts';
import { payableUnit } from '#contract/payments/payout-amount.ts';
import type { LateCharge, LedgerEntry, LedgerKind, PaymentsReply, Proposal } from '#contract/payments/schema.ts';
import { addDays } from '#contract/time/calendar.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { OpenProposal } from '#server/payments/proposals/proposals.queries.ts';
import type { LedgerRow } from './payments.queries.ts';

/** What only officers see. */
export interface OfficersSide {
  readonly open: OpenProposal | undefined;
  /** Undefined if the officer may do nothing here. */
  readonly facts: LedgerFacts | undefined;
}

interface Recorded {
  readonly ledger: readonly LedgerRow[];
  /** Undefined for a client. */
  readonly officer: OfficersSide | undefined;
  /** Today in Kampala. */
  readonly today: string;
}

/** Presents the payments of an application. Clients do not see who recorded a payment, nor why it was reversed. */
export function presentPayments(
  { status, application, faceValue, currencyCode, lateChargeBps, case: { dueOn } }: InvoiceRecord,
  { ledger, officer, today }: Recorded,
): PaymentsReply {
  const terms = { faceValue, advance: application?.advance ?? 0, netProceeds: application?.netProceeds ?? 0 };
  const balance = balanceOf(terms.advance, ledger);
  const deducted = ledger.reduce((sum, { kind, amount }) => sum + (kind === 'deduction' ? amount : 0), 0);
  return {
    disbursed: fromMinor(balance.disbursed),
    restOwed: fromMinor(restOf(terms, ledger)),
    received: fromMinor(balance.received),
    outstanding: fromMinor(balance.outstanding),
    surplusOwed: fromMinor(balance.surplusOwed),
    surplusPaid: fromMinor(balance.surplusPaid),
    deducted: fromMinor(deducted),
    buyerOwes: fromMinor(positionOf(terms, ledger).buyersOwe ?? 0),
    lost: fromMinor(balance.lost),
    proposal: officer?.open === undefined ? null : presentProposal(officer.open, officer.facts),
    writeOffRefusals: officer?.facts === undefined ? null : refusalsToWriteOff(officer.facts),
    dueOn,
    overdue: overdueOf({ status, dueOn, outstanding: balance.outstanding }, today),
    lateCharge:
      lateChargeBps === 0
        ? null
        : presentLateCharge({ advance: terms.advance, lateChargeBps, unit: payableUnit(currencyCode), today }, ledger),
    entries: ledger.filter(isListed).map((row) => presentEntry(row, officer)),
  };
}

function isListed(row: LedgerRow): row is ListedRow {
  return !isDerived(row);
}
type ListedRow = LedgerRow & { readonly kind: LedgerKind };

type LateBasis = Omit<LateTerms, 'dueOn'> & { readonly today: string };

function presentLateCharge({ today, ...terms }: LateBasis, ledger: readonly LedgerRow[]): LateCharge {
  const charges = ledger.filter((row) => row.kind === 'lateCharge' && row.reverses === null && row.counter_id === null);
  const charged = charges.reduce((sum, { amount }) => sum + amount, 0);
  const cap = lateChargeCap(terms.advance);
  const entries = ledger.map((row) => ({ ...row, date: row.occurred_on }));
  return {
    charged: fromMinor(charged),
    days: charges.length,
    perDay: fromMinor(Math.min(cap - charged, chargeAt(terms, entries, addDays(today, 1)))),
    atMost: fromMinor(cap),
  };
}

function presentProposal(open: OpenProposal, facts: LedgerFacts | undefined): Proposal {
  const { tag, kind, amount, reason, proposedAt, proposedByName: proposedBy, entryTag } = open;
  const refusals = facts === undefined ? [] : refusalsToConfirm(facts, open);
  const said = { tag, kind, amount: fromMinor(amount), reason, proposedAt: proposedAt.toISOString() };
  return { ...said, proposedBy, refusals, entryTag, receipt: termsOf(open) };
}

function termsOf({ method, reference, paidOn: date, payer }: OpenProposal): Proposal['receipt'] {
  if (method === null || reference === null || date === null || payer === null) return null;
  return { method, reference, date, payer };
}

function presentEntry(row: ListedRow, officer: OfficersSide | undefined): LedgerEntry {
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
    reversal: officer?.facts === undefined ? null : reversalOf(officer.facts, tag),
    reason: officer === undefined ? null : row.reason,
    recordedAt: row.recorded_at.toISOString(),
    recordedBy: officer === undefined ? null : row.recorded_by,
  };
}
