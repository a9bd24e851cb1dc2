import { z } from 'zod';
import { statuses } from '#contract/applications/lifecycle.ts';

/**
 * The figures of the dashboards' last block. Amounts in different currencies are never added up, and every period is a
 * calendar one in Kampala: a client's by the day on which money was paid out, the staff's by the date of application.
 */

/** How far back the figures go, the period at hand included. */
export const MONTHS_SHOWN = 12;
export const WEEKS_SHOWN = 12;

/** A sum of amounts as decimal text: unlike one amount, it may be more than a JSON number holds exactly. */
const sum = z.string().regex(/^\d+\.\d{2}$/);

/** What a number of applications in one currency come to. */
export const sums = z.strictObject({
  applications: z.int().min(0),
  amountAppliedFor: sum,
  feesCharged: sum,
  amountReceived: sum,
});
export type Sums = z.output<typeof sums>;

/** The sums of a period, which begins at `from`. */
const periodSums = sums.extend({ from: z.iso.date() });

/**
 * A client's own: what was paid out to them, a currency each; none where nothing is financed and nothing was paid out in
 * {@link MONTHS_SHOWN}.
 */
export const ownFigures = z.strictObject({
  currencies: z.array(
    z.strictObject({
      currency: z.string(),
      /** Paid out and not settled yet; `outstanding` is what of it is not paid back. */
      running: sums.extend({ outstanding: sum }),
      /** Paid out in this calendar year. */
      thisYear: sums,
      /** Paid out in the last {@link MONTHS_SHOWN} months, oldest first. */
      months: z.array(periodSums),
    }),
  ),
});
export type OwnFigures = z.output<typeof ownFigures>;

const statusSums = sums.extend({ status: z.enum(statuses) });

/** Everybody's: the last {@link WEEKS_SHOWN} weeks (from Monday) by state. */
export const allFigures = z.strictObject({
  currencies: z.array(
    z.strictObject({
      currency: z.string(),
      statuses: z.array(statusSums),
      /** Oldest first, every state in each. */
      weeks: z.array(z.strictObject({ from: z.iso.date(), statuses: z.array(statusSums) })),
    }),
  ),
});
export type AllFigures = z.output<typeof allFigures>;
