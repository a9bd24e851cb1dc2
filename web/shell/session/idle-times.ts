import { MINUTE_MS } from '#contract/time/durations.ts';

/**
 * Decides when somebody counts as idle. Pure arithmetic (docs/specification-coverage.md, 4 and 9), with times in
 * milliseconds.
 */

/** The timeout of a session that has none. */
const DEFAULT_TIMEOUT_MINUTES = 1;
/** The prompt appears with this share of the timeout left. */
const PROMPT_PERCENT = 30;

export interface IdleTimes {
  /** After this long without activity the person is logged out. */
  readonly timeoutMs: number;
  /** After this long without activity the person is asked whether they are still there. */
  readonly promptAfterMs: number;
  /** Activity is reported to the server at most this often, and at the latest after this time. */
  readonly pingEveryMs: number;
}

/** The times from the session's `clientUITimeoutMinutes`; one minute if it has none. */
export function idleTimes(timeoutMinutes: number | undefined): IdleTimes {
  const given = timeoutMinutes !== undefined && timeoutMinutes > 0;
  const timeoutMs = (given ? timeoutMinutes : DEFAULT_TIMEOUT_MINUTES) * MINUTE_MS;
  return {
    timeoutMs,
    promptAfterMs: (timeoutMs * (100 - PROMPT_PERCENT)) / 100,
    // A third of the timeout, so that the server knows of the last activity before the prompt appears.
    pingEveryMs: Math.min(MINUTE_MS, timeoutMs / 3),
  };
}

/** The state that all tabs share, in milliseconds since 1970. */
export interface Activity {
  /** When the person was last active. */
  readonly activeAt: number;
  /** When activity was last reported to the server. */
  readonly pingedAt: number;
}

type IdlePhase = 'active' | 'prompt' | 'over';

/** The phase that the person is in. */
export function phaseAt(times: IdleTimes, { activeAt }: Pick<Activity, 'activeAt'>, now: number): IdlePhase {
  const idleMs = now - activeAt;
  if (idleMs >= times.timeoutMs) return 'over';
  return idleMs >= times.promptAfterMs ? 'prompt' : 'active';
}

/**
 * Whether to report activity now: there was activity that the server doesn't know of, and the last ping was long enough
 * ago.
 */
export function isPingDue(times: IdleTimes, activity: Activity, now: number): boolean {
  return (
    activity.activeAt > activity.pingedAt &&
    now - activity.pingedAt >= times.pingEveryMs &&
    phaseAt(times, activity, now) === 'active'
  );
}

/** Times in the future come from a clock that was set back; they count as now. */
export function settled({ activeAt, pingedAt }: Activity, now: number): Activity {
  return { activeAt: Math.min(activeAt, now), pingedAt: Math.min(pingedAt, now) };
}

/**
 * The time left as a screen reader announces it. It changes every minute, then at 30 and at 10 seconds, not every
 * second.
 */
export function spokenCountdown(seconds: number): string {
  if (seconds > 60) return `Less than ${Math.ceil(seconds / 60)} minutes left`;
  if (seconds > 30) return 'Less than a minute left';
  return seconds > 10 ? '30 seconds left' : '10 seconds left';
}
