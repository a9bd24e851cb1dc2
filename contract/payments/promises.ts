import type { StandingEntry } from './balance.ts';

/** A client's promise to pay an amount by a day; receipts count from the day of the promise. Amount in minor units. */
export interface PromiseToPay {
  readonly madeOn: string;
  readonly by: string;
  readonly amount: number;
}

/** Kept: the amount was paid in time. Broken: the day passed without it. */
export const promiseStates = ['open', 'kept', 'broken'] as const;
export type PromiseState = (typeof promiseStates)[number];

/** The state of a promise, given the receipts in force and today's date in Kampala. */
export function stateOfPromise(
  { madeOn, by, amount }: PromiseToPay,
  standing: readonly StandingEntry[],
  today: string,
): PromiseState {
  const paid = standing
    .filter(({ kind, date }) => kind === 'receipt' && date >= madeOn && date <= by)
    .reduce((sum, receipt) => sum + receipt.amount, 0);
  if (paid >= amount) return 'kept';
  return today > by ? 'broken' : 'open';
}
