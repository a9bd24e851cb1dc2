import { useCallback, useSyncExternalStore } from 'react';

/** A store that changes every `milliseconds`, for anything on the screen that follows the clock. */
export function tickingEvery(milliseconds: number) {
  return (listener: () => void): (() => void) => {
    const timer = setInterval(listener, milliseconds);
    return () => clearInterval(timer);
  };
}

const subscribeToTicks = tickingEvery(250);

/** Seconds as minutes, or minutes as hours, and the rest, without a sign: '4:30', '0:18'. */
export function formatClock(count: number): string {
  const whole = Math.abs(count);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Whole seconds until a deadline, rounded up; 0 from the deadline on. Both in milliseconds since 1970. */
export function secondsLeft(deadline: number, now: number): number {
  return Math.max(0, Math.ceil((deadline - now) / 1000));
}

/**
 * Seconds left until a deadline, counting down on the screen. It reads the clock at each tick, so that a phone that
 * slept, or a reloaded page, shows the right figure at once.
 */
export function useSecondsLeft(deadline: number): number {
  return useSyncExternalStore(
    subscribeToTicks,
    useCallback(() => secondsLeft(deadline, Date.now()), [deadline]),
  );
}
