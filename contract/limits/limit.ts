import { share } from '#contract/money.ts';

/**
 * A business's funding limit in a currency and how it grows (issue 'The decision desk'; specification, section 1: 'a
 * funding limit that grows with the business'). Minor units.
 */

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
}

const PERCENT_PER_WHOLE = 100;

/** What the rule makes of a limit; undefined where it has reached the maximum. */
export function grownLimit(limit: number, { growthPercent, maximum }: GrowthRule): number | undefined {
  const grown = Math.min(maximum, limit + share(limit, growthPercent, PERCENT_PER_WHOLE, 'down'));
  return grown > limit ? grown : undefined;
}
