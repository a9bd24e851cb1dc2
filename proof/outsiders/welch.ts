/** Welch's t-test of two samples of times, after trimming them. */

/** Smaller values count as chance: equal means exceed it about once in 150,000. */
export const INDISTINGUISHABLE = 4.5;

/** The share of all times that is kept; slower ones are due to other work on the machine. */
const KEPT_SHARE = 0.95;

/** Welch's t of the means of two samples with unequal variances. */
export function welch(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [moments(one), moments(other)];
  return (a.mean - b.mean) / Math.sqrt(a.variance / one.length + b.variance / other.length);
}

/** Both samples without the times above a bound, which is calculated from all times together. */
export function trimmed(one: readonly number[], other: readonly number[]): [number[], number[]] {
  const all = [...one, ...other].toSorted((a, b) => a - b);
  const bound = all[Math.floor(all.length * KEPT_SHARE)] ?? Number.POSITIVE_INFINITY;
  return [one.filter((ms) => ms <= bound), other.filter((ms) => ms <= bound)];
}

export function median(sample: readonly number[]): number {
  return sample.toSorted((a, b) => a - b)[Math.floor(sample.length / 2)] ?? Number.NaN;
}

function moments(sample: readonly number[]): { readonly mean: number; readonly variance: number } {
  const mean = sample.reduce((sum, ms) => sum + ms, 0) / sample.length;
  const squares = sample.reduce((sum, ms) => sum + (ms - mean) ** 2, 0);
  return { mean, variance: squares / (sample.length - 1) };
}
