import { type Obstacle, saySmallest } from '#contract/applications/submission/submission.ts';
import type { FundingLimit } from '#contract/limits/schema.ts';
import classes from './funding-limit.module.css';
import { growthText, money } from './funding-limit.tsx';

interface LimitNoteProps {
  readonly limit: FundingLimit;
  /** Why the typed advance cannot be submitted. */
  readonly amount: Obstacle | undefined;
  /** Minor units; 0 if there is none. */
  readonly smallestAdvance: number;
}

/** Shown under an amount: the smallest advance, what the client can use, and a warning if the amount is outside them. */
export function LimitNote({ limit, amount, smallestAdvance }: LimitNoteProps) {
  const isAbove = amount?.code === 'LIMIT_EXCEEDED';
  const isBelow = amount?.code === 'ADVANCE_BELOW_MINIMUM';
  return (
    <span className={classes.note}>
      {isAbove && <span className={classes.above}>This is more than you can use of your funding limit.</span>}
      {isBelow && <span className={classes.above}>{amount?.missing.join('. ')}.</span>}
      {!isBelow && smallestAdvance > 0 && `${saySmallest({ currency: limit.currency, smallest: smallestAdvance })}. `}
      {`You can use ${money(limit.currency, limit.available)} of your funding limit of ${money(limit.currency, limit.limit)}. `}
      {isAbove && limit.growth !== null && growthText(limit)}
    </span>
  );
}
