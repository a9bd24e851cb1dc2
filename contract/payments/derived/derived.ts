import { balanceOf, type StandingEntry } from '#contract/payments/balance.ts';
import { type LateHistory, type LateTerms, lateChargesOf } from './late-charge.ts';

/**
 * Entries that follow from the other entries in force, in whatever order those were recorded and reversed: late
 * charges, and debts below the smallest payable unit, which the rounding account pays. Nobody records or reverses
 * derived entries; each change of an application recalculates them.
 */

/** A derived entry. Minor units. */
export interface DerivedEntry {
  readonly kind: 'lateCharge' | 'rounding';
  readonly date: string;
  readonly amount: number;
}

/** The inputs of derived entries, besides the entries in force. */
export interface Derivation {
  readonly terms: Omit<LateTerms, 'dueOn'> & { readonly dueOn: string | null };
  readonly history: LateHistory;
  readonly today: string;
}

/** The upcoming change of an application: entries to record, and one to reverse. */
export interface Upcoming<Entry> {
  readonly adds?: readonly StandingEntry[];
  readonly without?: Entry;
}

/** The derived entries to post and to reverse, and the entries then in force, before the upcoming change. */
export interface Correction<Entry> {
  readonly post: readonly DerivedEntry[];
  readonly reverse: readonly Entry[];
  readonly standing: readonly (Entry | DerivedEntry)[];
}

/**
 * Corrects the derived entries for an upcoming change, or for none. Idempotent: any number of corrections, at any time,
 * gives the same entries.
 */
export function correctionOf<Entry extends StandingEntry>(
  derivation: Derivation,
  standing: readonly Entry[],
  { adds = [], without }: Upcoming<Entry> = {},
): Correction<Entry> {
  const posted = standing.filter(isDerived);
  const others = standing.filter((entry) => !isDerived(entry) && entry !== without);
  const due = derivedEntries(derivation, [...others, ...adds], posted);
  const post = due.filter((entry) => !posted.some((one) => isSame(one, entry)));
  const reverse = posted.filter((entry) => !due.some((one) => isSame(one, entry)));
  return { post, reverse, standing: [...standing.filter((entry) => !reverse.includes(entry)), ...post] };
}

function derivedEntries(
  { terms: { dueOn, ...terms }, history, today }: Derivation,
  standing: readonly StandingEntry[],
  posted: readonly StandingEntry[],
): DerivedEntry[] {
  if (dueOn === null) return [];
  // A change that waited past midnight for its lock must not reverse charges posted for the new day meanwhile.
  const until = posted
    .filter(({ kind }) => kind === 'lateCharge')
    .reduce((latest, { date }) => (date > latest ? date : latest), today);
  const charges = lateChargesOf({ ...terms, dueOn }, standing, history, until);
  const derived: DerivedEntry[] = charges.map((day) => ({ kind: 'lateCharge', ...day }));
  const amount = unpayable(terms, [...standing, ...derived]);
  return amount === 0 ? derived : [...derived, { kind: 'rounding', amount, date: today }];
}

/** The amounts below the smallest payable unit: of the outstanding debt, and of the written-off debt not paid since. */
function unpayable({ advance, unit }: Pick<LateTerms, 'advance' | 'unit'>, standing: readonly StandingEntry[]): number {
  const { outstanding, lost } = balanceOf(advance, standing);
  if (outstanding >= unit) return 0;
  return lost < unit ? outstanding + lost : outstanding;
}

/** Whether entries of this kind follow from others, so that nobody records them. */
export function isDerived({ kind }: { readonly kind: string }): boolean {
  return kind === 'lateCharge' || kind === 'rounding';
}

/** A rounding keeps the day on which it was first posted. */
function isSame(one: StandingEntry, other: StandingEntry): boolean {
  const isSameDay = one.kind === 'rounding' || one.date === other.date;
  return one.kind === other.kind && one.amount === other.amount && isSameDay;
}
