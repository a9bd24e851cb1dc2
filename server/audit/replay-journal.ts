import { z } from 'zod';
import { cashMethods } from '#contract/journal/accounts.ts';
import { type Line, linesBetween, type PositionTerms, positionOf, postedKinds } from '#contract/journal/position.ts';
import { minorToNumeric } from '#contract/money.ts';
import type { StandingEntry } from '#contract/payments/balance.ts';
import type { Columns } from './replay.ts';

/** Rebuilds the journal of an invoice from its events alone, with the lines of each entry. */

const kind = z.enum(postedKinds);
const taggedEntry = z.object({
  tag: z.string(),
  kind,
  amount: z.number(),
  carried: z.number().default(0),
  rounded: z.number().default(0),
  paid_on: z.string(),
  method: z.enum(cashMethods).nullable().default(null),
  reference: z.string().nullable().default(null),
  payer: z.enum(['buyer', 'client']).nullable().default(null),
  deduction: z.string().nullable().default(null),
  certificate: z.string().nullable().default(null),
  /** A tag; in events of 1.0.0 the entry's number in `ledger_entries`. */
  reverses: z.union([z.number(), z.string()]).nullable().default(null),
  reason: z.string().nullable().default(null),
  /** The tag of a statement's line. */
  line: z.string().nullable().default(null),
  /** Absent in events of 1.0.0. */
  lines: z.record(z.string(), z.number()).optional(),
});
const untaggedEntry = z.object({ kind, amount: z.number(), date: z.string() });

/** When an entry was recorded, and by whom. */
interface Recorded {
  readonly recorded_at: number;
  readonly recorded_by: string | null;
}

/** The journal of one invoice. `tagOf` finds the entry that an event of 1.0.0 refers to by number. */
export class ReplayedJournal {
  /** By tag. */
  readonly entries = new Map<string, Columns>();
  /** Payments that an early demonstration recorded without tags: kind, amount and day. */
  readonly untagged: Columns[] = [];
  /** The entries in force. */
  standing: readonly (StandingEntry & { readonly tag?: string })[] = [];
  readonly #tagOf: (ledgerId: number) => string | undefined;

  constructor(tagOf: (ledgerId: number) => string | undefined) {
    this.#tagOf = tagOf;
  }

  /** Adds an entry and returns its contradictions. Throws a ZodError for an entry that Kasente doesn't write. */
  enter(given: unknown, terms: PositionTerms | undefined, recorded: Recorded): string[] {
    const tagged = taggedEntry.safeParse(given);
    if (!tagged.success) {
      const { date, ...rest } = untaggedEntry.parse(given);
      this.untagged.push({ ...rest, paid_on: date });
      this.standing = [...this.standing, { ...rest, date }];
      return [];
    }
    const { tag, lines: recordedLines, ...columns } = tagged.data;
    const reverses = typeof columns.reverses === 'number' ? this.#tagOf(columns.reverses) : columns.reverses;
    const before = this.standing;
    this.standing =
      columns.reverses === null
        ? [...before, { ...columns, tag, date: columns.paid_on, isFromSuspense: columns.line !== null }]
        : before.filter((entry) => entry.tag !== reverses);
    const lines =
      terms === undefined || this.untagged.length > 0
        ? undefined
        : sayLines(linesBetween(positionOf(terms, before), positionOf(terms, this.standing)));
    const row = { ...columns, reverses: reverses ?? null, ...recorded };
    this.entries.set(tag, lines === undefined ? row : { ...row, lines });
    const recordedText =
      recordedLines && sayLines(Object.entries(recordedLines).map(([account, amount]) => ({ account, amount })));
    return recordedText === undefined || lines === undefined || recordedText === lines
      ? []
      : [`payment ${tag}: recorded with the lines ${recordedText}, and they are ${lines}`];
  }
}

/** Formats lines as server/audit/record.queries.ts reads them. */
function sayLines(lines: readonly (Pick<Line, 'amount'> & { readonly account: string })[]): string {
  return lines
    .map(({ account, amount }) => `${account} ${minorToNumeric(amount)}`)
    .sort()
    .join(', ');
}
