import { balanceOf, type StandingEntry } from '#contract/payments/balance.ts';
import { type LateHistory, type LateTerms, lateChargesOf } from './late-charge.ts';

/**
 * Entries that follow from the other entries in force, whatever the order in which those were recorded and reversed: late
 * charges, and what is left below the smallest payable unit, which the rounding account pays. Nobody records or reverses them; each change of an application works them out again.
 */

/** A derived entry. Minor units. */
export interface DerivedEntry {
  readonly kind: 'lateCharge' | 'rounding';
  readonly date: string;
  readonly amount: number;
}

/** What derived entries follow from, besides the entries in force. */
export interface Derivation {
  readonly terms: Omit<LateTerms, 'dueOn'> & { readonly dueOn: string | null };
  readonly history: LateHistory;
  readonly today: string;
}

/** What is about to happen to an application: entries to record, and one to reverse. */
export interface Upcoming<Entry> {
  readonly adds?: readonly StandingEntry[];
  readonly without?: Entry;
}

/** The derived entries to post and to reverse, and what is in force then, before the upcoming change. */
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
  // A change that waited for its lock past midnight must not take back what the new day was charged meanwhile.
  const until = posted
    .filter(({ kind }) => kind === 'lateCharge')
    .reduce((latest, { date }) => (date > latest ? date : latest), today);
  const charges = lateChargesOf({ ...terms, dueOn }, standing, history, until);
  const derived: DerivedEntry[] = charges.map((day) => ({ kind: 'lateCharge', ...day }));
  const amount = unpayable(terms, [...standing, ...derived]);
  return amount === 0 ? derived : [...derived, { kind: 'rounding', amount, date: today }];
}

/** What is left below the smallest payable unit: of what is outstanding, and of what was written off and not paid since. */
function unpayable({ advance, unit }: Pick<LateTerms, 'advance' | 'unit'>, standing: readonly StandingEntry[]): number {
  const { outstanding, lost } = balanceOf(advance, standing);
  if (outstanding >= unit) return 0;
  return lost < unit ? outstanding + lost : outstanding;
}

/** Whether nobody records entries of this kind, because they follow from the others. */
export function isDerived({ kind }: { readonly kind: string }): boolean {
  return kind === 'lateCharge' || kind === 'rounding';
}

/** A rounding keeps the day on which it was posted first. */
function isSame(one: StandingEntry, other: StandingEntry): boolean {
  const isSameDay = one.kind === 'rounding' || one.date === other.date;
  return one.kind === other.kind && one.amount === other.amount && isSameDay;
}
