import { plainPhone } from '#contract/accounts/username.ts';
import { minorToNumeric } from '#contract/money.ts';
import { referenceKey } from '#contract/payments/reference-key.ts';
import { layoutOf, type Rail } from './layouts.ts';
import type { StatementLine } from './read-statement.ts';

/**
 * Finds the lines of a statement that an earlier statement already contained (docs/decisions/0050-money-that-comes.md).
 */

/** The details of a payment in a statement. */
export type LineDetails = Pick<StatementLine, 'date' | 'amount' | 'payerNumber' | 'payerName' | 'details'>;

/** A stored line. Lines from before migration 0063 may share a key. */
export interface KnownLine extends LineDetails {
  readonly id: string;
  readonly key: string;
}

/** The keys of all ids under which these lines may be stored. */
export function keysOfLines(rail: Rail, lines: readonly StatementLine[]): string[] {
  return lines.flatMap((line) => idsOf(rail, line).map(referenceKey));
}

/**
 * The ids of a line. A bank may give one id to several payments, so its lines also get an id made of the bank's id, the
 * day and the amount. Outgoing amounts are in parentheses; until migration 0063 they had a minus sign.
 */
function idsOf(rail: Rail, { id, date, amount }: StatementLine): readonly string[] {
  if (layoutOf(rail).mayRepeatId !== true) return [id];
  if (amount > 0) return [id, `${id} ${date} ${minorToNumeric(amount)}`];
  return [id, `${id} ${date} (${minorToNumeric(-amount)})`, `${id} ${date} ${minorToNumeric(amount)}`];
}

/** The id that we build for a line without one, before identical lines of the same day are numbered. */
export function idWithout({ date, amount, details }: Pick<LineDetails, 'date' | 'amount' | 'details'>): string {
  return `${date} ${amount} ${details.slice(0, LONGEST_BUILT)}`;
}
const LONGEST_BUILT = 100;

export interface ComparedLines {
  /** New lines, each with its id. */
  readonly fresh: readonly StatementLine[];
  /** New lines that may repeat a payment that is already counted: the keys of both lines. */
  readonly repeats: readonly { readonly key: string; readonly of: string }[];
  /** Known lines with other details, another amount or another day, by the key of the stored line. */
  readonly contradicting: readonly { readonly key: string; readonly said: LineDetails }[];
  /** The keys of all lines, and of the lines that they may repeat. */
  readonly keys: readonly string[];
}

/**
 * Compares the lines of a statement with stored lines. `before` must contain the stored lines that have one of the
 * statement's keys, or one of its days and amounts.
 */
export function compareLines(rail: Rail, lines: readonly StatementLine[], before: readonly KnownLine[]): ComparedLines {
  const known = groupBy(before, ({ key }) => key);
  const isKnown = (id: string): boolean => known.has(referenceKey(id));
  const fresh: StatementLine[] = [];
  const contradicting: { key: string; said: LineDetails }[] = [];
  const keys = new Set<string>();
  for (const line of lines) {
    // Equal ids within one statement are separate payments: a bank's own id may look like one that we build.
    const ids = idsOf(rail, line).filter((one) => !keys.has(referenceKey(one)));
    const isIts = (id: string): boolean => (known.get(referenceKey(id)) ?? []).some((one) => isSamePayment(one, line));
    const id = ids.find(isIts) ?? ids.find((one) => !isKnown(one)) ?? line.id;
    const key = referenceKey(id);
    const ours = known.get(key);
    if (ours === undefined) {
      fresh.push({ ...line, id });
      known.set(key, [{ ...line, id, key }]);
    } else if (keys.has(key) || !ours.some((one) => isSameLine(one, line))) contradicting.push({ key, said: line });
    keys.add(key);
  }
  const repeats = layoutOf(rail).mayLackId === true ? repeatsOf(fresh, before) : [];
  return { fresh, repeats, contradicting, keys: [...keys, ...repeats.map(({ of }) => of)] };
}

/**
 * Pairs incoming lines that have the same details if only one of the two has the bank's reference. They are either a
 * pending payment and its booking, or two payments.
 */
function repeatsOf(fresh: readonly StatementLine[], before: readonly KnownLine[]): { key: string; of: string }[] {
  const same = groupBy(before.map(comparable), ({ payment }) => payment);
  const taken = new Set<string>();
  return fresh.flatMap((line) => {
    const own = comparable({ ...line, key: referenceKey(line.id) });
    const ofDay = same.get(own.payment) ?? [];
    const isAlike = (one: Comparable): boolean => one.name !== own.name && saysSame(one.texts, own.texts);
    const other = ofDay.find((one) => !taken.has(one.key) && isAlike(one)) ?? ofDay.find(isAlike);
    ofDay.push(own);
    same.set(own.payment, ofDay);
    if (line.amount < 0 || other === undefined) return [];
    taken.add(other.key);
    return [{ key: own.key, of: other.key }];
  });
}

function groupBy<One>(all: readonly One[], keyOf: (one: One) => string): Map<string, One[]> {
  const groups = new Map<string, One[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
}

/** The parts of a line that we compare. Computed once, because thousands of lines may share a day and an amount. */
interface Comparable {
  readonly key: string;
  readonly payment: string;
  readonly name: ReturnType<typeof nameOf>;
  readonly texts: readonly string[];
}

function comparable(line: KnownLine): Comparable {
  const { key, date, amount, payerNumber, payerName, details } = line;
  const texts = [payerNumber ?? '', payerName ?? '', details].map(referenceKey);
  return { key, payment: `${date} ${amount}`, name: nameOf(line), texts };
}

/**
 * Why an officer may not decide whether a line repeats another one. "Another payment" counts as more money, so the
 * importer of the line can't decide that alone.
 */
export function refusalOfRepeat(
  { isSame: before, importedBy }: { readonly isSame: boolean | null; readonly importedBy: number },
  { isSame, by }: { readonly isSame: boolean; readonly by: number },
): 'REPEAT_ANSWERED' | 'OWN_REPEAT' | undefined {
  if (before === false || before === isSame) return 'REPEAT_ANSWERED';
  return !isSame && by === importedBy ? 'OWN_REPEAT' : undefined;
}

/** Whether we built the id of a line, because the bank gave none. */
export function isBuilt(line: Pick<KnownLine, 'id' | 'date' | 'amount' | 'details'>): boolean {
  return line.id.startsWith(idWithout(line));
}

/** What identifies a line: the bank's reference, words like 'PENDING' or 'N/A', or the id that we built. */
function nameOf(line: LineDetails & { readonly id: string }): 'reference' | 'words' | 'built' {
  if (isBuilt(line)) return 'built';
  return /[1-9]/.test(line.id) ? 'reference' : 'words';
}

/**
 * Whether two lines agree about payer and purpose. Empty texts agree with everything, because a pending line may lack
 * some.
 */
function saysSame(one: readonly string[], other: readonly string[]): boolean {
  return one.every((text, place) => text === '' || other[place] === '' || text === other[place]);
}

function isSamePayment(known: LineDetails, { date, amount }: LineDetails): boolean {
  return known.date === date && known.amount === amount;
}

/** Whether two statements agree about a payment. Details count too, because they decide where the money goes. */
export function isSameLine(one: LineDetails, other: LineDetails): boolean {
  return (
    isSamePayment(one, other) &&
    one.details === other.details &&
    // An earlier release stored some numbers in the format of the file.
    plainPhone(one.payerNumber ?? '') === plainPhone(other.payerNumber ?? '') &&
    one.payerName === other.payerName
  );
}
