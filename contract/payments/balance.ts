import type { Status, StepName } from '#contract/applications/lifecycle.ts';
import type { FailureCode } from '#contract/errors.ts';
import { addDays } from '#contract/time/calendar.ts';

/**
 * What was paid on an application: an append-only ledger in the invoice's currency, in minor units. An entry never
 * changes; a counter-entry with a reason reverses it.
 */

/**
 * `disbursement`: the net proceeds, to the client. `receipt`: a payment from buyer or client to us. `surplus`: what a
 * buyer paid above the advance, to the client.
 */
export const entryKinds = ['disbursement', 'receipt', 'surplus'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** One entry; a counter-entry has the negated amount of the entry that it reverses. */
export interface Entry {
  readonly kind: EntryKind;
  readonly amount: number;
}

/** An entry in force: neither a counter-entry nor reversed by one. `date` is YYYY-MM-DD. */
export interface StandingEntry extends Entry {
  readonly date: string;
}

/** The balance of an application. Minor units. */
export interface Balance {
  readonly disbursed: number;
  readonly received: number;
  /** The part of the advance that is not paid back; 0 before the disbursement. */
  readonly outstanding: number;
  /** What was received above the advance and not yet passed on to the client. */
  readonly surplusOwed: number;
  readonly surplusPaid: number;
}

/**
 * The balance of an application with that advance, from all its entries or only those in force, which gives the same.
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

/** The due date: the day of the disbursement plus the tenor; null before it. */
export function dueOn(tenorDays: number, standing: readonly StandingEntry[]): string | null {
  const disbursement = standing.find(({ kind }) => kind === 'disbursement');
  return disbursement === undefined ? null : addDays(disbursement.date, tenorDays);
}

/**
 * The day on which the receipts, in the order of payment and not of recording, reached the whole advance; null before.
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
 * Why an entry cannot be recorded, given the balance before it, or undefined. Status and date are checked elsewhere.
 */
export function refusalOfEntry({ kind, amount }: Entry, before: Balance, netProceeds: number): FailureCode | undefined {
  if (kind === 'disbursement' && amount !== netProceeds) return 'NOT_NET_PROCEEDS';
  if (kind === 'surplus' && amount > before.surplusOwed) return 'SURPLUS_TOO_LARGE';
  return undefined;
}

/** Why an entry cannot be reversed, given the balance after that, or undefined. */
export function refusalOfReversal(kind: EntryKind, after: Balance): FailureCode | undefined {
  if (kind === 'disbursement' && after.received > 0) return 'RECEIPTS_EXIST';
  if (kind === 'receipt' && after.surplusOwed < 0) return 'SURPLUS_EXISTS';
  return undefined;
}

/** An entry recorded by the person in question; a counter-entry belongs to who reversed the other one. */
export interface OwnEntry {
  readonly kind: EntryKind;
  /** Whether a counter-entry reverses it. */
  readonly isReversed: boolean;
  /** Whether it is a counter-entry itself. */
  readonly isCounter: boolean;
}

/**
 * Why a person who recorded these entries must leave a payment to another officer, or undefined. A receipt is one
 * officer's word: whoever recorded it does not also pay out the surplus from it. And a payout that was reversed is not
 * repeated by whoever paid or reversed it: the first one may have been real.
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
