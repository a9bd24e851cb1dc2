import { addWorkingTime, type Holidays, workingTimeBetween } from '#contract/time/working-time.ts';
import type { ClockEffect } from './lifecycle.ts';

/**
 * The promise of a decision within so many working hours of the submission. Its clock stands still while the client is
 * asked for something, and ends with the decision.
 */

/** Where the clock stands. */
export interface SlaClock {
  /** Since when it runs; null while it stands still and once it has ended. */
  readonly runsSince: Date | null;
  /** The working time that was used before that, in milliseconds. */
  readonly usedMs: number;
  /** The moment of the promise; null while the clock stands still, kept once it has ended. */
  readonly decideBy: Date | null;
}

/** What a clock is read by. */
export interface Reading {
  readonly now: Date;
  /** What is promised, in milliseconds of working time. */
  readonly targetMs: number;
  readonly holidays: Holidays;
}

/**
 * The working time used until now, in milliseconds; may exceed the target. A request that waited for another to end may
 * bring a moment just before the clock began to run: then none was used since.
 */
export function usedTime(clock: SlaClock, { now, holidays }: Pick<Reading, 'now' | 'holidays'>): number {
  const since = clock.runsSince === null ? 0 : workingTimeBetween(clock.runsSince, now, holidays);
  return clock.usedMs + Math.max(0, since);
}

/** What a step makes of the clock. Resumed after its time was used up, it is due at once. */
export function moveClock(clock: SlaClock, effect: ClockEffect, reading: Reading): SlaClock {
  const { now, targetMs, holidays } = reading;
  const usedMs = usedTime(clock, reading);
  switch (effect) {
    case 'starts':
      return { runsSince: now, usedMs: 0, decideBy: addWorkingTime(now, targetMs, holidays) };
    case 'stops':
      return { runsSince: null, usedMs, decideBy: null };
    case 'resumes':
      return { runsSince: now, usedMs, decideBy: addWorkingTime(now, Math.max(0, targetMs - usedMs), holidays) };
    case 'ends':
      return { runsSince: null, usedMs, decideBy: clock.decideBy };
  }
}

/** What became of a promise. */
export interface SlaOutcome {
  readonly clock: SlaClock;
  /** When the client was told that it was missed. */
  readonly missedAt: Date | null;
  readonly decidedAt: Date | null;
}

/** Whether the moment of the promise has passed without a decision, or had when it came; a decision at it is in time. */
export function isMissed({ clock, missedAt, decidedAt }: SlaOutcome, now: Date): boolean {
  if (missedAt !== null) return true;
  const until = decidedAt ?? (clock.runsSince === null ? null : now);
  return clock.decideBy !== null && until !== null && until > clock.decideBy;
}
