import type { Status, StepName } from '#contract/applications/lifecycle.ts';
import type { FailureCode } from '#contract/errors.ts';
import { type Posted, type PostedKind, sumsOf } from '#contract/journal/position.ts';
import { addDays } from '#contract/time/calendar.ts';
import { type Holidays, payingDayFrom } from '#contract/time/working-time.ts';

/**
 * The payments on an application, in the invoice's currency and in minor units. An entry never changes; a reversal with
 * a reason corrects it.
 */

/**
 * `disbursement`: the net proceeds, or a part of them, paid to the client. `receipt`: a payment from buyer or client to
 * us. `surplus`: an amount that came in above the debt, passed on to the client.
 */
export const entryKinds = ['disbursement', 'receipt', 'surplus'] as const;
export type EntryKind = (typeof entryKinds)[number];

export function isPayment(kind: PostedKind): kind is EntryKind {
  return entryKinds.some((one) => one === kind);
}

/** Whether an officer may reverse this kind. Derived entries (fees, late charges) are corrected with their source. */
export function isReversible(kind: PostedKind): boolean {
  return isPayment(kind) || kind === 'deduction';
}

/** One payment; a reversal has the negated amount of the entry that it reverses. */
export interface Entry {
  readonly kind: EntryKind;
  readonly amount: number;
}

/** An entry in force: neither a reversal nor reversed. `date` is YYYY-MM-DD. */
export interface StandingEntry extends Posted {
  readonly date: string;
}

/** The balance of an application. Minor units. */
export interface Balance {
  readonly disbursed: number;
  readonly received: number;
  /** The debt neither paid back nor written off; 0 before the disbursement. */
  readonly outstanding: number;
  /** The amount received above the debt and not yet passed on to the client. */
  readonly surplusOwed: number;
  readonly surplusPaid: number;
  /**
   * Everything that we owe the client, including amounts too small to send, except the rest of a payout in parts
   * (`restOf`).
   */
  readonly owedToClient: number;
  /** The amount written off, and the part of it that nobody has paid since. */
  readonly writtenOff: number;
  readonly lost: number;
}

/** The balance of an application, from all its entries or only from those in force: the result is the same. */
export function balanceOf(advance: number, entries: readonly Posted[]): Balance {
  const sums = sumsOf({ advance }, entries);
  return {
    disbursed: sums.disbursed,
    received: sums.received,
    outstanding: sums.owed - sums.writtenOff - sums.applied,
    surplusOwed: sums.surplus - sums.surplusPaid - sums.roundedSurplus,
    surplusPaid: sums.surplusPaid,
    owedToClient: sums.surplus - sums.surplusPaid - sums.carried - sums.rounded,
    writtenOff: sums.writtenOff,
    lost: sums.writtenOff - sums.recovered,
  };
}

/** The day of the disbursement, or of its first part; null before it. */
export function paidOutOn(standing: readonly StandingEntry[]): string | null {
  return standing.find(({ kind }) => kind === 'disbursement')?.date ?? null;
}

/**
 * The due date: the day of the disbursement plus the tenor, moved to a day on which people pay; null before it. It is
 * fixed at the disbursement, so a holiday announced later doesn't move a date that people were told.
 */
export function dueOn(tenorDays: number, standing: readonly StandingEntry[], holidays: Holidays): string | null {
  const paidOut = paidOutOn(standing);
  return paidOut && payingDayFrom(addDays(paidOut, tenorDays), holidays);
}

/**
 * The day on which the receipts, in order of payment rather than recording, reached the whole payable debt; null before
 * it.
 */
export function settledOn(advance: number, standing: readonly StandingEntry[]): string | null {
  const { owed, roundedOff } = sumsOf({ advance }, standing);
  let received = 0;
  const receipts = standing.filter(({ kind }) => kind === 'receipt');
  for (const { amount, date } of [...receipts].sort((one, other) => one.date.localeCompare(other.date))) {
    received += amount;
    if (owed > 0 && received >= owed - roundedOff) return date;
  }
  return null;
}

/** Why an entry cannot be recorded, or undefined. Status and date are checked elsewhere. */
export function refusalOfEntry({ kind, amount }: Entry, before: Balance, sendable: number): FailureCode | undefined {
  if (kind === 'disbursement' && amount !== sendable) return 'NOT_NET_PROCEEDS';
  if (kind === 'surplus' && amount > before.owedToClient) return 'SURPLUS_TOO_LARGE';
  return undefined;
}

/**
 * Why an entry cannot be reversed, given the balance and the entries in force after that, or undefined. A later part of
 * a payout can always be reversed, because nothing depends on it.
 */
export function refusalOfReversal(
  kind: PostedKind,
  after: Pick<Balance, 'surplusOwed'>,
  standing: readonly Pick<Posted, 'kind'>[],
): FailureCode | undefined {
  if (kind === 'disbursement' && standing.some((entry) => entry.kind === kind)) return 'PARTS_EXIST';
  if (kind === 'disbursement' && standing.some((entry) => entry.kind === 'extension')) return 'EXTENSION_ACCEPTED';
  if (kind === 'disbursement' && standing.some((entry) => entry.kind === 'writeOff')) return 'WRITTEN_OFF';
  if (kind === 'disbursement' && standing.length > 0) return 'RECEIPTS_EXIST';
  if (kind === 'receipt' && after.surplusOwed < 0) return 'SURPLUS_EXISTS';
  return undefined;
}

/** The step that an entry takes, given the balance after it. */
export function stepOfEntry(kind: EntryKind, status: Status, after: Balance): StepName {
  switch (kind) {
    case 'disbursement':
      return status === 'Approved' ? 'disburse' : 'disburseRest';
    case 'receipt':
      if (status === 'Settled') return 'receiveMore';
      return after.outstanding === 0 && after.lost === 0 ? 'settle' : 'receivePart';
    case 'surplus':
      return 'paySurplus';
  }
}

/** The step that a reversal takes, given the balance after it. */
export function stepOfReversal(kind: EntryKind, status: Status, after: Balance): StepName {
  switch (kind) {
    case 'disbursement':
      return after.disbursed === 0 ? 'reverseDisbursement' : 'reverseRest';
    case 'receipt':
      if (status === 'Disbursed') return 'reversePart';
      return after.outstanding > 0 || after.lost > 0 ? 'reverseSettlement' : 'reverseMore';
    case 'surplus':
      return 'reverseSurplus';
  }
}
