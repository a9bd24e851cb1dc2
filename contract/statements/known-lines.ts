import { plainPhone } from '#contract/accounts/username.ts';
import { minorToNumeric } from '#contract/money.ts';
import { referenceKey } from '#contract/payments/reference-key.ts';
import { layoutOf, type Rail } from './layouts.ts';
import type { StatementLine } from './read-statement.ts';

/** Which lines of a statement an earlier one has brought already (docs/decisions/0050-money-that-comes.md). */

/** What a statement says about a payment. */
export type Said = Pick<StatementLine, 'date' | 'amount' | 'payerNumber' | 'payerName' | 'details'>;

/** The keys of all ids under which these lines may be stored. */
export function keysOfLines(rail: Rail, lines: readonly StatementLine[]): string[] {
  return lines.flatMap((line) => idsOf(rail, line).map(referenceKey));
}

/** A line's own id. A bank may give one id to several payments, so its lines also get an id with day and amount. */
function idsOf(rail: Rail, { id, date, amount }: StatementLine): readonly string[] {
  return layoutOf(rail).mayRepeatId === true ? [id, `${id} ${date} ${minorToNumeric(amount)}`] : [id];
}

export interface ComparedLines {
  /** New lines, each under its id. */
  readonly fresh: readonly StatementLine[];
  /** Known lines with other details, another amount or another day, by the key of the stored line. */
  readonly contradicting: readonly { readonly key: string; readonly said: Said }[];
  /** The keys of all lines. */
  readonly keys: readonly string[];
}

/** Compares the lines of a statement with the stored ones, by the keys of their ids. */
export function compareLines(
  rail: Rail,
  lines: readonly StatementLine[],
  before: ReadonlyMap<string, Said>,
): ComparedLines {
  const known = new Map(before);
  const fresh: StatementLine[] = [];
  const contradicting: { key: string; said: Said }[] = [];
  const keys = new Set<string>();
  for (const line of lines) {
    // Equal ids within one statement are separate payments: somebody may have written an id that we build.
    const ids = idsOf(rail, line).filter((one) => !keys.has(referenceKey(one)));
    const isIts = (id: string): boolean => isSamePayment(known.get(referenceKey(id)), line);
    const id = ids.find(isIts) ?? ids.find((one) => !known.has(referenceKey(one))) ?? line.id;
    const key = referenceKey(id);
    const ours = known.get(key);
    if (ours === undefined) {
      fresh.push({ ...line, id });
      known.set(key, line);
    } else if (keys.has(key) || !isSameLine(ours, line)) contradicting.push({ key, said: line });
    keys.add(key);
  }
  return { fresh, contradicting, keys: [...keys] };
}

function isSamePayment(known: Said | undefined, { date, amount }: Said): boolean {
  return known !== undefined && known.date === date && known.amount === amount;
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
