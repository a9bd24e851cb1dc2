import { vi } from 'vitest';
import { HotLanes } from '#server/platform/hot-lanes.ts';

/** What the tests of saves at once look at: which way a save took. */

/** Does work with the fast ways shut: every save goes the general way. */
export async function generally<Result>(work: () => Promise<Result>): Promise<Result> {
  const shut = vi.spyOn(HotLanes.prototype, 'change').mockResolvedValue(undefined);
  try {
    return await work();
  } finally {
    shut.mockRestore();
  }
}

/** Does work and counts the statements of fast ways that did what was asked, and those that left it to the general way. */
export async function countingWays<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly fast: number; readonly left: number }> {
  const watched = vi.spyOn(HotLanes.prototype, 'change');
  try {
    const result = await work();
    const found = await Promise.all(watched.mock.settledResults.map(({ value }) => value));
    const fast = found.filter((tag) => tag !== undefined).length;
    return { result, fast, left: found.length - fast };
  } finally {
    watched.mockRestore();
  }
}
