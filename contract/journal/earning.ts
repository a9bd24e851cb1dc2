import { share } from '#contract/money.ts';
import { addDays, daysBetween } from '#contract/time/calendar.ts';

/** When a fee is earned: evenly by day, and in full on the last day (docs/decisions/0042-double-entry.md). */

/** A fee, and the days over which it is earned. */
export interface EarningSpan {
  /** The day of the payment, on which nothing is earned yet (YYYY-MM-DD). */
  readonly from: string;
  readonly days: number;
  /** Minor units. */
  readonly fee: number;
}

/** The amount written off on a day (YYYY-MM-DD). */
export interface GivenUp {
  readonly on: string;
  /** Minor units. */
  readonly amount: number;
}

/**
 * How much of an application's fees is earned by the end of a day, rounded down until the last day. A write-off first
 * takes the part of the fee not earned by then, which is never earned. Minor units; write-offs oldest first.
 */
export function earnedBy(spans: readonly EarningSpan[], day: string, writeOffs: readonly GivenUp[] = []): number {
  const last = writeOffs.at(-1);
  if (last === undefined) return spans.reduce((sum, span) => sum + earnedOf(span, day), 0);
  const before = writeOffs.slice(0, -1);
  const earned = earnedBy(spans, day, before);
  if (day <= last.on) return earned;
  const fee = spans.reduce((sum, span) => sum + span.fee, 0);
  const givenUp = writeOffs.reduce((sum, { amount }) => sum + amount, 0);
  return Math.min(earned, Math.max(earnedBy(spans, last.on, before), fee - givenUp));
}

function earnedOf({ from, days, fee }: EarningSpan, day: string): number {
  const passed = Math.min(days, Math.max(0, daysBetween(from, day)));
  return share(fee, passed, days, 'down');
}

/** The earnings of one day. */
export interface DailyEarning {
  readonly date: string;
  readonly amount: number;
}

/** The earnings already recorded for an application. */
export interface OnRecord {
  /** The days that have an entry. */
  readonly posted: ReadonlySet<string>;
  readonly writeOffs?: readonly GivenUp[];
}

/**
 * The entries still missing up to a day: the share of each day without an entry. Idempotent: whether it runs daily,
 * twice a day or after a week, the entries are the same.
 */
export function earningsDue(
  spans: readonly EarningSpan[],
  { posted, writeOffs = [] }: OnRecord,
  today: string,
): DailyEarning[] {
  const days = new Set(spans.flatMap((span) => daysOf(span, today)));
  return [...days]
    .filter((date) => !posted.has(date))
    .sort()
    .map((date) => {
      const before = earnedBy(spans, addDays(date, -1), writeOffs);
      return { date, amount: earnedBy(spans, date, writeOffs) - before };
    })
    .filter(({ amount }) => amount > 0);
}

function daysOf({ from, days }: EarningSpan, today: string): string[] {
  const until = Math.min(days, Math.max(0, daysBetween(from, today)));
  return Array.from({ length: until }, (_, index) => addDays(from, index + 1));
}
