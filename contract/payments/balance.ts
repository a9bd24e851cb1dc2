import type { Status, StepName } from '#contract/applications/lifecycle.ts';

/**
 * What has been paid on an application (issue 'The decision desk'): an append-only ledger in the invoice's currency, in
 * minor units. An entry is never changed; a counter-entry with a reason takes it back.
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

/** The balance of the entries of an application with that advance. */
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
