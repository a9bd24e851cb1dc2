import { z } from 'zod';
import { money, tag } from '#contract/fields.ts';

/** What a client's dashboard leads with. The browser has it as types alone (docs/decisions/0023-first-screen.md). */

const about = { tag, invoiceNumber: z.string(), currency: z.string() };
const dated = { ...about, amount: money, dueOn: z.iso.date() };

/** What matters to a client now, each of one application; in the order of their urgency. */
const matter = z.discriminatedUnion('kind', [
  /** What is outstanding, and how many days late. */
  z.strictObject({ kind: z.literal('overdue'), ...dated, days: z.int().min(1) }),
  z.strictObject({ kind: z.literal('asked'), ...about }),
  /** What they are going to be paid. */
  z.strictObject({ kind: z.literal('approved'), ...about, amount: money }),
  /** What is outstanding. */
  z.strictObject({ kind: z.literal('paidOut'), ...dated }),
  /** What was paid back above the advance and is owed to them. */
  z.strictObject({ kind: z.literal('surplus'), ...about, amount: money }),
  /** `decideBy` is null once that moment has passed. */
  z.strictObject({
    kind: z.literal('deciding'),
    ...about,
    decideBy: z.iso.datetime().nullable(),
    targetMinutes: z.int(),
  }),
  /** What they would receive, once that is known. */
  z.strictObject({ kind: z.literal('draft'), ...about, amount: money.nullable() }),
]);
export type Matter = z.output<typeof matter>;
export type MatterKind = Matter['kind'];

/** How many are shown of what is paid, asked or owed together, and of what is being decided. There is one draft. */
export const MOST_MATTERS = { cards: 6, lines: 3 } as const;

/** The most urgent first; `more` is how many there are beside those. */
export const attentionReply = z.strictObject({ matters: z.array(matter), more: z.int().min(0) });
export type AttentionReply = z.output<typeof attentionReply>;
