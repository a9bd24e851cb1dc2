import { availableOf, type GrowthRule, grownLimit } from '#contract/limits/limit.ts';
import type { EarnedRaise, FundingLimit } from '#contract/limits/schema.ts';
import { fromMinor } from '#contract/money.ts';
import type { LimitRow, RaiseRow } from './limits.queries.ts';

/** A limit as the wire has it. `limit` in minor units. */
export function presentLimit(row: LimitRow, limit: number, rule: GrowthRule): FundingLimit {
  const { currencyId, currency, outstanding, submitted, settledOnTime } = row;
  const next = grownLimit(limit, rule);
  const settledNeeded = rule.settledApplications;
  return {
    currencyId,
    currency,
    limit: fromMinor(limit),
    outstanding: fromMinor(outstanding),
    submitted: fromMinor(submitted),
    available: fromMinor(availableOf({ limit, outstanding, submitted })),
    growth:
      next === undefined
        ? null
        : { settledOnTime, settledNeeded, next: fromMinor(next), earned: settledOnTime >= settledNeeded },
  };
}

/** A page of earned raises as the wire has it: the first row carries the total. */
export function presentRaises(rows: readonly RaiseRow[], ruleOf: (currency: string) => GrowthRule): EarnedRaise[] {
  return rows.map(({ total, limit, ...row }, index) => ({
    ...row,
    limit: fromMinor(limit),
    next: fromMinor(grownLimit(limit, ruleOf(row.currency)) ?? limit),
    ...(index === 0 ? { total } : {}),
  }));
}
