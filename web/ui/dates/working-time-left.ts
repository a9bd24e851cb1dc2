import { useCallback, useSyncExternalStore } from 'react';
import type { SlaClockReply } from '#contract/applications/progress.ts';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { workingTimeBetween } from '#contract/time/working-time.ts';
import { tickingEvery } from './countdown.ts';

/** Only the server knows holidays; its next reply, seconds later, takes them into account. */
const NO_HOLIDAYS: ReadonlySet<string> = new Set();

const subscribeToTicks = tickingEvery(5000);

/** A clock and when the server read it. */
export interface ReadClock {
  readonly clock: SlaClockReply;
  /** In milliseconds since 1970. */
  readonly readAt: number;
}

/**
 * Working minutes left now, for a clock read at `readAt` (milliseconds since 1970): while it runs, the minutes left at
 * that time less the working time since; null if the clock is not running.
 */
export function minutesLeftAt(clock: SlaClockReply, readAt: number, now: number): number | null {
  if (clock.minutesLeft === null || clock.state !== 'running') return clock.minutesLeft;
  const since = workingTimeBetween(new Date(readAt), new Date(Math.max(now, readAt)), NO_HOLIDAYS);
  return clock.minutesLeft - Math.floor(since / MINUTE_MS);
}

/** {@link minutesLeftAt}, counting down on the screen. */
export function useMinutesLeft(clock: SlaClockReply, readAt: number): number | null {
  return useSyncExternalStore(
    subscribeToTicks,
    useCallback(() => minutesLeftAt(clock, readAt, Date.now()), [clock, readAt]),
  );
}
