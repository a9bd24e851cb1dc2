import { useCallback, useSyncExternalStore } from 'react';

const TICK_MS = 250;

function subscribeToTicks(listener: () => void): () => void {
  const timer = setInterval(listener, TICK_MS);
  return () => clearInterval(timer);
}

/** Whole seconds until a deadline, rounded up; 0 from the deadline on. Both in milliseconds since 1970. */
export function secondsLeft(deadline: number, now: number): number {
  return Math.max(0, Math.ceil((deadline - now) / 1000));
}

/**
 * Seconds left until a deadline, counting down on screen. It reads the clock at each tick, so that a phone that
 * slept, or a page that was reloaded, shows the right figure at once.
 */
export function useSecondsLeft(deadline: number): number {
  return useSyncExternalStore(
    subscribeToTicks,
    useCallback(() => secondsLeft(deadline, Date.now()), [deadline]),
  );
}
