import { z } from 'zod';
import { money, tag } from '#contract/fields.ts';
import { shownOutlook } from '#contract/payouts/schema.ts';

/**
 * A client's home: what they owe and may still use, what they have to do, and what is on its way to them. The browser
 * imports only its types (docs/decisions/0023-first-screen.md); `home.ts` has the rules.
 */

/** What is owed and available in one currency. */
const balance = z.strictObject({
  currency: z.string(),
  /** Everything paid out and not paid back, with what was written off. */
  owed: money,
  /** The part to pay first: all that is late, else what is due on the earliest day; null if nothing is owed. */
  due: z
    .strictObject({
      amount: money,
      dueOn: z.iso.date(),
      /** 0 on the day, negative before it; of the oldest advance. */
      daysLate: z.int(),
      advances: z.int().min(1),
      /** The application to pay first. */
      tag,
    })
    .nullable(),
  limit: money,
  available: money,
});
export type Balance = z.output<typeof balance>;

const about = { tag, invoiceNumber: z.string(), currency: z.string() };

/** What is still needed and from when the cash can go, and whether it is for the client to choose an account. */
const cash = { outlook: shownOutlook, needsAccount: z.boolean() };

/** An application that needs the client's attention, or brings them money. Each application has at most one matter. */
const matter = z.discriminatedUnion('kind', [
  /** What is not paid back in time. */
  z.strictObject({ kind: z.literal('overdue'), ...about, amount: money, daysLate: z.int().min(1) }),
  /** What is due today or within a week. */
  z.strictObject({ kind: z.literal('due'), ...about, amount: money, dueOn: z.iso.date() }),
  /** The officer's own words, cut after some lines, and the documents that are still missing. */
  z.strictObject({ kind: z.literal('asked'), ...about, question: z.string(), documents: z.array(z.string()) }),
  /** The amount that the client would receive. */
  z.strictObject({ kind: z.literal('offered'), ...about, amount: money }),
  /** The amount that will be paid out. */
  z.strictObject({ kind: z.literal('approved'), ...about, amount: money, ...cash }),
  /** The amount received above the advance, which we owe the client. */
  z.strictObject({ kind: z.literal('surplus'), ...about, amount: money, ...cash }),
  /** The application to be decided first, and how many are being decided; `decideBy` is null once it has passed. */
  z.strictObject({
    kind: z.literal('deciding'),
    ...about,
    applications: z.int().min(1),
    decideBy: z.iso.datetime().nullable(),
    targetMinutes: z.int(),
  }),
  /** The amount that the client would receive; null until it is known. */
  z.strictObject({ kind: z.literal('draft'), ...about, amount: money.nullable() }),
]);
export type Matter = z.output<typeof matter>;
export type MatterKind = Matter['kind'];

/** The most matters of each list; there is at most one draft besides. */
export const MOST_MATTERS = { toDo: 5, onItsWay: 4 } as const;

export const attentionReply = z.strictObject({
  /** The currencies in use, the most urgent debt first; empty if there is no funding limit either. */
  balances: z.array(balance),
  /** The most urgent first. */
  matters: z.array(matter),
  /** How many matters are not shown. */
  more: z.strictObject({ toDo: z.int().min(0), onItsWay: z.int().min(0) }),
  /** The business has no payout account. */
  needsPayoutAccount: z.boolean(),
  /** Why the client cannot apply now, by the rules of the submission, and what to do about it. */
  blocked: z.string().nullable(),
});
export type AttentionReply = z.output<typeof attentionReply>;
