import { vi } from 'vitest';
import { HotLanes } from '#server/platform/hot-lanes.ts';

/** What the tests of hot paths look at: which way a call took (docs/decisions/0027-hot-paths.md). */

/** Does work with the fast ways shut: every call goes the general way. */
export async function generally<Result>(work: () => Promise<Result>): Promise<Result> {
  const shut = [
    vi.spyOn(HotLanes.prototype, 'ask').mockResolvedValue([]),
    vi.spyOn(HotLanes.prototype, 'change').mockResolvedValue(undefined),
  ];
  try {
    return await work();
  } finally {
    for (const spy of shut) spy.mockRestore();
  }
}

/** Does work and counts the statements of fast ways that did what was asked, and those that left it to the general way. */
export async function countingWays<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly fast: number; readonly left: number }> {
  const [asked, changed] = [vi.spyOn(HotLanes.prototype, 'ask'), vi.spyOn(HotLanes.prototype, 'change')];
  try {
    const result = await work();
    const pages = await Promise.all(asked.mock.settledResults.map(({ value }) => value));
    const changes = await Promise.all(changed.mock.settledResults.map(({ value }) => value));
    const did = [
      ...pages.map((rows) => Array.isArray(rows) && rows.length > 0),
      ...changes.map((made) => made !== undefined),
    ];
    const fast = did.filter(Boolean).length;
    return { result, fast, left: did.length - fast };
  } finally {
    asked.mockRestore();
    changed.mockRestore();
  }
}
