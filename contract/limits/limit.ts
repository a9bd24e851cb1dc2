import { share } from '#contract/money.ts';

/** A business's funding limit in a currency and how it grows. Minor units. */

export interface LimitUse {
  readonly limit: number;
  /** Advances paid out and not paid back yet. */
  readonly outstanding: number;
  /** Advances submitted or approved, and not paid out yet. */
  readonly submitted: number;
}

/** What may still be applied for: never below 0, also where a limit was lowered. */
export function availableOf({ limit, outstanding, submitted }: LimitUse): number {
  return Math.max(0, limit - outstanding - submitted);
}

/** The rule of growth, from the server's settings. */
export interface GrowthRule {
  /** How many applications must be settled by their due date since the limit was last set. */
  readonly settledApplications: number;
  readonly growthPercent: number;
  /** The highest limit that the rule leads to. */
  readonly maximum: number;
  /** The smallest advance that counts, in per cent of the limit. */
  readonly sizePercent: number;
  /** The fewest days from payout to settlement that count. */
  readonly minimumDays: number;
}

const PERCENT_PER_WHOLE = 100;

/** What the rule makes of a limit; undefined where it has reached the maximum. */
export function grownLimit(limit: number, { growthPercent, maximum }: GrowthRule): number | undefined {
  const grown = Math.min(maximum, limit + share(limit, growthPercent, PERCENT_PER_WHOLE, 'down'));
  return grown > limit ? grown : undefined;
}

/** An application that was settled by its due date. */
export interface Settlement {
  readonly advance: number;
  /** From the day it was paid out to the day it was paid back. */
  readonly days: number;
}

/**
 * Whether a settlement counts for growth: a few shillings paid back the same day say nothing of a client. The condition
 * stands in SQL as well, `earnsSince` in server/limits/limits.queries.ts.
 */
export function countsForGrowth(
  { advance, days }: Settlement,
  limit: number,
  { sizePercent, minimumDays }: Pick<GrowthRule, 'sizePercent' | 'minimumDays'>,
): boolean {
  const isLargeEnough = BigInt(advance) * BigInt(PERCENT_PER_WHOLE) >= BigInt(limit) * BigInt(sizePercent);
  return isLargeEnough && days >= minimumDays;
}

/** What one officer may do alone, from the server's settings and what the client has earned. */
export interface AloneRule {
  /** What every client starts with. */
  readonly start: number;
  /** Above so many times the starting limit, two officers decide. */
  readonly timesStart: number;
  /** What the rule of growth has earned; undefined where it has not. */
  readonly earned: number | undefined;
}

/** The highest limit that one officer sets alone: never above what is in force, but for a raise that was earned. */
export function highestAlone(limit: number, { start, timesStart, earned }: AloneRule): number {
  return Math.max(limit, Math.min(earned ?? limit, start * timesStart));
}
