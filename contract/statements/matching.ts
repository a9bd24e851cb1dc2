import type { Status } from '#contract/applications/lifecycle.ts';
import { keysOf } from '#contract/keys.ts';
import {
  hiddenReferences,
  nearReferences,
  plainForReferences,
  readRepaymentReference,
} from '#contract/payments/repayment-reference.ts';

/**
 * Decides which application incoming money belongs to (docs/decisions/0050-money-that-comes.md). It is credited
 * automatically only if a valid repayment reference names exactly one; otherwise we propose at most to an officer.
 */

/** The repayment references in a text. */
export interface NamedReferences {
  readonly sound: readonly string[];
  /** Other references that the text may mean: mistyped, glued to other letters, or with look-alike letters. */
  readonly near: readonly string[];
}

/** Two groups of four. A group may end one reference and begin another, so we try every position. */
const WRITTEN = /(?<![\p{L}\p{N}])(?=([A-Z0-9]{4}-?[A-Z0-9]{4})(?![\p{L}\p{N}]))/gu;

export function referencesIn(text: string): NamedReferences {
  const [sound, near] = [new Set<string>(), new Set(hiddenReferences(text))];
  for (const [, written = ''] of plainForReferences(text).matchAll(WRITTEN)) {
    const read = readRepaymentReference(written);
    if (typeof read === 'object') sound.add(read.reference);
    else for (const reference of nearReferences(written)) near.add(reference);
  }
  return { sound: [...sound], near: [...near].filter((reference) => !sound.has(reference)) };
}

/** Why money waits for an officer. */
export const waitingReasons = {
  underWay: 'We are crediting it now',
  noReference: 'No reference that we know',
  returnedPayout: 'It names our payout. The bank may have returned it',
  mistyped: 'The reference looks mistyped',
  several: 'It names several applications',
  exactAmount: 'It is exactly what is owed, from a number of this client',
  otherCurrency: 'The application is in another currency',
  notPaidOut: 'This application is not paid out',
  beforePayout: 'It is dated before the payout',
  large: 'It is more than the whole invoice',
  assignedBefore: 'Some of it was assigned before',
  ownBusiness: 'The officer who imported it is of this business',
} as const;
export type WaitingReason = keyof typeof waitingReasons;
export const waitingReasonCodes = keysOf(waitingReasons);

/** An application that a line may pay. Amounts in minor units. */
export interface Claimant {
  readonly tag: string;
  readonly reference: string;
  readonly status: Status;
  readonly currency: string;
  readonly faceValue: number;
  readonly received: number;
  readonly paidOutOn: string | null;
}

/** Incoming money. */
export interface Received {
  readonly amount: number;
  readonly currency: string;
  readonly date: string;
  /** Whether a part was assigned before, even if the assignment was reversed. */
  readonly wasAssigned: boolean;
}

/** Applications found for incoming money. */
export interface Found<One extends Claimant = Claimant> {
  /** By a valid reference in its text. */
  readonly named: readonly One[];
  /** Whether the reference is that of a payout by file. If so, the money is no repayment, whatever else it names. */
  readonly isPayout: boolean;
  /** By a reference that nearly matches its text. */
  readonly near: readonly One[];
  /** By the exact amount owed, if the payer's number is one of the client's. */
  readonly exact: readonly One[];
}

/** The application that the money belongs to. If we aren't sure, `why` says why it waits and `to` is a proposal. */
export type Match<One extends Claimant = Claimant> =
  | { readonly isSure: true; readonly to: One }
  | { readonly isSure: false; readonly why: WaitingReason; readonly to: readonly One[] };

/** Decides where incoming money belongs. */
export function matchReceived<One extends Claimant>(
  payment: Received,
  { named, isPayout, near, exact }: Found<One>,
): Match<One> {
  const [only] = named;
  const possible = (found: readonly One[]) => found.filter((one) => takes(one, payment));
  if (isPayout) return { isSure: false, why: 'returnedPayout', to: [] };
  if (named.length > 1) return { isSure: false, why: 'several', to: named };
  if (only !== undefined) {
    const why = doubtOf(payment, only);
    return why === undefined ? { isSure: true, to: only } : { isSure: false, why, to: possible([only]) };
  }
  const [mistyped, same] = [possible(near), possible(exact)];
  if (mistyped.length > 0) return { isSure: false, why: 'mistyped', to: mistyped };
  if (same.length > 0) return { isSure: false, why: 'exactAmount', to: same };
  return { isSure: false, why: payment.wasAssigned ? 'assignedBefore' : 'noReference', to: [] };
}

/** Why the named application is not credited automatically, or undefined. */
function doubtOf(payment: Received, to: Claimant): WaitingReason | undefined {
  if (to.currency !== payment.currency) return 'otherCurrency';
  if (to.paidOutOn === null || !isPaidOut(to)) return 'notPaidOut';
  if (payment.date < to.paidOutOn) return 'beforePayout';
  if (payment.wasAssigned) return 'assignedBefore';
  return to.received + payment.amount > to.faceValue ? 'large' : undefined;
}

/** Whether an officer could credit the application. */
export function takes(to: Claimant, { currency, date }: Received): boolean {
  return isPaidOut(to) && to.currency === currency && to.paidOutOn !== null && date >= to.paidOutOn;
}

function isPaidOut({ status }: Claimant): boolean {
  return status === 'Disbursed' || status === 'Settled';
}
