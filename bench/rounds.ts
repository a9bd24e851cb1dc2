/** Measuring things side by side: in turns within one run, so that whatever else the machine does falls on all of them. */

/** How many rounds, and how long each side has in each: BENCH_ROUNDS and BENCH_SECONDS, for a quick look. */
export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
export const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
export const WARM_UP_SECONDS = 1;

/** Lets each side measure once in each round. */
export async function inTurns(sides: readonly (() => Promise<unknown>)[], rounds = ROUNDS): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    // Every second round goes the other way round: none is always the one after a certain other.
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) await side();
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** The median of the rounds' ratios: a slow moment falls on both of a round's sides. */
export function medianRatio(above: readonly number[], below: readonly number[]): number {
  return median(above.map((value, round) => value / (below[round] ?? Number.NaN)));
}

export function perSecond(values: readonly number[]): string {
  const rate = median(values);
  return `${rate >= 100 ? Math.round(rate).toLocaleString('en') : rate.toFixed(1)}/s`;
}
