import { availableOf, type GrowthRule, grownLimit } from '#contract/limits/limit.ts';
import { type ProposalFacts, proposalRefusal } from '#contract/limits/limit-change.ts';
import type {
  BusinessLimit,
  EarnedRaise,
  FundingLimit,
  LimitProposal,
  WaitingProposal,
} from '#contract/limits/schema.ts';
import { fromMinor } from '#contract/money.ts';
import type { LimitRow, RaiseRow } from './limits.queries.ts';
import type { ProposalRow } from './proposals.queries.ts';

/** Presents a limit. `limit` in minor units. */
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

/** The fields of a limit that only staff see. Amounts in minor units. */
interface StaffFacts {
  /** The highest limit that the caller may set alone. */
  readonly highestAlone: number;
  readonly highest: number;
  /** Whether the caller is a new officer, who may not raise limits. */
  readonly isNewOfficer: boolean;
  readonly proposal: LimitProposal | undefined;
}

/** Presents a limit to staff. `limit` in minor units. */
export function presentBusinessLimit(
  row: LimitRow,
  limit: number,
  rule: GrowthRule,
  { highestAlone, highest, isNewOfficer, proposal }: StaffFacts,
): BusinessLimit {
  return {
    ...presentLimit(row, limit, rule),
    highestAlone: fromMinor(highestAlone),
    highest: fromMinor(highest),
    raiseRefusal: isNewOfficer ? 'NEW_OFFICER' : null,
    proposal: proposal ?? null,
  };
}

/** Presents a page of earned raises; the first row carries the total. */
export function presentRaises(rows: readonly RaiseRow[], ruleOf: (currency: string) => GrowthRule): EarnedRaise[] {
  return rows.map(({ total, limit, ...row }, index) => ({
    ...row,
    limit: fromMinor(limit),
    next: fromMinor(grownLimit(limit, ruleOf(row.currency)) ?? limit),
    ...(index === 0 ? { total } : {}),
  }));
}

/** Presents a proposal to the officer of `facts`. */
export function presentProposal(row: ProposalRow, facts: ProposalFacts): LimitProposal {
  return {
    tag: row.tag,
    limit: fromMinor(row.amount),
    reason: row.reason,
    by: { tag: row.officerTag, name: row.officerName },
    at: row.proposedAt.toISOString(),
    refusal: proposalRefusal(facts),
  };
}

/** Presents a proposal with its client. */
export function presentWaiting(row: ProposalRow, facts: ProposalFacts): WaitingProposal {
  const { businessTag, business, currencyId, currency, replaces } = row;
  return { ...presentProposal(row, facts), businessTag, business, currencyId, currency, replaces: fromMinor(replaces) };
}
