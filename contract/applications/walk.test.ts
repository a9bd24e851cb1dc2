import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '#contract/time/durations.ts';
import { addWorkingTime, workingTimeBetween } from '#contract/time/working-time.ts';
import {
  type Status,
  type StepName,
  statusAfter,
  statuses,
  stepAllowed,
  stepNames,
  steps,
  stepsFrom,
} from './lifecycle.ts';
import { isMissed, moveClock, type SlaClock } from './sla.ts';

/**
 * A hundred thousand random walks through the table of steps, checked against the states and the clock written out
 * below.
 */

/** The lifecycle, written down independently of the table. */
const lifecycle: Readonly<Record<Status, readonly Status[]>> = {
  Draft: ['Submitted'],
  Submitted: ['In Review', 'Info Requested', 'Counter-offered', 'Approved', 'Declined', 'Withdrawn'],
  'In Review': ['In Review', 'Info Requested', 'Counter-offered', 'Approved', 'Declined', 'Withdrawn'],
  'Info Requested': ['In Review', 'Info Requested', 'Withdrawn'],
  'Counter-offered': ['In Review', 'Approved', 'Withdrawn', 'Lapsed'],
  Approved: ['Approved', 'Withdrawn', 'Cancelled', 'Lapsed', 'Disbursed'],
  Declined: [],
  Withdrawn: [],
  Cancelled: [],
  Lapsed: [],
  Disbursed: ['Disbursed', 'Settled', 'Approved'],
  Settled: ['Settled', 'Disbursed'],
};

const TARGET_MS = 4 * HOUR_MS;
const START = new Date('2026-12-23T09:00:00Z');
const holidays: ReadonlySet<string> = new Set(['2026-12-25', '2026-12-26', '2027-01-01']);

interface Stand {
  readonly status: Status;
  readonly clock: SlaClock;
}

/** One attempt in a walk: a step, and the time since the previous one. */
const tries = fc.array(fc.tuple(fc.nat(999), fc.nat(5 * HOUR_MS)), { minLength: 6, maxLength: 24 });

/** Usually an allowed step, so that walks go far; every fifth may be any step. */
function chooseStep(choice: number, status: Status): StepName {
  const open = choice % 5 === 0 ? stepNames : stepsFrom(status);
  return open[Math.floor(choice / 5) % open.length] ?? 'submit';
}

function tryStep(stand: Stand, name: StepName, now: Date): Stand {
  if (!stepAllowed(name, stand.status)) return stand;
  const step = steps[name];
  const clock =
    'clock' in step ? moveClock(stand.clock, step.clock, { now, targetMs: TARGET_MS, holidays }) : stand.clock;
  return { status: statusAfter(name, stand.status), clock };
}

/** What is wrong with the clock in that state, or undefined. `used` is counted independently, interval by interval. */
function faultOf({ status, clock }: Stand, used: number, now: Date): string | undefined {
  const runs = clock.runsSince !== null;
  const waits = status === 'Submitted' || status === 'In Review';
  if (runs !== waits) return `${status} has a clock that ${runs ? 'runs' : 'stands'}`;
  const isPaused = status === 'Info Requested' || status === 'Counter-offered';
  if ((clock.decideBy === null) !== (status === 'Draft' || isPaused)) return `${status}: decideBy`;
  const since = clock.runsSince === null ? 0 : workingTimeBetween(clock.runsSince, now, holidays);
  if (clock.usedMs + since !== used) return `${status}: ${clock.usedMs + since} used, not ${used}`;
  if (clock.runsSince === null || clock.decideBy === null) return undefined;
  const promised = addWorkingTime(clock.runsSince, Math.max(0, TARGET_MS - clock.usedMs), holidays);
  if (promised.getTime() !== clock.decideBy.getTime()) return `${status}: another moment than the target's`;
  const late = isMissed({ clock, missedAt: null, decidedAt: null }, now);
  return late && used < TARGET_MS ? `${status}: late after ${used}` : undefined;
}

function walk(path: readonly (readonly [number, number])[], visited: Set<Status>): string | undefined {
  let stand: Stand = { status: 'Draft', clock: { runsSince: null, usedMs: 0, decideBy: null } };
  let [now, used] = [START, 0];
  for (const [choice, pauseMs] of path) {
    const name = chooseStep(choice, stand.status);
    const next = new Date(now.getTime() + pauseMs);
    if (stand.status === 'Submitted' || stand.status === 'In Review') used += workingTimeBetween(now, next, holidays);
    now = next;
    const before = stand;
    stand = tryStep(before, name, now);
    visited.add(stand.status);
    if (stand !== before && !lifecycle[before.status].includes(stand.status))
      return `${name} led from ${before.status} to ${stand.status}`;
    const fault = faultOf(stand, used, now);
    if (fault !== undefined) return `after ${name}: ${fault}`;
  }
  return undefined;
}

describe('a random walk through the table', () => {
  it('reaches no forbidden state and no wrong clock in 100,000 of them', () => {
    const visited = new Set<Status>();
    fc.assert(
      fc.property(tries, (path) => {
        const fault = walk(path, visited);
        if (fault !== undefined) throw new Error(fault);
      }),
      { numRuns: 100_000 },
    );
    expect([...visited].sort()).toEqual([...statuses].sort());
  });

  it('takes every edge of the lifecycle, and no other', () => {
    for (const from of statuses) {
      const reached = stepNames.filter((name) => stepAllowed(name, from)).map((name) => statusAfter(name, from));
      expect([...new Set<Status>(reached)].sort()).toEqual([...lifecycle[from]].sort());
    }
  });

  it('ends where an application is declined, withdrawn or given up', () => {
    for (const end of ['Declined', 'Withdrawn', 'Cancelled', 'Lapsed'] as const)
      expect(stepNames.filter((name) => stepAllowed(name, end))).toEqual([]);
  });
});
