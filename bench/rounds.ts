/** Measures several sides in turns within one run, so that other work on the machine affects all of them. */

/** The number of rounds and each side's seconds in a round; BENCH_ROUNDS and BENCH_SECONDS shorten a run. */
export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
export const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
export const WARM_UP_SECONDS = 1;

/** Measures each side once in each round. */
export async function inTurns(sides: readonly (() => Promise<unknown>)[], rounds = ROUNDS): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    // Every second round runs in reverse, so that no side always follows the same one.
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

/** The median of the rounds' ratios: a slow moment affects both sides of a round. */
export function medianRatio(above: readonly number[], below: readonly number[]): number {
  return median(above.map((value, round) => value / (below[round] ?? Number.NaN)));
}

export function perSecond(values: readonly number[]): string {
  const rate = median(values);
  return `${rate >= 100 ? Math.round(rate).toLocaleString('en') : rate.toFixed(1)}/s`;
}
