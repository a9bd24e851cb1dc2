import { vi } from 'vitest';
import { HotLanes } from '#server/platform/hot-lanes.ts';

/** What the tests of lists at once look at: which way a page took. */

/** Does work with the fast way shut: every page goes the general way. */
export async function generally<Result>(work: () => Promise<Result>): Promise<Result> {
  const shut = vi.spyOn(HotLanes.prototype, 'ask').mockResolvedValue([]);
  try {
    return await work();
  } finally {
    shut.mockRestore();
  }
}

/** Does work and counts the fast ways' statements that found the page, and those that left it to the general way. */
export async function countingWays<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly fast: number; readonly left: number }> {
  const watched = vi.spyOn(HotLanes.prototype, 'ask');
  try {
    const result = await work();
    const answers = await Promise.all(watched.mock.settledResults.map(({ value }) => value));
    const fast = answers.filter((rows) => Array.isArray(rows) && rows.length > 0).length;
    return { result, fast, left: answers.length - fast };
  } finally {
    watched.mockRestore();
  }
}
