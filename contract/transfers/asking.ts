import { MINUTE_MS } from '#contract/time/durations.ts';

/** How we ask the provider about a transfer until we know how it ended. */

/**
 * `released`: not sent yet. `sent`: the provider has accepted it. `unknown`: sent, outcome unknown; never treated as
 * failed. `reconciled`: two officers ended it according to the provider's record.
 */
export const transferStates = ['released', 'sent', 'unknown', 'succeeded', 'failed', 'reconciled'] as const;
export type TransferState = (typeof transferStates)[number];

/** Whether we don't know its outcome yet. */
export function isUnfinished({ state }: { readonly state: TransferState }): boolean {
  return state === 'released' || state === 'sent' || state === 'unknown';
}

/** We notify officers if a payout by file is on no statement after this many working days. */
export const FILE_UNANSWERED_AFTER_DAYS = 2;

const SECOND_MS = 1000;

const LONGEST_PAUSE = 60 * MINUTE_MS;

const payout = [5 * SECOND_MS, 10 * SECOND_MS, 30 * SECOND_MS, MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];
/** The payer confirms on their phone, most within a minute, nobody after more than five. */
const request = [
  ...Array<number>(6).fill(5 * SECOND_MS),
  ...Array<number>(10).fill(30 * SECOND_MS),
  ...payout.slice(3),
];

/** The pauses between questions about a transfer, by direction; then {@link LONGEST_PAUSE} forever. */
const pauses = { out: payout, in: request } as const;

/** How long to wait after the given number of exchanges. The first exchange sent the transfer. */
export function pauseAfter(asks: number, direction: keyof typeof pauses): number {
  return pauses[direction][asks - 1] ?? LONGEST_PAUSE;
}
