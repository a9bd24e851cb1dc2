import { MINUTE_MS } from '#contract/time/durations.ts';

/** How a transfer is followed until the provider says how it ended. */

/**
 * `released`: nothing was sent yet; `sent`: the provider has taken it; `unknown`: it was sent, and nothing is known, which
 * is never failed. `reconciled`: a person ended it with the provider's record in front of them.
 */
export const transferStates = ['released', 'sent', 'unknown', 'succeeded', 'failed', 'reconciled'] as const;
export type TransferState = (typeof transferStates)[number];

/** Whether the provider has not said yet how it ended. */
export function isUnfinished({ state }: { readonly state: TransferState }): boolean {
  return state === 'released' || state === 'sent' || state === 'unknown';
}

/** After how many working days officers are told of a payout by file that no statement has. */
export const FILE_TELL_AFTER_DAYS = 2;

const SECOND_MS = 1000;

const LONGEST_PAUSE = 60 * MINUTE_MS;

const payout = [5 * SECOND_MS, 10 * SECOND_MS, 30 * SECOND_MS, MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];
/** Somebody has their phone in their hand, most for less than a minute and none for more than five. */
const request = [
  ...Array<number>(6).fill(5 * SECOND_MS),
  ...Array<number>(10).fill(30 * SECOND_MS),
  ...payout.slice(3),
];

/** The pauses before a transfer is asked about again, by direction; then the longest one for ever. */
const pauses = { out: payout, in: request } as const;

/** How long to wait after the provider was asked that many times, the sending counted as the first. */
export function pauseAfter(asks: number, direction: keyof typeof pauses): number {
  return pauses[direction][asks - 1] ?? LONGEST_PAUSE;
}
