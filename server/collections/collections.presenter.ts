import type { CollectionEntry, CollectionSummary, RepaymentReply } from '#contract/collections/schema.ts';
import { fromMinor } from '#contract/money.ts';
import type { StandingEntry } from '#contract/payments/balance.ts';
import { bucketOf } from '#contract/payments/buckets.ts';
import { overdueOf } from '#contract/payments/overdue.ts';
import { payoutAmount } from '#contract/payments/payout-amount.ts';
import { stateOfPromise } from '#contract/payments/promises.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { EntryRow } from './collections.queries.ts';

/** An advance's collection record, newest first, with its payments in force. */
export interface CollectionRecord {
  readonly entries: readonly EntryRow[];
  readonly standing: readonly StandingEntry[];
  /** Today in Kampala (YYYY-MM-DD). */
  readonly today: string;
}

interface Reader {
  readonly isStaff: boolean;
  readonly accounts: readonly string[];
}

/** Presents how an advance is paid back. */
export function presentRepayment(
  { status, currencyCode, repaymentReference, case: { dueOn, outstanding } }: InvoiceRecord,
  record: CollectionRecord,
  { isStaff, accounts }: Reader,
): RepaymentReply {
  const { entries, today } = record;
  const overdue = overdueOf({ status, dueOn, outstanding }, today);
  const late = entries.find(({ kind }) => kind === 'buyerLate');
  const dispute = openDispute(entries);
  return {
    currency: currencyCode,
    outstanding: fromMinor(outstanding ?? 0),
    dueOn,
    overdue,
    bucket: overdue && bucketOf(overdue.days),
    payTo: [...accounts],
    repaymentReference,
    buyerLate: late?.day && late.note ? { date: late.day, reason: late.note, at: late.at.toISOString() } : null,
    dispute: dispute && { since: dispute.at.toISOString(), reason: dispute.note ?? '' },
    mayTellLate: status === 'Disbursed' && dueOn !== null && today <= dueOn,
    entries: isStaff ? entries.map((entry) => presentEntry(entry, record)) : [],
  };
}

function openDispute(entries: readonly EntryRow[]): EntryRow | null {
  const last = entries.find(({ kind }) => kind === 'dispute' || kind === 'disputeEnded');
  return last?.kind === 'dispute' ? last : null;
}

function presentEntry(row: EntryRow, record: CollectionRecord): CollectionEntry {
  const { tag, kind, at, by, note, channel } = row;
  return {
    tag,
    kind,
    at: at.toISOString(),
    by: by ?? '',
    note,
    channel,
    nextStep: presentNextStep(row),
    promise: presentPromise(row, record),
    buyerPaysOn: kind === 'buyerLate' ? row.day : null,
  };
}

function presentNextStep({ next_step: text, day: on }: EntryRow): CollectionEntry['nextStep'] {
  return text === null ? null : { text, on };
}

function presentPromise(
  { kind, at, day, amount, currency }: EntryRow,
  record: CollectionRecord,
): CollectionEntry['promise'] {
  if (kind !== 'promise' || day === null || amount === null) return null;
  const promised = { madeOn: kampalaDate(at), by: day, amount: payoutAmount(amount, currency) };
  const state = stateOfPromise(promised, record.standing, record.today);
  return { date: day, amount: fromMinor(amount), state };
}

/** Presents an advance's collection record for a list: the last entry of each kind. */
export function presentSummary(
  { reference, daysLate }: { readonly reference: string; readonly daysLate: number },
  record: CollectionRecord,
): CollectionSummary {
  const { entries } = record;
  const [contact, promise, late] = (['contact', 'promise', 'buyerLate'] as const).map((kind) =>
    entries.find((entry) => entry.kind === kind),
  );
  return {
    repaymentReference: reference,
    bucket: bucketOf(daysLate),
    disputed: openDispute(entries) !== null,
    buyerPaysOn: late?.day ?? null,
    lastContact: contact ? { at: contact.at.toISOString(), by: contact.by ?? '' } : null,
    nextStep: contact ? presentNextStep(contact) : null,
    promise: promise ? presentPromise(promise, record) : null,
  };
}
