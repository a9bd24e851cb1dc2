import { addWorkingTime, type Holidays, workingTimeBetween } from '#contract/time/working-time.ts';
import type { ClockEffect } from './lifecycle.ts';

/**
 * The SLA: we decide within a number of working hours after submission. The clock is paused while we wait for the
 * client's answer, and ends with the decision.
 */

/** The state of the clock. */
export interface SlaClock {
  /** When the clock last started running; null while it is paused and after it has ended. */
  readonly runsSince: Date | null;
  /** Working time used before `runsSince`, in milliseconds. */
  readonly usedMs: number;
  /** The deadline; null while the clock is paused, kept after it has ended. */
  readonly decideBy: Date | null;
}

/** The input for reading a clock. */
export interface Reading {
  readonly now: Date;
  /** The target, in milliseconds of working time. */
  readonly targetMs: number;
  readonly holidays: Holidays;
}

/**
 * The working time used until now, in milliseconds; may exceed the target. A request that waited for another may carry
 * a time just before the clock started; we then count no time.
 */
export function usedTime(clock: SlaClock, { now, holidays }: Pick<Reading, 'now' | 'holidays'>): number {
  const since = clock.runsSince === null ? 0 : workingTimeBetween(clock.runsSince, now, holidays);
  return clock.usedMs + Math.max(0, since);
}

/**
 * Returns the clock after a step. A clock that resumes with no time left is due at once. A clock that ends while paused
 * keeps the deadline that it would have had.
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

/** The facts that decide whether an SLA was kept. */
export interface SlaOutcome {
  readonly clock: SlaClock;
  /** When we told the client that we missed the deadline. */
  readonly missedAt: Date | null;
  readonly decidedAt: Date | null;
}

/** Whether the deadline passed before the decision, or without one; a decision exactly at the deadline is in time. */
export function isMissed({ clock, missedAt, decidedAt }: SlaOutcome, now: Date): boolean {
  if (missedAt !== null) return true;
  const until = decidedAt ?? (clock.runsSince === null ? null : now);
  return clock.decideBy !== null && until !== null && until > clock.decideBy;
}
