import { referenceKey } from '#contract/payments/reference-key.ts';

/**
 * An account's statement against the journal's cash, day by day (docs/decisions/0050-money-that-comes.md). Both sides are put
 * together by their reference; what is left is named.
 */

export const differenceKinds = {
  missingHere: 'On the statement, not in our journal',
  missingThere: 'In our journal, not on the statement',
  amount: 'The amounts differ',
  twice: 'Recorded twice',
  late: 'On another day, or after the day was closed',
} as const;
export type DifferenceKind = keyof typeof differenceKinds;
export const differenceKindCodes = Object.keys(differenceKinds) as [DifferenceKind, ...DifferenceKind[]]; // the keys of a constant are its type's

/** A movement of cash on either side, in minor units: above 0 came in. */
export interface Movement {
  readonly reference: string;
  readonly date: string;
  readonly amount: number;
  readonly recordedAt: Date;
}

/** A difference of a day. */
export interface Difference {
  /** What it is, and of which amounts: with other amounts it is another one. */
  readonly difference: string;
  readonly kind: DifferenceKind;
  readonly reference: string;
  readonly byStatement: number | null;
  readonly byJournal: number | null;
  /** The days on which either side has it, in their order. */
  readonly days: readonly string[];
}

/** The two sides of an account. */
export interface Sides {
  readonly lines: readonly Movement[];
  readonly entries: readonly Movement[];
}

/** How a day was closed: when, and with which sums. */
export interface Closed {
  readonly at: Date;
  readonly byStatement: number;
  readonly byJournal: number;
}

/** The differences of a day; after it was closed also what was recorded on it since. */
export function differencesOf(sides: Sides, day: string, closed: Closed | null): Difference[] {
  const found = pairsOf(sides, day, closed?.at ?? null);
  if (closed === null || found.some(({ kind }) => kind === 'late')) return found;
  // What was under way when the day was closed may be dated before that, and still changes it.
  const [byStatement, byJournal] = [sumOfDay(sides.lines, day), sumOfDay(sides.entries, day)];
  if (byStatement === closed.byStatement && byJournal === closed.byJournal) return found;
  const difference = `late ${day} ${byStatement} ${byJournal}`;
  return [...found, { difference, kind: 'late', reference: WHOLE_DAY, byStatement, byJournal, days: [day] }];
}

const WHOLE_DAY = 'The whole day';

function pairsOf({ lines, entries }: Sides, day: string, closedAt: Date | null): Difference[] {
  const [there, here] = [byReference(lines), byReference(entries)];
  return [...new Set([...there.keys(), ...here.keys()])].flatMap((key) => {
    const pair = { lines: there.get(key) ?? [], entries: here.get(key) ?? [] };
    const all = [...pair.lines, ...pair.entries];
    if (!all.some(({ date }) => date === day)) return [];
    const isAfterClose = closedAt !== null && all.some(({ date, recordedAt }) => date === day && recordedAt > closedAt);
    const kind = differenceOf(pair) ?? (isAfterClose ? 'late' : undefined);
    return kind === undefined ? [] : [described(key, kind, pair)];
  });
}

function byReference(movements: readonly Movement[]): Map<string, Movement[]> {
  const found = new Map<string, Movement[]>();
  for (const movement of movements) {
    const key = referenceKey(movement.reference);
    found.set(key, [...(found.get(key) ?? []), movement]);
  }
  return found;
}

function sumOf(movements: readonly Movement[]): number {
  return movements.reduce((sum, { amount }) => sum + amount, 0);
}

function differenceOf({ lines, entries }: Sides): DifferenceKind | undefined {
  const [there, here] = [sumOf(lines), sumOf(entries)];
  if (lines.length === 0) return here === 0 ? undefined : 'missingThere';
  if (here === 0) return 'missingHere';
  // A reversal and what it reverses are nothing together.
  if (here !== there) return here === 2 * there ? 'twice' : 'amount';
  const [first] = lines;
  return entries.some(({ date }) => date !== first?.date) ? 'late' : undefined;
}

function described(key: string, kind: DifferenceKind, { lines, entries }: Sides): Difference {
  const [byStatement, byJournal] = [lines, entries].map((side) => (side.length === 0 ? null : sumOf(side)));
  const days = [...new Set([...lines, ...entries].map(({ date }) => date))].sort();
  const [first] = [...lines, ...entries];
  return {
    difference: [kind, key, byStatement ?? '-', byJournal ?? '-', ...days].join(' ').slice(0, 400),
    ...{ kind, days, reference: first?.reference ?? key },
    ...{ byStatement: byStatement ?? null, byJournal: byJournal ?? null },
  };
}

/** The sum of a day on one side. */
export function sumOfDay(movements: readonly Movement[], day: string): number {
  return sumOf(movements.filter(({ date }) => date === day));
}
