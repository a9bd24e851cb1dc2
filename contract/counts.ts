import { HOUR_SECONDS, MINUTE_SECONDS } from '#contract/time/durations.ts';
import { formatNumeric } from './money.ts';

/** Counts and durations as text. */

/**
 * A count as text: '10,000'. The browser's own formatting would take 5 ms on a cheap phone the first time
 * (docs/decisions/0023-first-screen.md).
 */
export function formatCount(count: number): string {
  return formatNumeric(String(count));
}

/** A count with its unit: '1 application', '10,000 applications'. The unit's plural ends with 's'. */
export function counted(count: number, unit: string): string {
  return `${formatCount(count)} ${unit}${count === 1 ? '' : 's'}`;
}

/** A short duration: '42 s', '5 min', '3 h', '2 d'. */
export function countedShort(count: number, unit: TimeUnit): string {
  return `${count} ${shortUnits[unit]}`;
}

const shortUnits = { second: 's', minute: 'min', hour: 'h', day: 'd' } as const;
type TimeUnit = keyof typeof shortUnits;

/** Formats a count with its unit of time: {@link counted} or {@link countedShort}. */
export type SayTime = (count: number, unit: TimeUnit) => string;

/** How long to wait, rounded up so that nobody retries too soon: '42 seconds', '5 minutes', '3 hours'. */
export function sayWait(seconds: number, say: SayTime = counted): string {
  if (seconds <= 2 * MINUTE_SECONDS) return say(Math.max(1, Math.ceil(seconds)), 'second');
  return seconds <= 2 * HOUR_SECONDS
    ? say(Math.ceil(seconds / MINUTE_SECONDS), 'minute')
    : say(Math.ceil(seconds / HOUR_SECONDS), 'hour');
}

const MINUTES_PER_HOUR = 60;

/** A time in words: '1 hour 5 minutes'. */
export function sayMinutes(minutes: number): string {
  const whole = Math.abs(minutes);
  const [hours, rest] = [Math.floor(whole / MINUTES_PER_HOUR), whole % MINUTES_PER_HOUR];
  const parts = [hours === 0 ? '' : counted(hours, 'hour'), rest === 0 ? '' : counted(rest, 'minute')];
  return parts.filter((part) => part !== '').join(' ') || 'less than a minute';
}
