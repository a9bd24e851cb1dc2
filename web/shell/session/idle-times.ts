import { MINUTE_MS } from '#contract/time/durations.ts';

/** When somebody counts as idle, in pure arithmetic (docs/specification-coverage.md, 4 and 9). Times in milliseconds. */

/** For a session without a timeout. */
const DEFAULT_TIMEOUT_MINUTES = 1;
/** The prompt appears with this share of the timeout left. */
const PROMPT_PERCENT = 30;

export interface IdleTimes {
  /** Without activity for so long, the person is logged out. */
  readonly timeoutMs: number;
  /** After this long without activity they are asked whether they are still there. */
  readonly promptAfterMs: number;
  /** The server hears of activity at most so often, and never later than that. */
  readonly pingEveryMs: number;
}

/** The times of the session's `clientUITimeoutMinutes`; one minute if it has none. */
export function idleTimes(timeoutMinutes: number | undefined): IdleTimes {
  const given = timeoutMinutes !== undefined && timeoutMinutes > 0;
  const timeoutMs = (given ? timeoutMinutes : DEFAULT_TIMEOUT_MINUTES) * MINUTE_MS;
  return {
    timeoutMs,
    promptAfterMs: (timeoutMs * (100 - PROMPT_PERCENT)) / 100,
    // A third: the server has heard of the last activity before the prompt appears, whatever the timeout.
    pingEveryMs: Math.min(MINUTE_MS, timeoutMs / 3),
  };
}

/** The state that all tabs share, in milliseconds since 1970. */
export interface Activity {
  /** When the person last did something. */
  readonly activeAt: number;
  /** When the server was last told so. */
  readonly pingedAt: number;
}

type IdlePhase = 'active' | 'prompt' | 'over';

/** The person's phase. */
export function phaseAt(times: IdleTimes, { activeAt }: Pick<Activity, 'activeAt'>, now: number): IdlePhase {
  const idleMs = now - activeAt;
  if (idleMs >= times.timeoutMs) return 'over';
  return idleMs >= times.promptAfterMs ? 'prompt' : 'active';
}

/** Whether the server must hear of the person: there was activity that it does not know of, and it heard long enough ago. */
export function isPingDue(times: IdleTimes, activity: Activity, now: number): boolean {
  return (
    activity.activeAt > activity.pingedAt &&
    now - activity.pingedAt >= times.pingEveryMs &&
    phaseAt(times, activity, now) === 'active'
  );
}

/** Times in the future come from a clock that has been set back; they count as now. */
export function settled({ activeAt, pingedAt }: Activity, now: number): Activity {
  return { activeAt: Math.min(activeAt, now), pingedAt: Math.min(pingedAt, now) };
}

/** The time left as it is spoken: it changes each minute, then at 30 and at 10 seconds, and not with every second. */
export function spokenCountdown(seconds: number): string {
  if (seconds > 60) return `Less than ${Math.ceil(seconds / 60)} minutes left`;
  if (seconds > 30) return 'Less than a minute left';
  return seconds > 10 ? '30 seconds left' : '10 seconds left';
}
