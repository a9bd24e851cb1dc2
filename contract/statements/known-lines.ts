import { plainPhone } from '#contract/accounts/username.ts';
import { minorToNumeric } from '#contract/money.ts';
import { referenceKey } from '#contract/payments/reference-key.ts';
import { layoutOf, type Rail } from './layouts.ts';
import type { StatementLine } from './read-statement.ts';

/** Which lines of a statement an earlier one has brought already (docs/decisions/0050-money-that-comes.md). */

/** What a statement says about a payment. */
export type Said = Pick<StatementLine, 'date' | 'amount' | 'payerNumber' | 'payerName' | 'details'>;

/** A stored line. Lines from before migration 0063 may share a key. */
export interface KnownLine extends Said {
  readonly id: string;
  readonly key: string;
}

/** The keys of all ids under which these lines may be stored. */
export function keysOfLines(rail: Rail, lines: readonly StatementLine[]): string[] {
  return lines.flatMap((line) => idsOf(rail, line).map(referenceKey));
}

/**
 * A line's own id. A bank may give one id to several payments, so its lines also get an id with day and amount, with
 * money that went out in parentheses; until migration 0063 it had a minus sign.
 */
function idsOf(rail: Rail, { id, date, amount }: StatementLine): readonly string[] {
  if (layoutOf(rail).mayRepeatId !== true) return [id];
  if (amount > 0) return [id, `${id} ${date} ${minorToNumeric(amount)}`];
  return [id, `${id} ${date} (${minorToNumeric(-amount)})`, `${id} ${date} ${minorToNumeric(amount)}`];
}

/** The id of a line that has none, without its number among its equals of that day. */
export function idWithout({ date, amount, details }: Pick<Said, 'date' | 'amount' | 'details'>): string {
  return `${date} ${amount} ${details.slice(0, LONGEST_BUILT)}`;
}
const LONGEST_BUILT = 100;

export interface ComparedLines {
  /** New lines, each under its id. */
  readonly fresh: readonly StatementLine[];
  /** New lines that may be a payment counted before: by the keys of both lines. */
  readonly repeats: readonly { readonly key: string; readonly of: string }[];
  /** Known lines with other details, another amount or another day, by the key of the stored line. */
  readonly contradicting: readonly { readonly key: string; readonly said: Said }[];
  /** The keys of all lines, and of those that they may repeat. */
  readonly keys: readonly string[];
}

/**
 * Compares the lines of a statement with stored ones: those with one of its keys, and those of the same days and
 * amounts.
 */
export function compareLines(rail: Rail, lines: readonly StatementLine[], before: readonly KnownLine[]): ComparedLines {
  const known = groupBy(before, ({ key }) => key);
  const isKnown = (id: string): boolean => known.has(referenceKey(id));
  const fresh: StatementLine[] = [];
  const contradicting: { key: string; said: Said }[] = [];
  const keys = new Set<string>();
  for (const line of lines) {
    // Equal ids within one statement are separate payments: somebody may have written an id that we build.
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
 * Incoming lines that say the same as another one, of which only one has the bank's reference: a pending payment and the
 * booked one, or two payments.
 */
function repeatsOf(fresh: readonly StatementLine[], before: readonly KnownLine[]): { key: string; of: string }[] {
  const same = groupBy(before, dayAndAmount);
  const taken = new Set<string>();
  return fresh.flatMap((line) => {
    const own = { ...line, key: referenceKey(line.id) };
    const ofDay = same.get(dayAndAmount(line)) ?? [];
    same.set(dayAndAmount(line), [...ofDay, own]);
    const others = ofDay.filter((other) => nameOf(other) !== nameOf(own) && saysSame(other, own));
    const other = others.find(({ key }) => !taken.has(key)) ?? others[0];
    if (line.amount < 0 || other === undefined) return [];
    taken.add(other.key);
    return [{ key: own.key, of: other.key }];
  });
}

function groupBy<One>(all: readonly One[], keyOf: (one: One) => string): Map<string, One[]> {
  const groups = new Map<string, One[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

function dayAndAmount({ date, amount }: Said): string {
  return `${date} ${amount}`;
}

/**
 * Why an officer may not answer whether a line repeats another one. Another payment is money that comes in, so the
 * importer of the line doesn't say that alone.
 */
export function refusalOfRepeat(
  { isSame: before, importedBy }: { readonly isSame: boolean | null; readonly importedBy: number },
  { isSame, by }: { readonly isSame: boolean; readonly by: number },
): 'REPEAT_ANSWERED' | 'OWN_REPEAT' | undefined {
  if (before === false || before === isSame) return 'REPEAT_ANSWERED';
  return !isSame && by === importedBy ? 'OWN_REPEAT' : undefined;
}

/** What names a line: the bank's reference, words like 'PENDING' or 'N/A', or the id that we built. */
function nameOf(line: Said & { readonly id: string }): 'reference' | 'words' | 'built' {
  if (line.id.startsWith(idWithout(line))) return 'built';
  return /[1-9]/.test(line.id) ? 'reference' : 'words';
}

/** Whether nothing that two lines say about payer and purpose differs. A pending line may lack some of it. */
function saysSame(one: Said, other: Said): boolean {
  const texts = ({ payerNumber, payerName, details }: Said) =>
    [payerNumber ?? '', payerName ?? '', details].map(referenceKey);
  const others = texts(other);
  return texts(one).every((text, place) => text === '' || others[place] === '' || text === others[place]);
}

function isSamePayment(known: Said, { date, amount }: Said): boolean {
  return known.date === date && known.amount === amount;
}

/** Whether two statements say the same about a payment. Details count too: they decide where money goes. */
export function isSameLine(one: Said, other: Said): boolean {
  return (
    isSamePayment(one, other) &&
    one.details === other.details &&
    // An earlier release stored some writings of a number as they stood in the file.
    plainPhone(one.payerNumber ?? '') === plainPhone(other.payerNumber ?? '') &&
    one.payerName === other.payerName
  );
}
