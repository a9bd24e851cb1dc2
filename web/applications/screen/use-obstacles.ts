import { type Obstacle, obstaclesOf } from '#contract/applications/submission/submission.ts';
import type { FundingLimit } from '#contract/limits/schema.ts';
import { toMinor } from '#contract/money.ts';
import type { ApplicationDraft } from '#web/applications/draft/use-application-draft.ts';
import type { Figures } from '#web/applications/terms/application-figures.ts';
import { useRequirements } from '#web/applications/terms/applications.api.ts';

interface Terms {
  readonly figures: Figures;
  readonly fundingLimit: FundingLimit | undefined;
}

/** The obstacles to submitting other than fields and documents, known from the moment the form opens. */
export interface Obstacles {
  /** Obstacles about the client, shown above the form. */
  readonly general: readonly Obstacle[];
  /** An obstacle about the typed amount, shown under it. */
  readonly amount: Obstacle | undefined;
  /** In the chosen currency, in minor units; 0 if there is none. */
  readonly smallestAdvance: number;
}

/** Finds the obstacles by the same rules as the submission (contract/applications/submission/submission.ts). */
export function useObstacles({ draft }: ApplicationDraft, { figures, fundingLimit }: Terms): Obstacles {
  const { data } = useRequirements(draft.invoice?.tag);
  if (data === undefined) return { general: [], amount: undefined, smallestAdvance: 0 };
  const currency = fundingLimit?.currency;
  const smallest = toMinor(data.smallestAdvances.find((one) => one.currency === currency)?.amount ?? 0) ?? 0;
  const advance = figures.isAboveMaximum ? undefined : figures.advance;
  const found = obstaclesOf({
    now: new Date(),
    isClientActive: data.isClientActive,
    overdue: data.overdue,
    pausedUntil: data.pausedUntil === null ? undefined : new Date(data.pausedUntil),
    advance: fundingLimit && {
      currency: fundingLimit.currency,
      advance,
      smallest,
      limit: toMinor(fundingLimit.limit) ?? 0,
      available: toMinor(fundingLimit.available) ?? 0,
    },
  });
  const isAboutAmount = ({ fields }: Obstacle) => advance !== undefined && AMOUNT in (fields ?? {});
  return {
    general: found.filter((obstacle) => !isAboutAmount(obstacle)),
    amount: found.find(isAboutAmount),
    smallestAdvance: smallest,
  };
}

const AMOUNT = 'application.amountAppliedFor';

/** An obstacle as a sentence. */
export function describeObstacle({ more, fields = {}, missing }: Obstacle): string {
  return more ?? Object.values(fields)[0] ?? missing.join('. ');
}
