import type { Status, StepName } from '#contract/applications/lifecycle.ts';
import type { FailureCode } from '#contract/errors.ts';
import { addDays } from '#contract/time/calendar.ts';

/**
 * What has been paid on an application: an append-only ledger in the invoice's currency, in minor units. An entry is
 * never changed; a counter-entry with a reason takes it back.
 */

/**
 * `disbursement`: the net proceeds, to the client. `receipt`: what the buyer or the client pays to us.
 * `surplus`: what a buyer paid above the advance, to the client.
 */
export const entryKinds = ['disbursement', 'receipt', 'surplus'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** One entry; a counter-entry has the amount of the entry that it takes back, below 0. */
export interface Entry {
  readonly kind: EntryKind;
  readonly amount: number;
}

/** An entry that stands: it is no counter-entry, and none has taken it back. `date` is YYYY-MM-DD. */
export interface StandingEntry extends Entry {
  readonly date: string;
}

/** Where an application stands. Minor units. */
export interface Balance {
  readonly disbursed: number;
  readonly received: number;
  /** What of the advance has not been paid back yet; 0 before the disbursement. */
  readonly outstanding: number;
  /** What was received above the advance and has not been paid to the client yet. */
  readonly surplusOwed: number;
  readonly surplusPaid: number;
}

/**
 * The balance of the entries of an application with that advance: of all of them, or of those that stand, which comes to
 * the same.
 */
export function balanceOf(advance: number, entries: readonly Entry[]): Balance {
  const sum = (kind: EntryKind): number =>
    entries.reduce((total, entry) => total + (entry.kind === kind ? entry.amount : 0), 0);
  const [disbursed, received, surplusPaid] = [sum('disbursement'), sum('receipt'), sum('surplus')];
  return {
    disbursed,
    received,
    outstanding: disbursed > 0 ? Math.max(0, advance - received) : 0,
    surplusOwed: Math.max(0, received - advance) - surplusPaid,
    surplusPaid,
  };
}

/** When the advance is due back: the day on which it was paid out, and the tenor; null while it is not paid out. */
export function dueOn(tenorDays: number, standing: readonly StandingEntry[]): string | null {
  const disbursement = standing.find(({ kind }) => kind === 'disbursement');
  return disbursement === undefined ? null : addDays(disbursement.date, tenorDays);
}

/**
 * The day on which the receipts came to the whole advance, in the order in which they were paid, not recorded; null while
 * they do not.
 */
export function settledOn(advance: number, standing: readonly StandingEntry[]): string | null {
  let received = 0;
  const receipts = standing.filter(({ kind }) => kind === 'receipt');
  for (const { amount, date } of [...receipts].sort((one, other) => one.date.localeCompare(other.date))) {
    received += amount;
    if (received >= advance) return date;
  }
  return null;
}

/**
 * Why an entry cannot be recorded, given the balance before it; undefined where it can. Its state and its date are asked
 * elsewhere.
 */
export function refusalOfEntry({ kind, amount }: Entry, before: Balance, netProceeds: number): FailureCode | undefined {
  if (kind === 'disbursement' && amount !== netProceeds) return 'NOT_NET_PROCEEDS';
  if (kind === 'surplus' && amount > before.surplusOwed) return 'SURPLUS_TOO_LARGE';
  return undefined;
}

/** Why an entry cannot be taken back, given the balance after that; undefined where it can. */
export function refusalOfReversal(kind: EntryKind, after: Balance): FailureCode | undefined {
  if (kind === 'disbursement' && after.received > 0) return 'RECEIPTS_EXIST';
  if (kind === 'receipt' && after.surplusOwed < 0) return 'SURPLUS_EXISTS';
  return undefined;
}

/** An entry that somebody recorded themselves: a counter-entry is of who took the other one back. */
export interface OwnEntry {
  readonly kind: EntryKind;
  /** Whether a counter-entry has taken it back. */
  readonly isReversed: boolean;
  /** Whether it is a counter-entry itself. */
  readonly isCounter: boolean;
}

/**
 * Why somebody with these entries of their own in a ledger must leave a payment to another officer; undefined where they
 * need not. A receipt is one officer's word: who gave it does not also pay out what it leaves over. And what was paid out
 * and taken back, a surplus too, is not paid out again by who did either: it may have been paid the first time.
 */
export function refusalOfRecorder(
  kind: EntryKind,
  own: readonly OwnEntry[],
): 'OWN_RECEIPT' | 'OWN_DISBURSEMENT' | 'OWN_SURPLUS' | undefined {
  if (kind === 'disbursement') return own.some((entry) => entry.kind === kind) ? 'OWN_DISBURSEMENT' : undefined;
  if (kind === 'receipt') return undefined;
  if (own.some((entry) => entry.kind === 'receipt' && !entry.isReversed)) return 'OWN_RECEIPT';
  return own.some((entry) => entry.kind === kind && (entry.isReversed || entry.isCounter)) ? 'OWN_SURPLUS' : undefined;
}

/** The step that an entry takes, given the balance after it. */
export function stepOfEntry(kind: EntryKind, status: Status, after: Balance): StepName {
  switch (kind) {
    case 'disbursement':
      return 'disburse';
    case 'receipt':
      if (status === 'Settled') return 'receiveMore';
      return after.outstanding === 0 ? 'settle' : 'receivePart';
    case 'surplus':
      return 'paySurplus';
  }
}

/** The step that a counter-entry takes, given the balance after it. */
export function stepOfReversal(kind: EntryKind, status: Status, after: Balance): StepName {
  switch (kind) {
    case 'disbursement':
      return 'reverseDisbursement';
    case 'receipt':
      if (status === 'Disbursed') return 'reversePart';
      return after.outstanding > 0 ? 'reverseSettlement' : 'reverseMore';
    case 'surplus':
      return 'reverseSurplus';
  }
}
