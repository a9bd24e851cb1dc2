import { z } from 'zod';
import { money, tag } from '#contract/fields.ts';
import { shownOutlook } from '#contract/payouts/schema.ts';

/**
 * The matters that a client's dashboard shows first. The browser imports only its types
 * (docs/decisions/0023-first-screen.md).
 */

const about = { tag, invoiceNumber: z.string(), currency: z.string() };
/** The amount and day of a repayment, its reference, and whether it can be paid by phone. */
const dated = {
  ...about,
  amount: money,
  dueOn: z.iso.date(),
  repaymentReference: z.string(),
  mayPayNow: z.boolean(),
};

/** What is still needed and from when the cash can go, and whether it is for the client to choose an account. */
const cash = { outlook: shownOutlook, needsAccount: z.boolean() };

/** A matter that needs the client's attention now. Each application has at most one; the most urgent comes first. */
const matter = z.discriminatedUnion('kind', [
  /** The outstanding amount, and how many days late it is. */
  z.strictObject({ kind: z.literal('overdue'), ...dated, days: z.int().min(1) }),
  z.strictObject({ kind: z.literal('asked'), ...about }),
  /** The amount that the client would receive. */
  z.strictObject({ kind: z.literal('offered'), ...about, amount: money }),
  /** The amount that will be paid out. */
  z.strictObject({ kind: z.literal('approved'), ...about, amount: money, ...cash }),
  /** The outstanding amount. */
  z.strictObject({ kind: z.literal('paidOut'), ...dated }),
  /** The amount received above the advance, which we owe the client. */
  z.strictObject({ kind: z.literal('surplus'), ...about, amount: money, ...cash }),
  /** `decideBy` is null once the deadline has passed. */
  z.strictObject({
    kind: z.literal('deciding'),
    ...about,
    decideBy: z.iso.datetime().nullable(),
    targetMinutes: z.int(),
  }),
  /** The amount that the client would receive; null until it is known. */
  z.strictObject({ kind: z.literal('draft'), ...about, amount: money.nullable() }),
]);
export type Matter = z.output<typeof matter>;
export type MatterKind = Matter['kind'];

/**
 * The most rows shown: one limit for all cards together, another for lines, which show undecided applications. There is
 * at most one draft.
 */
export const MOST_MATTERS = { cards: 6, lines: 3 } as const;

/**
 * The most urgent first. `more` counts the matters that are not shown; `payTo` lists the lender's accounts by currency.
 */
export const attentionReply = z.strictObject({
  matters: z.array(matter),
  more: z.int().min(0),
  payTo: z.record(z.string(), z.array(z.string())),
});
export type AttentionReply = z.output<typeof attentionReply>;
