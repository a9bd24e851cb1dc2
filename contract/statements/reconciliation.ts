import { referenceKey } from '#contract/payments/reference-key.ts';
import type { Said } from './known-lines.ts';
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
  contradicted: 'Two statements disagree about it',
  elsewhere: 'It names another application',
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

/** A statement as it was taken in, and what it says of a line; null where it lacks it. */
export interface Import {
  readonly account: StatementAccount;
  readonly fileName: string;
  readonly importedAt: Date;
  readonly by: string;
  readonly says: Said | null;
}

/** A line of a statement, and another one that lacks it or says something else of it, of its day and of an account that it may be of. */
export interface Contradiction extends Movement {
  readonly imports: readonly [ours: Import, other: Import];
}

/** An application, as officers know it. */
export interface NamedApplication {
  readonly tag: string;
  readonly invoiceNumber: string;
}

/** A line that came in, a receipt in force that counts it, and the applications of both. */
export interface CountedLine extends Movement {
  /** The receipt's amount. */
  readonly counted: number;
  readonly on: NamedApplication;
  /** Those that the line names. */
  readonly names: readonly NamedApplication[];
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
  /** The applications that it names, and those on which it is counted. */
  readonly applications: readonly (NamedApplication & { readonly isNamed: boolean })[];
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

/** By day what is compared on it: all that shares a reference with something of that day, on either side. */
export function sidesByDay(sides: Sides): (day: string) => Sides {
  const [lines, entries] = [grouped(sides.lines, byMovement), grouped(sides.entries, byMovement)];
  const transfers = grouped(sides.transfers, ({ reference, numberHere, numberThere }) =>
    [reference, numberHere, numberThere].filter((one) => one !== null),
  );
  return (day) => {
    const keys = new Set([...lines.keysOn(day), ...entries.keysOn(day)]);
    return { lines: lines.of(keys), entries: entries.of(keys), transfers: transfers.of(transfers.keysOn(day)) };
  };
}

const byMovement = ({ reference }: Movement): readonly string[] => [reference];

/** By their references, and those by day: each is found once, in its order. */
function grouped<One extends { readonly date: string }>(
  all: readonly One[],
  referencesOf: (one: One) => readonly string[],
) {
  const [byKey, byDay] = [new Map<string, number[]>(), new Map<string, string[]>()];
  for (const [place, one] of all.entries())
    for (const key of referencesOf(one).map(referenceKey)) {
      add(byKey, key, place);
      add(byDay, one.date, key);
    }
  return {
    keysOn: (day: string): Iterable<string> => byDay.get(day) ?? [],
    of: (keys: Iterable<string>): One[] => {
      const places = new Set([...keys].flatMap((key) => byKey.get(key) ?? []));
      return [...places].sort((one, other) => one - other).flatMap((place) => all[place] ?? []);
    },
  };
}

function add<Value>(to: Map<string, Value[]>, key: string, value: Value): void {
  const found = to.get(key);
  if (found === undefined) to.set(key, [value]);
  else found.push(value);
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
  const whole = { comparison: 'statement', kind: 'late', reference: WHOLE_DAY, days: [day], ...ALONE } as const;
  const recordedBy = recordersOf(sides.entries.filter(({ date }) => date === day));
  return [...found, { ...whole, difference, there: byStatement, here: byJournal, recordedBy }];
}

/** The lines of a day that statements lack, or have otherwise: one of them is not what the account's holder was sent. */
export function contradictedOf(contradictions: readonly Contradiction[], day: string): Difference[] {
  const ofDay = contradictions.filter(({ date }) => date === day);
  return [...byReference(ofDay)].flatMap(([key, all]) => {
    const found = isLacking(all) ? all : all.filter(({ imports: [, other] }) => other.says !== null);
    const [first] = found;
    if (first === undefined) return [];
    const { reference, amount: there } = first;
    const others = found.map((one) => one.imports[1]);
    // What is said once more in the same words stays explained.
    const words = new Set(others.flatMap(({ says }) => (says === null ? [] : [JSON.stringify(says)])));
    const count = words.size + others.filter(({ says }) => says === null).length;
    const difference = `imports contradicted ${key} ${there} ${count}`.slice(0, 400);
    const shared = { comparison: 'imports', kind: 'contradicted', days: [day], applications: [] } as const;
    const told = { difference, reference, there, here: others[0]?.says?.amount ?? null };
    return [{ ...shared, ...told, imports: [first.imports[0], ...others], recordedBy: recordersOf(found) }];
  });
}

/** What has it may be of both accounts: then only a statement of both lacks it, or one of each. */
function isLacking(found: readonly Contradiction[]): boolean {
  const lacking = found.filter(({ imports: [, other] }) => other.says === null);
  const of = new Set(lacking.map(({ imports: [, lacks] }) => lacks.account));
  return of.has('all') || of.size > 1 || lacking.some(({ imports: [has] }) => has.account !== 'all');
}

/** The lines of a day that name applications, and are counted on one that they do not name. */
export function elsewhereOf(counted: readonly CountedLine[], day: string): Difference[] {
  const isElsewhere = ({ date, on, names }: CountedLine): boolean =>
    date === day && names.length > 0 && !names.some(({ tag }) => tag === on.tag);
  return [...byReference(counted.filter(isElsewhere))].map(([key, found]) => {
    const { reference = key, amount: there = 0, names = [] } = found[0] ?? {};
    const here = found.reduce((sum, one) => sum + one.counted, 0);
    const difference = `elsewhere ${key} ${there} ${here} ${found.map(({ on }) => on.tag).join(' ')}`.slice(0, 400);
    const shared = { comparison: 'statement', kind: 'elsewhere', days: [day], imports: [] } as const;
    const applications = [
      ...names.map((one) => ({ ...one, isNamed: true })),
      ...new Map(found.map(({ on }) => [on.tag, { ...on, isNamed: false }])).values(),
    ];
    return { ...shared, difference, reference, there, here, applications, recordedBy: recordersOf(found) };
  });
}

/** What only some kinds have. */
const ALONE = { imports: [], applications: [] } as const;

/** Whether both sides have said how a transfer ended, or the provider that it was paid. */
function isSaid({ here, there, isByHand }: TransferRecord): boolean {
  return there === 'paid' || (here !== 'open' && (there !== null || isByHand));
}

function describedUnsaid({ reference, here, amount, date, recordedBy }: TransferRecord): Difference {
  const byUs = here === 'paid' ? amount : null;
  const difference = `provider unsaid ${reference} ${byUs ?? '-'}`;
  const unsaid = { comparison: 'provider', kind: 'unsaid', there: null, ...ALONE } as const;
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
  for (const movement of movements) add(found, referenceKey(movement.reference), movement);
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
    ...ALONE,
  };
}

/** The sum of a day on one side. */
export function sumOfDay(movements: readonly Movement[], day: string): number {
  return sumOf(movements.filter(({ date }) => date === day));
}
