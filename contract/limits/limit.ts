import { share } from '#contract/money.ts';

/** A business's funding limit in a currency and how it grows. Minor units. */

export interface LimitUse {
  readonly limit: number;
  /** Advances paid out and not paid back yet. */
  readonly outstanding: number;
  /** Advances submitted or approved, and not paid out yet. */
  readonly submitted: number;
}

/** How much the client may still apply for; never negative, even after the limit was lowered. */
export function availableOf({ limit, outstanding, submitted }: LimitUse): number {
  return Math.max(0, limit - outstanding - submitted);
}

/** The rule of growth, from the server's settings. */
export interface GrowthRule {
  /** How many applications must be settled by their due date since the limit was last set. */
  readonly settledApplications: number;
  readonly growthPercent: number;
  /** The rule never raises a limit above this. */
  readonly maximum: number;
  /** The smallest advance that counts, in per cent of the limit. */
  readonly sizePercent: number;
  /** The fewest days from payout to settlement that count. */
  readonly minimumDays: number;
}

const PERCENT_PER_WHOLE = 100;

/** The next limit by the rule; undefined at the maximum. */
export function grownLimit(limit: number, { growthPercent, maximum }: GrowthRule): number | undefined {
  const grown = Math.min(maximum, limit + share(limit, growthPercent, PERCENT_PER_WHOLE, 'down'));
  return grown > limit ? grown : undefined;
}

/** An application that was settled by its due date. */
export interface Settlement {
  readonly advance: number;
  /** Days from payout to settlement. */
  readonly days: number;
}

/**
 * Whether a settlement counts for growth. A small advance paid back the same day says nothing about a client. The same
 * condition in SQL is `earnsSince` in server/limits/limits.queries.ts.
 */
export function countsForGrowth(
  { advance, days }: Settlement,
  limit: number,
  { sizePercent, minimumDays }: Pick<GrowthRule, 'sizePercent' | 'minimumDays'>,
): boolean {
  const isLargeEnough = BigInt(advance) * BigInt(PERCENT_PER_WHOLE) >= BigInt(limit) * BigInt(sizePercent);
  return isLargeEnough && days >= minimumDays;
}

/** The facts that decide how high one officer may set a limit alone: the settings, and what the client has earned. */
export interface AloneRule {
  /** Every client's starting limit. */
  readonly start: number;
  /** Above this multiple of the starting limit, two officers decide. */
  readonly timesStart: number;
  /** The limit that the client has earned under the growth rule; undefined if none. */
  readonly earned: number | undefined;
}

/** The highest limit that one officer may set alone: never above the current limit, except for an earned raise. */
export function highestAlone(limit: number, { start, timesStart, earned }: AloneRule): number {
  return Math.max(limit, Math.min(earned ?? limit, start * timesStart));
}
