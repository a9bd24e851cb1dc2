import { addWorkingTime, type Holidays, workingTimeBetween } from '#contract/time/working-time.ts';
import type { ClockEffect } from './lifecycle.ts';

/**
 * The SLA: a decision within a number of working hours of submission. Its clock is paused while the client is asked for
 * something, and ends with the decision.
 */

/** The state of the clock. */
export interface SlaClock {
  /** When it started running; null while it is paused and after it has ended. */
  readonly runsSince: Date | null;
  /** Working time used before `runsSince`, in milliseconds. */
  readonly usedMs: number;
  /** The deadline; null while the clock is paused, kept after it has ended. */
  readonly decideBy: Date | null;
}

/** What is needed to read a clock. */
export interface Reading {
  readonly now: Date;
  /** The target, in milliseconds of working time. */
  readonly targetMs: number;
  readonly holidays: Holidays;
}

/**
 * The working time used until now, in milliseconds; may exceed the target. A request that waited for another may carry
 * a time just before the clock started: it counts as none.
 */
export function usedTime(clock: SlaClock, { now, holidays }: Pick<Reading, 'now' | 'holidays'>): number {
  const since = clock.runsSince === null ? 0 : workingTimeBetween(clock.runsSince, now, holidays);
  return clock.usedMs + Math.max(0, since);
}

/**
 * The clock after a step. If its time was already used up, a resumed clock is due at once. One that ends while it is
 * paused keeps the deadline that it would have had.
 */
export function moveClock(clock: SlaClock, effect: ClockEffect, reading: Reading): SlaClock {
  const { now, targetMs, holidays } = reading;
  const usedMs = usedTime(clock, reading);
  const leftMs = Math.max(0, targetMs - usedMs);
  switch (effect) {
    case 'starts':
      return { runsSince: now, usedMs: 0, decideBy: addWorkingTime(now, targetMs, holidays) };
    case 'stops':
      return { runsSince: null, usedMs, decideBy: null };
    case 'resumes':
      return { runsSince: now, usedMs, decideBy: addWorkingTime(now, leftMs, holidays) };
    case 'ends':
      return { runsSince: null, usedMs, decideBy: clock.decideBy ?? addWorkingTime(now, leftMs, holidays) };
  }
}

/** How an SLA turned out. */
export interface SlaOutcome {
  readonly clock: SlaClock;
  /** When the client was told that it was missed. */
  readonly missedAt: Date | null;
  readonly decidedAt: Date | null;
}

/** Whether the deadline passed before the decision, or without one; a decision exactly at the deadline is in time. */
export function isMissed({ clock, missedAt, decidedAt }: SlaOutcome, now: Date): boolean {
  if (missedAt !== null) return true;
  const until = decidedAt ?? (clock.runsSince === null ? null : now);
  return clock.decideBy !== null && until !== null && until > clock.decideBy;
}
