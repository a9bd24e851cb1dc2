import { ADVANCE_RATE_BPS, feeRateBps, feeRatePercent, offeredTenors, quote } from '#contract/applications/quote.ts';
import { formatAmount } from '#contract/money.ts';

/**
 * The figures named in the texts, formatted for reading. They come from the pricing rules, so that no text can differ
 * from them.
 */

/** docs/specification-coverage.md, 9. */
export const MINIMUM_AGE = 18;

/** The default of DECISION_TARGET_HOURS; an operator with another SLA changes these texts. */
export const DECISION_HOURS = 4;

/** For example '90%'. */
export const HIGHEST_ADVANCE = `${ADVANCE_RATE_BPS / 100}%`;

/** The example of the fees table: an application for 1,000,000, in minor units. */
const ADVANCE = 100_000_000;
export const PRICED_ADVANCE = formatAmount(ADVANCE);

/** A row of the fees table, shortest period first. */
export const fees = offeredTenors.map((tenorDays) => {
  const { discountFee, netProceeds } = quote({ faceValue: ADVANCE, advance: ADVANCE, tenorDays });
  return {
    period: `${tenorDays} days`,
    rate: `${feeRatePercent(feeRateBps(tenorDays))}%`,
    fee: formatAmount(discountFee),
    received: formatAmount(netProceeds),
  };
});
