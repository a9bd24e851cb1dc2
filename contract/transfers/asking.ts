import { MINUTE_MS } from '#contract/time/durations.ts';

/** How we follow a transfer until the provider says how it ended. */

/**
 * `released`: not sent yet. `sent`: the provider has taken it. `unknown`: sent, outcome unknown; never treated as
 * failed. `reconciled`: two officers ended it, with the provider's record in front of them.
 */
export const transferStates = ['released', 'sent', 'unknown', 'succeeded', 'failed', 'reconciled'] as const;
export type TransferState = (typeof transferStates)[number];

/** Whether its end is still unknown. */
export function isUnfinished({ state }: { readonly state: TransferState }): boolean {
  return state === 'released' || state === 'sent' || state === 'unknown';
}

/** Officers are told about a payout by file that is on no statement after this many working days. */
export const FILE_TELL_AFTER_DAYS = 2;

const SECOND_MS = 1000;

const LONGEST_PAUSE = 60 * MINUTE_MS;

const payout = [5 * SECOND_MS, 10 * SECOND_MS, 30 * SECOND_MS, MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];
/** The payer holds their phone, most for less than a minute, nobody for more than five. */
const request = [
  ...Array<number>(6).fill(5 * SECOND_MS),
  ...Array<number>(10).fill(30 * SECOND_MS),
  ...payout.slice(3),
];

/** The pauses between questions about a transfer, by direction; then {@link LONGEST_PAUSE} for ever. */
const pauses = { out: payout, in: request } as const;

/** How long to wait after a number of exchanges, the first of which sent it. */
export function pauseAfter(asks: number, direction: keyof typeof pauses): number {
  return pauses[direction][asks - 1] ?? LONGEST_PAUSE;
}
