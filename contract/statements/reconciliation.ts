import { counted } from '#contract/counts.ts';
import { keysOf } from '#contract/keys.ts';
import { referenceKey } from '#contract/payments/reference-key.ts';
import type { LineDetails } from './known-lines.ts';
import type { StatementAccount } from './layouts.ts';

/**
 * Compares an account's statement with the journal's cash, and the provider's record with our transfers, day by day
 * (docs/decisions/0050-money-that-comes.md). We pair records by the provider's number; everything else is a difference.
 */

/** The comparisons, with people's names for both sides. */
export const comparisons = {
  statement: { there: 'Statement', here: 'Our journal' },
  provider: { there: 'Provider', here: 'Our transfers' },
  imports: { there: 'One statement', here: 'Another' },
} as const;
export type Comparison = keyof typeof comparisons;
export const comparisonCodes = keysOf(comparisons);

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
export const differenceKindCodes = keysOf(differenceKinds);

/** A movement of cash on either side, in minor units: above 0 came in. */
export interface Movement {
  readonly reference: string;
  readonly date: string;
  readonly amount: number;
  readonly recordedAt: Date;
  /** Ids of the people who recorded our side. For a line: the officers who ended that payout as not paid. */
  readonly recordedBy: readonly number[];
}

/**
 * An imported statement. Files by one officer for the same days of an account count as one import, described by the
 * newest.
 */
export interface Import {
  readonly tag: string;
  readonly account: StatementAccount;
  readonly fileName: string;
  readonly importedAt: Date;
  readonly by: string;
}

/** A line of one statement, and the same line in another statement; null if that lacks the line. */
export interface ContradictedLine {
  readonly reference: string;
  readonly ours: LineDetails;
  readonly other: LineDetails | null;
}

/** All lines of a day in one statement that another statement lacks or contradicts. */
export interface Contradiction {
  readonly date: string;
  readonly imports: readonly [ours: Import, other: Import];
  /** Equal for statements that contradict the same lines in the same way. */
  readonly digest: string;
  readonly isLacking: boolean;
  readonly lineCount: number;
  /** The sum of the lines, in minor units. */
  readonly amount: number;
  /** The first lines. */
  readonly lines: readonly ContradictedLine[];
  /** The ids of all lines, if the query asks for them. */
  readonly lineIds: readonly number[];
  /** Ids of the people who imported the lines. */
  readonly recordedBy: readonly number[];
}

/** An application as officers identify it. */
export interface NamedApplication {
  readonly tag: string;
  readonly invoiceNumber: string;
}

/** An incoming line, a receipt in force that counts it, and the applications of both. */
export interface CountedLine extends Movement {
  /** The receipt's amount. */
  readonly counted: number;
  readonly on: NamedApplication;
  /** The applications that the line names. */
  readonly names: readonly NamedApplication[];
}

/** A difference of a day. */
export interface Difference {
  /** Identifies the difference. It includes the amounts, so other amounts make another difference. */
  readonly difference: string;
  readonly comparison: Comparison;
  readonly kind: DifferenceKind;
  readonly reference: string;
  readonly there: number | null;
  readonly here: number | null;
  /** The days on which either side recorded it, earliest first. */
  readonly days: readonly string[];
  /** Who recorded our side. They may not explain the difference. */
  readonly recordedBy: readonly number[];
  /**
   * The imports that contradict each other about `lineCount` lines. If there are several lines, `lines` has the first
   * ones.
   */
  readonly imports: readonly (Import & { readonly says: LineDetails | null })[];
  readonly lineCount: number;
  readonly lines: readonly ContradictedLine[];
  readonly lineIds: readonly number[];
  /** The applications that the line names, and those whose receipts count it. */
  readonly applications: readonly (NamedApplication & { readonly isNamed: boolean })[];
}

/** A transfer over a provider's rail, on the day it was ordered. */
export interface TransferRecord {
  /** Our reference, which the provider has before it assigns a number. */
  readonly reference: string;
  readonly date: string;
  /** In minor units: above 0 came in. */
  readonly amount: number;
  /** How it ended in our record. `paid` if its entry is in force. */
  readonly here: 'open' | 'paid' | 'notPaid';
  readonly numberHere: string | null;
  readonly knownAt: Date | null;
  /** Ids of the people who released it, decided how it ended, or reversed it. */
  readonly recordedBy: readonly number[];
  /** Whether two officers decided how it ended, because the provider gave no answer. */
  readonly isByHand: boolean;
  /** How it ended according to the provider's last answer; null without one. */
  readonly there: 'paid' | 'notPaid' | null;
  readonly numberThere: string | null;
  /** The amount according to the provider; null if it gave none. */
  readonly amountThere: number | null;
}

/** Two sides of an account. */
interface Pair {
  readonly lines: readonly Movement[];
  readonly entries: readonly Movement[];
}

/** The statement and the journal of an account, and its transfers with the provider's answers. */
export interface Sides extends Pair {
  readonly transfers: readonly TransferRecord[];
}

/** When a day was closed, and the sums of both sides at that time. */
export interface Closed {
  readonly at: Date;
  readonly byStatement: number;
  readonly byJournal: number;
}

/** Groups both sides by day. A day gets every record that shares a reference with a record of that day. */
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

/** Indexes records by reference, and references by day. Returns each record once, in the original order. */
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

/** The differences of a day. For a closed day they include later records. */
export function differencesOf(sides: Sides, day: string, closed: Closed | null): Difference[] {
  const [said, unsaid] = [sides.transfers.filter(isSaid), sides.transfers.filter((one) => !isSaid(one))];
  const found = [
    ...pairsOf(sides, { comparison: 'statement', day, closedAt: closed?.at ?? null }),
    ...pairsOf(pairOf(said), { comparison: 'provider', day, closedAt: closed?.at ?? null }),
    ...unsaid.filter(({ date }) => date === day).map(describedUnsaid),
  ];
  if (closed === null) return found;
  // A record that was in progress at the close may have an earlier date but still change the sums. One with a later
  // date is late.
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

/**
 * Contradictions between statements about a day, one difference for each pair of statements. Pairs that differ about
 * the same lines are merged. At least one of the files is not what the provider sent.
 */
export function contradictedOf(contradictions: readonly Contradiction[], day: string): Difference[] {
  const alike = new Map<string, Contradiction[]>();
  for (const pair of contradictions)
    if (pair.date === day) add(alike, `${pair.digest} ${String(pair.isLacking)}`, pair);
  return [...alike.values()].flatMap((pairs) => {
    const [first] = pairs;
    const line = first?.lines[0];
    if (first === undefined || line === undefined) return [];
    const { amount: there, digest, isLacking, lineCount, lineIds, lines } = first;
    const isOne = lineCount === 1;
    // If the same contradiction comes back, it stays explained.
    const count = isLacking ? pairs.length : 'otherwise';
    const identity = isOne && isLacking ? `${referenceKey(line.reference)} ${there}` : digest;
    const others = pairs.flatMap(({ imports: [, other], lines: on }) =>
      isOne ? on.map(({ other: says }) => ({ ...other, says })) : [{ ...other, says: null }],
    );
    return [
      {
        ...({ comparison: 'imports', kind: 'contradicted' } as const),
        days: [day],
        applications: [],
        difference: `imports contradicted ${identity} ${count}`.slice(0, 400),
        reference: isOne ? line.reference : counted(lineCount, 'line'),
        there,
        here: isOne ? (line.other?.amount ?? null) : null,
        lineCount,
        lineIds,
        lines: isOne ? [] : lines,
        imports: [{ ...first.imports[0], says: isOne ? line.ours : null }, ...others],
        recordedBy: [...new Set(pairs.flatMap(({ recordedBy }) => recordedBy))],
      },
    ];
  });
}

/** Lines of a day that name an application but are counted on another one. */
export function elsewhereOf(counted: readonly CountedLine[], day: string): Difference[] {
  const isElsewhere = ({ date, on, names }: CountedLine): boolean =>
    date === day && names.length > 0 && !names.some(({ tag }) => tag === on.tag);
  return [...byReference(counted.filter(isElsewhere))].map(([key, found]) => {
    const { reference = key, amount: there = 0, names = [] } = found[0] ?? {};
    const here = found.reduce((sum, one) => sum + one.counted, 0);
    const difference = `elsewhere ${key} ${there} ${here} ${found.map(({ on }) => on.tag).join(' ')}`.slice(0, 400);
    const shared = { ...ALONE, comparison: 'statement', kind: 'elsewhere', days: [day] } as const;
    const applications = [
      ...names.map((one) => ({ ...one, isNamed: true })),
      ...new Map(found.map(({ on }) => [on.tag, { ...on, isNamed: false }])).values(),
    ];
    return { ...shared, difference, reference, there, here, applications, recordedBy: recordersOf(found) };
  });
}

/** Default values of the fields that only some kinds of difference fill. */
const ALONE = { imports: [], lineCount: 0, lines: [], lineIds: [], applications: [] } as const;

/** Whether both sides recorded how a transfer ended, or the provider recorded that it was paid. */
function isSaid({ here, there, isByHand }: TransferRecord): boolean {
  return there === 'paid' || (here !== 'open' && (there !== null || isByHand));
}

function describedUnsaid({ reference, here, amount, date, recordedBy }: TransferRecord): Difference {
  const byUs = here === 'paid' ? amount : null;
  const difference = `provider unsaid ${reference} ${byUs ?? '-'}`;
  const unsaid = { comparison: 'provider', kind: 'unsaid', there: null, ...ALONE } as const;
  return { ...unsaid, difference, reference, here: byUs, days: [date], recordedBy };
}

/**
 * The payments in the provider's record, and in ours. If two officers decided how a transfer ended, that holds until
 * the provider contradicts it.
 */
function pairOf(transfers: readonly TransferRecord[]): Pair {
  const movement = (one: TransferRecord, number: string | null, amount: number): Movement => ({
    reference: number ?? one.reference,
    date: one.date,
    amount,
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
  if (lines.length > 1) return 'twice'; // a provider assigns a number once
  if (lines.length === 0) return here === 0 ? undefined : 'missingThere';
  if (here === 0) return 'missingHere';
  // An entry and its reversal add up to zero.
  if (here !== there) return here === 2 * there ? 'twice' : 'amount';
  const [first] = lines;
  // Entries of a day that cancel each other out don't count, such as a reversal and money sent back because of it.
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
    comparison,
    kind,
    days,
    reference: first?.reference ?? key,
    there,
    here,
    recordedBy: recordersOf([...lines, ...entries]),
    ...ALONE,
  };
}

/** The sum of one side for a day. */
export function sumOfDay(movements: readonly Movement[], day: string): number {
  return sumOf(movements.filter(({ date }) => date === day));
}
