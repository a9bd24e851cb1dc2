import { z } from 'zod';
import { statuses } from '#contract/applications/lifecycle.ts';

/**
 * The figures on the dashboards. Amounts in different currencies are never added. Periods are calendar periods in
 * Kampala: a client's by day of payout, the staff's by date of application.
 */

/** How far back the figures go, including the current period. */
export const MONTHS_SHOWN = 12;
export const WEEKS_SHOWN = 12;

/** A sum of amounts as decimal text: a sum may exceed what a JSON number holds exactly. */
const sum = z.string().regex(/^\d+\.\d{2}$/);

/** The sums of some applications in one currency. */
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
 * A client's own figures by currency: what was paid out to them. Empty if nothing is financed and nothing was paid out
 * in {@link MONTHS_SHOWN}.
 */
export const ownFigures = z.strictObject({
  currencies: z.array(
    z.strictObject({
      currency: z.string(),
      /** Paid out and not settled; `outstanding` is the part that is not paid back. */
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
