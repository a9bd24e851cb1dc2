import { z } from 'zod';
import { money, tag } from '#contract/fields.ts';

/** What a client's dashboard shows first. The browser imports only its types (docs/decisions/0023-first-screen.md). */

const about = { tag, invoiceNumber: z.string(), currency: z.string() };
/** The amount and day of a repayment, its reference, and whether a phone can pay it. */
const dated = {
  ...about,
  amount: money,
  dueOn: z.iso.date(),
  repaymentReference: z.string(),
  mayPayNow: z.boolean(),
};

/** Whether the client must choose a payout account first. */
const needsAccount = z.boolean();

/** What matters to a client now, one application each, the most urgent first. */
const matter = z.discriminatedUnion('kind', [
  /** The outstanding amount, and how many days late it is. */
  z.strictObject({ kind: z.literal('overdue'), ...dated, days: z.int().min(1) }),
  z.strictObject({ kind: z.literal('asked'), ...about }),
  /** The amount that the client would receive. */
  z.strictObject({ kind: z.literal('offered'), ...about, amount: money }),
  /** The amount that will be paid out. */
  z.strictObject({ kind: z.literal('approved'), ...about, amount: money, needsAccount }),
  /** The outstanding amount. */
  z.strictObject({ kind: z.literal('paidOut'), ...dated }),
  /** The amount received above the advance, which is owed to the client. */
  z.strictObject({ kind: z.literal('surplus'), ...about, amount: money, needsAccount }),
  /** `decideBy` is null once it has passed. */
  z.strictObject({
    kind: z.literal('deciding'),
    ...about,
    decideBy: z.iso.datetime().nullable(),
    targetMinutes: z.int(),
  }),
  /** The amount that the client would receive, once it is known. */
  z.strictObject({ kind: z.literal('draft'), ...about, amount: money.nullable() }),
]);
export type Matter = z.output<typeof matter>;
export type MatterKind = Matter['kind'];

/**
 * The most rows shown: cards for paid, asked and owed together, and lines for undecided ones. There is at most one
 * draft.
 */
export const MOST_MATTERS = { cards: 6, lines: 3 } as const;

/** The most urgent first; `more` counts the ones that are not shown; `payTo` are the lender's accounts, by currency. */
export const attentionReply = z.strictObject({
  matters: z.array(matter),
  more: z.int().min(0),
  payTo: z.record(z.string(), z.array(z.string())),
});
export type AttentionReply = z.output<typeof attentionReply>;
