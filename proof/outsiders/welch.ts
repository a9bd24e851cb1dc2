/** Whether two ways of doing something take different times: Welch's t, and what is left out before it. */

/** Below this, differences are taken for chance: about 1 in 150,000 for equal means. */
export const INDISTINGUISHABLE = 4.5;

/** Of all times together, those above this share are left out: the machine did something else. */
const KEPT_SHARE = 0.95;

/** Welch's t of the means of two samples, whose spreads may differ. */
export function welch(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [moments(one), moments(other)];
  return (a.mean - b.mean) / Math.sqrt(a.variance / one.length + b.variance / other.length);
}

/** Both samples without what lies above one bound, which is that of all their times together: the same for both. */
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
