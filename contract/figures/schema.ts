import { z } from 'zod';
import { statuses } from '#contract/applications/lifecycle.ts';
import { overdueBucketNames } from '#contract/payments/buckets.ts';

/**
 * The figures on the dashboards. Amounts in different currencies are never added. Periods are calendar periods in
 * Kampala: a client's figures go by day of payout, the staff's by date of application.
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
 * A client's own figures by currency: the advances paid out to them. Empty if nothing is financed and nothing was paid
 * out in {@link MONTHS_SHOWN}.
 */
export const ownFigures = z.strictObject({
  currencies: z.array(
    z.strictObject({
      currency: z.string(),
      /** Paid out and not settled; `outstanding` is the unpaid part, whether or not it was written off. */
      running: sums.extend({ outstanding: sum }),
      /** The earliest due date, late or not, and the total due on that day. Null if no advance is open. */
      dueNext: z.strictObject({ dueOn: z.iso.date(), outstanding: sum }).nullable(),
      /** Paid out in this calendar year, with all fees charged in it: for payouts, for more time and for late days. */
      thisYear: sums,
      /** Paid out in the last {@link MONTHS_SHOWN} months, oldest first. */
      months: z.array(periodSums),
    }),
  ),
});
export type OwnFigures = z.output<typeof ownFigures>;

const statusSums = sums.extend({ status: z.enum(statuses) });

/** The figures of all clients: the last {@link WEEKS_SHOWN} weeks (from Monday) by state. */
export const allFigures = z.strictObject({
  currencies: z.array(
    z.strictObject({
      currency: z.string(),
      statuses: z.array(statusSums),
      /** Oldest first, with every state in each week. */
      weeks: z.array(z.strictObject({ from: z.iso.date(), statuses: z.array(statusSums) })),
    }),
  ),
});
export type AllFigures = z.output<typeof allFigures>;

/** Groups of open advances by due date: later, 'Due within 7 days', or late. */
export const dueGroups = ['later', 'dueThisWeek', ...overdueBucketNames] as const;
export type DueGroup = (typeof dueGroups)[number];

/** How many buyers and clients are shown by name: those with the most outstanding. */
export const NAMED_SHARES = 8;

const outstandingPart = z.strictObject({ applications: z.int().min(0), outstanding: sum });
const namedPart = outstandingPart.extend({ name: z.string() });

/** Everything outstanding now, by currency: in total, by due date, and by the largest buyers and clients. */
export const bookFigures = z.strictObject({
  currencies: z.array(
    z.strictObject({
      currency: z.string(),
      all: outstandingPart,
      /** Every group, in the order of {@link dueGroups}. */
      due: z.array(outstandingPart.extend({ group: z.enum(dueGroups) })),
      /** The {@link NAMED_SHARES} with the most outstanding. */
      buyers: z.array(namedPart),
      clients: z.array(namedPart),
    }),
  ),
});
export type BookFigures = z.output<typeof bookFigures>;
export type BookOfCurrency = BookFigures['currencies'][number];

/** A sum of payments and reversals, which may be negative. */
const signedSum = z.string().regex(/^-?\d+\.\d{2}$/);

/** Money received, by currency: oldest period first. */
export const incomeFigures = z.strictObject({
  currencies: z.array(
    z.strictObject({
      currency: z.string(),
      /** The last {@link WEEKS_SHOWN} weeks from Monday: advances due in each week, and repayments received in it. */
      weeks: z.array(z.strictObject({ from: z.iso.date(), due: sum, collected: signedSum })),
      /** Fees earned in the last {@link MONTHS_SHOWN} months, according to the journal. */
      months: z.array(z.strictObject({ from: z.iso.date(), earned: signedSum })),
    }),
  ),
});
export type IncomeFigures = z.output<typeof incomeFigures>;
