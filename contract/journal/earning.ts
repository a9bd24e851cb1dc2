import { share } from '#contract/money.ts';
import { addDays, daysBetween } from '#contract/time/calendar.ts';

/** When a fee is earned: evenly by day, the whole of it on the last day (docs/decisions/0042-double-entry.md). */

/** A fee, and the days over which it is earned. */
export interface EarningSpan {
  /** The day of the payment, on which nothing is earned yet (YYYY-MM-DD). */
  readonly from: string;
  readonly days: number;
  /** Minor units. */
  readonly fee: number;
}

/** What is earned of some fees by the end of a day, rounded down until the last. Minor units. */
export function earnedBy(spans: readonly EarningSpan[], day: string): number {
  return spans.reduce((sum, span) => sum + earnedOf(span, day), 0);
}

function earnedOf({ from, days, fee }: EarningSpan, day: string): number {
  const passed = Math.min(days, Math.max(0, daysBetween(from, day)));
  return share(fee, passed, days, 'down');
}

/** What a day earns. */
export interface DailyEarning {
  readonly date: string;
  readonly amount: number;
}

/**
 * What is still to be posted up to a day: each day's share that no posting has. Whether this is asked daily, twice or
 * after a week, the postings come to the same.
 */
export function earningsDue(spans: readonly EarningSpan[], posted: ReadonlySet<string>, today: string): DailyEarning[] {
  const due = new Map<string, number>();
  for (const span of spans) {
    const last = addDays(span.from, span.days);
    for (let day = addDays(span.from, 1); day <= last && day <= today; day = addDays(day, 1)) {
      if (posted.has(day)) continue;
      const amount = earnedOf(span, day) - earnedOf(span, addDays(day, -1));
      if (amount > 0) due.set(day, (due.get(day) ?? 0) + amount);
    }
  }
  return [...due].map(([date, amount]) => ({ date, amount })).sort((one, other) => one.date.localeCompare(other.date));
}
