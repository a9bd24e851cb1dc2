import { referenceKey } from '#contract/payments/reference-key.ts';
import type { StatementAccount } from './layouts.ts';

/**
 * An account's statement against the journal's cash, and its provider's record against our transfers, day by day
 * (docs/decisions/0050-money-that-comes.md). Both sides are put together by the provider's number; what is left is named.
 */

/** With what we compare, as people know the two sides. */
export const comparisons = {
  statement: { there: 'Statement', here: 'Our journal' },
  provider: { there: 'Provider', here: 'Our transfers' },
  imports: { there: 'One statement', here: 'Another' },
} as const;
export type Comparison = keyof typeof comparisons;
export const comparisonCodes = Object.keys(comparisons) as [Comparison, ...Comparison[]]; // the keys of a constant are its type's

export const differenceKinds = {
  missingHere: 'They have it, we do not',
  missingThere: 'We have it, they do not',
  amount: 'The amounts differ',
  twice: 'Recorded twice',
  late: 'On another day, or after the day was closed',
  unsaid: 'They have not said how it ended',
  contradicted: 'One statement has it, another does not',
} as const;
export type DifferenceKind = keyof typeof differenceKinds;
export const differenceKindCodes = Object.keys(differenceKinds) as [DifferenceKind, ...DifferenceKind[]]; // the keys of a constant are its type's

/** A movement of cash on either side, in minor units: above 0 came in. */
export interface Movement {
  readonly reference: string;
  readonly date: string;
  readonly amount: number;
  readonly recordedAt: Date;
  /** The ids of those whose word our side of it is: of a line, who ended as not paid what it names. */
  readonly recordedBy: readonly number[];
}

/** A statement as it was taken in, and whether it has the line. */
export interface Import {
  readonly account: StatementAccount;
  readonly fileName: string;
  readonly importedAt: Date;
  readonly by: string;
  readonly hasIt: boolean;
}

/** A line of a statement, and another one that lacks it, of its day and of an account that it may be of. */
export interface Contradiction extends Movement {
  readonly imports: readonly [has: Import, lacks: Import];
}

/** A difference of a day. */
export interface Difference {
  /** What it is, and of which amounts: with other amounts it is another one. */
  readonly difference: string;
  readonly comparison: Comparison;
  readonly kind: DifferenceKind;
  readonly reference: string;
  readonly there: number | null;
  readonly here: number | null;
  /** The days on which either side has it, in their order. */
  readonly days: readonly string[];
  /** Whose word our side of it is: they do not explain it. */
  readonly recordedBy: readonly number[];
  /** The imports that contradict each other. */
  readonly imports: readonly Import[];
}

/** A transfer over a provider's rail, of the day on which it was ordered. */
export interface TransferRecord {
  /** By which the provider knows it before it has a number. */
  readonly reference: string;
  readonly date: string;
  /** In minor units: above 0 came in. */
  readonly amount: number;
  /** How it ended by our record: paid, where its entry is in force. */
  readonly here: 'open' | 'paid' | 'notPaid';
  readonly numberHere: string | null;
  readonly knownAt: Date | null;
  /** The ids of who released it, said how it ended, or reversed it. */
  readonly recordedBy: readonly number[];
  /** Two officers said how it ended, because the provider had not. */
  readonly isByHand: boolean;
  /** How it ended by the provider's last word; null where there is none. */
  readonly there: 'paid' | 'notPaid' | null;
  readonly numberThere: string | null;
  /** As the provider says it, where it does. */
  readonly amountThere: number | null;
}

/** Two sides of an account. */
interface Pair {
  readonly lines: readonly Movement[];
  readonly entries: readonly Movement[];
}

/** The statement and the journal of an account, and its transfers with what their provider says. */
export interface Sides extends Pair {
  readonly transfers: readonly TransferRecord[];
}

/** How a day was closed: when, and with which sums. */
export interface Closed {
  readonly at: Date;
  readonly byStatement: number;
  readonly byJournal: number;
}

/** The differences of a day; after it was closed also what was recorded on it since. */
export function differencesOf(sides: Sides, day: string, closed: Closed | null): Difference[] {
  const [said, unsaid] = [sides.transfers.filter(isSaid), sides.transfers.filter((one) => !isSaid(one))];
  const found = [
    ...pairsOf(sides, { comparison: 'statement', day, closedAt: closed?.at ?? null }),
    ...pairsOf(pairOf(said), { comparison: 'provider', day, closedAt: closed?.at ?? null }),
    ...unsaid.filter(({ date }) => date === day).map(describedUnsaid),
  ];
  if (closed === null) return found;
  // What was under way when the day was closed may be dated before that, and still changes it. What is dated later is late.
  const sumAtClose = (side: readonly Movement[]): number =>
    sumOfDay(
      side.filter(({ recordedAt }) => recordedAt <= closed.at),
      day,
    );
  const [byStatement, byJournal] = [sumAtClose(sides.lines), sumAtClose(sides.entries)];
  if (byStatement === closed.byStatement && byJournal === closed.byJournal) return found;
  const difference = `late ${day} ${byStatement} ${byJournal}`;
  const whole = { comparison: 'statement', kind: 'late', reference: WHOLE_DAY, days: [day], imports: [] } as const;
  const recordedBy = recordersOf(sides.entries.filter(({ date }) => date === day));
  return [...found, { ...whole, difference, there: byStatement, here: byJournal, recordedBy }];
}

/** The lines of a day that a statement has and others lack: one of them is not what the account's holder was sent. */
export function contradictedOf(contradictions: readonly Contradiction[], day: string): Difference[] {
  const ofDay = contradictions.filter(({ date }) => date === day);
  return [...byReference(ofDay)]
    .filter(([, found]) => isLacking(found))
    .map(([key, found]) => {
      const { reference = key, amount: there = 0 } = found[0] ?? {};
      const [has] = found[0]?.imports ?? [];
      const imports = [...(has ? [has] : []), ...found.map((one) => one.imports[1])];
      const difference = `imports contradicted ${key} ${there} ${found.length}`.slice(0, 400);
      const shared = { comparison: 'imports', kind: 'contradicted', here: null, days: [day] } as const;
      return { ...shared, difference, reference, there, imports, recordedBy: recordersOf(found) };
    });
}

/** What has it may be of both accounts: then only a statement of both lacks it, or one of each. */
function isLacking(found: readonly Contradiction[]): boolean {
  const of = new Set(found.map(({ imports: [, lacks] }) => lacks.account));
  return of.has('all') || of.size > 1 || found.some(({ imports: [has] }) => has.account !== 'all');
}

/** Whether both sides have said how a transfer ended, or the provider that it was paid. */
function isSaid({ here, there, isByHand }: TransferRecord): boolean {
  return there === 'paid' || (here !== 'open' && (there !== null || isByHand));
}

function describedUnsaid({ reference, here, amount, date, recordedBy }: TransferRecord): Difference {
  const byUs = here === 'paid' ? amount : null;
  const difference = `provider unsaid ${reference} ${byUs ?? '-'}`;
  const unsaid = { comparison: 'provider', kind: 'unsaid', there: null, imports: [] } as const;
  return { ...unsaid, difference, reference, here: byUs, days: [date], recordedBy };
}

/** What was paid by the provider's record, and by ours. What two officers said stands until the provider says otherwise. */
function pairOf(transfers: readonly TransferRecord[]): Pair {
  const movement = (one: TransferRecord, number: string | null, amount: number): Movement => ({
    ...{ reference: number ?? one.reference, date: one.date, amount },
    recordedAt: one.knownAt ?? new Date(0),
    recordedBy: one.recordedBy,
  });
  const isPaid = ({ here, there }: TransferRecord): boolean => (there ?? here) === 'paid';
  const amountThere = ({ amount, amountThere: said }: TransferRecord): number =>
    said === null ? amount : Math.sign(amount) * said;
  return {
    lines: transfers.filter(isPaid).map((one) => movement(one, one.numberThere ?? one.numberHere, amountThere(one))),
    entries: transfers.filter(({ here }) => here === 'paid').map((one) => movement(one, one.numberHere, one.amount)),
  };
}

const WHOLE_DAY = 'The whole day';

interface Compared {
  readonly comparison: Comparison;
  readonly day: string;
  readonly closedAt: Date | null;
}

function pairsOf({ lines, entries }: Pair, { comparison, day, closedAt }: Compared): Difference[] {
  const [there, here] = [byReference(lines), byReference(entries)];
  return [...new Set([...there.keys(), ...here.keys()])].flatMap((key) => {
    const pair = { lines: there.get(key) ?? [], entries: here.get(key) ?? [] };
    const all = [...pair.lines, ...pair.entries];
    if (!all.some(({ date }) => date === day)) return [];
    const isAfterClose = closedAt !== null && all.some(({ date, recordedAt }) => date === day && recordedAt > closedAt);
    const kind = differenceOf(pair) ?? (isAfterClose ? 'late' : undefined);
    return kind === undefined ? [] : [described(comparison, key, kind, pair)];
  });
}

function byReference<One extends Movement>(movements: readonly One[]): Map<string, One[]> {
  const found = new Map<string, One[]>();
  for (const movement of movements) {
    const key = referenceKey(movement.reference);
    found.set(key, [...(found.get(key) ?? []), movement]);
  }
  return found;
}

function recordersOf(movements: readonly Movement[]): number[] {
  return [...new Set(movements.flatMap(({ recordedBy }) => recordedBy))];
}

function sumOf(movements: readonly Movement[]): number {
  return movements.reduce((sum, { amount }) => sum + amount, 0);
}

function differenceOf({ lines, entries }: Pair): DifferenceKind | undefined {
  const [there, here] = [sumOf(lines), sumOf(entries)];
  if (lines.length > 1) return 'twice'; // a provider gives a number once
  if (lines.length === 0) return here === 0 ? undefined : 'missingThere';
  if (here === 0) return 'missingHere';
  // A reversal and what it reverses are nothing together.
  if (here !== there) return here === 2 * there ? 'twice' : 'amount';
  const [first] = lines;
  // What cancels out on a day is nothing there: a reversal, and what was sent back for it.
  const isLate = entries.some(({ date }) => date !== first?.date && sumOfDay(entries, date) !== 0);
  return isLate ? 'late' : undefined;
}

function described(comparison: Comparison, key: string, kind: DifferenceKind, { lines, entries }: Pair): Difference {
  const [there = null, here = null] = [lines, entries].map((side) => (side.length === 0 ? null : sumOf(side)));
  const days = [...new Set([...lines, ...entries].map(({ date }) => date))].sort();
  const [first] = [...lines, ...entries];
  return {
    difference: [...(comparison === 'provider' ? [comparison] : []), kind, key, there ?? '-', here ?? '-', ...days]
      .join(' ')
      .slice(0, 400),
    ...{ comparison, kind, days, reference: first?.reference ?? key, there, here },
    recordedBy: recordersOf([...lines, ...entries]),
    imports: [],
  };
}

/** The sum of a day on one side. */
export function sumOfDay(movements: readonly Movement[], day: string): number {
  return sumOf(movements.filter(({ date }) => date === day));
}
