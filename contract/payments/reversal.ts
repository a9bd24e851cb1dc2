import type { Status, StepName } from '#contract/applications/lifecycle.ts';
import type { NewEntry } from '#contract/journal/entry.ts';
import type { PostedKind } from '#contract/journal/position.ts';
import { type AcceptedExtension, missingFee } from '#contract/offers/extension.ts';
import { type Correction, correctionOf, type Derivation, isDerived } from '#contract/payments/derived/derived.ts';
import { type Outcome, type Rule, refusalsBy } from '#contract/refusals/refusal.ts';
import {
  type Balance,
  balanceOf,
  isPayment,
  isReversible,
  refusalOfReversal,
  type StandingEntry,
  stepOfReversal,
} from './balance.ts';
import { isOnlyProposal } from './proposals.ts';

/** Who may reverse an entry, and when (docs/decisions/0033-officers-who-cheat.md). Minor units. */

export interface RecordedEntry extends StandingEntry {
  readonly recordedAt: Date;
  /** Null if Kasente recorded it itself. */
  readonly recordedBy: number | null;
}

/** The facts that decide whether an entry may be reversed. */
export interface ReversalFacts<Entry extends RecordedEntry = RecordedEntry> {
  readonly account: { readonly invoice: { readonly status: Status }; readonly standing: readonly Entry[] };
  /** The entry to reverse, one of those in force. */
  readonly original: Entry;
  /** The officer who reverses it. */
  readonly me: number;
  readonly derivation: Derivation;
  /** The accepted extensions, oldest first. */
  readonly accepted: readonly (AcceptedExtension & { readonly acceptedAt: Date })[];
  readonly underWay: 'PAYOUT_PREPARED' | 'PAYOUT_ON_ITS_WAY' | undefined;
  /** Whether we are asking a phone to pay back. */
  readonly isRequestOpen: boolean;
  /** Whether the provider or a statement shows that the money left. */
  readonly isShownPaid: boolean;
  /** The application's open proposal. */
  readonly open: object | undefined;
}

type Charge = NewEntry & { readonly kind: 'extension' | 'feeEarned' };

/** The entries that come with a reversal. */
interface Replacements<Entry> {
  /** The correction of derived entries, posted before the charges. */
  readonly correction: Correction<Entry>;
  /** The fees that are owed once the entry is reversed, posted before the reversal. */
  readonly charged: readonly Charge[];
}

/** An entry to reverse, with the other entries to post. */
export interface ReversalDecision<Entry> extends Replacements<Entry> {
  /** The entries in force after the reversal. */
  readonly standing: readonly StandingEntry[];
  /** Undefined for a deduction, which takes no step. */
  readonly step: StepName | undefined;
  /** The kind of the entry, if its reversal ends an open extension. */
  readonly endsExtension: 'disbursement' | 'receipt' | undefined;
}

/**
 * Whether a reversal needs a proposal and another officer. Money that went out is gone: reversing it makes a debt
 * disappear, or lets the same money be paid again.
 */
export function takesTwo(kind: PostedKind): boolean {
  return kind === 'disbursement' || kind === 'surplus';
}

interface ConsideredReversal extends ReversalFacts {
  readonly kind: PostedKind;
  /** Whether it is a later part of a payout, on which nothing depends. */
  readonly isLaterPart: boolean;
  readonly remaining: readonly StandingEntry[];
  /** The balance after the reversal. */
  readonly after: Balance;
}
type ReversalRule = Rule<ConsideredReversal>;

const isOfReversibleKind: ReversalRule = ({ kind }) => (isReversible(kind) ? undefined : { code: 'STEP_NOT_ALLOWED' });

const noPayoutIsOnItsWay: ReversalRule = ({ kind, underWay }) =>
  isPayment(kind) && underWay === 'PAYOUT_ON_ITS_WAY' ? { code: 'PAYOUT_ON_ITS_WAY' } : undefined;

/** The phone may pay at any moment, and the repayment needs the disbursement. */
const noPhoneIsAsked: ReversalRule = ({ kind, isLaterPart, isRequestOpen }) =>
  kind === 'disbursement' && !isLaterPart && isRequestOpen ? { code: 'REQUEST_OPEN' } : undefined;

const isNotShownPaid: ReversalRule = ({ kind, isShownPaid }) =>
  takesTwo(kind) && isShownPaid ? { code: 'SHOWN_PAID' } : undefined;

const nothingDependsOnIt: ReversalRule = ({ kind, isLaterPart, after, remaining }) => {
  const code = isLaterPart ? undefined : refusalOfReversal(kind, after, remaining);
  return code && { code };
};

const oneOfficerIsEnough: ReversalRule = ({ kind }) => (takesTwo(kind) ? { code: 'REVERSAL_TAKES_TWO' } : undefined);

const needsProposal: ReversalRule = ({ kind }) => (takesTwo(kind) ? undefined : { code: 'STEP_NOT_ALLOWED' });

const toReverse = [isOfReversibleKind, noPayoutIsOnItsWay, noPhoneIsAsked, isNotShownPaid, nothingDependsOnIt];

/** What an officer does: reverses alone, proposes a reversal, or confirms another officer's proposal. */
const rules = {
  reverse: [...toReverse, oneOfficerIsEnough],
  propose: [...toReverse, needsProposal, isOnlyProposal],
  confirm: toReverse,
} satisfies Readonly<Record<string, readonly ReversalRule[]>>;

/** The reversal to record, propose or confirm, or the reasons against it. */
export function decideReversal<Entry extends RecordedEntry>(
  facts: ReversalFacts<Entry>,
  act: keyof typeof rules,
): Outcome<ReversalDecision<Entry>> {
  const { account, original, derivation } = facts;
  const { kind } = original;
  const isLaterPart = kind === 'disbursement' && account.standing.find((entry) => entry.kind === kind) !== original;
  const { correction, charged } = replacementsOf(facts, isLaterPart);
  const remaining = [...correction.standing.filter((entry) => entry !== original), ...charged];
  const after = balanceOf(derivation.terms.advance, remaining);
  const refusals = refusalsBy(rules[act], { ...facts, kind, isLaterPart, remaining, after });
  if (refusals.length > 0) return { refusals };
  const step = isPayment(kind) ? stepOfReversal(kind, account.invoice.status, after) : undefined;
  const endsExtension = kind === 'receipt' || (kind === 'disbursement' && !isLaterPart) ? kind : undefined;
  return { refusals: [], decision: { correction, charged, standing: remaining, step, endsExtension } };
}

function replacementsOf<Entry extends RecordedEntry>(
  facts: ReversalFacts<Entry>,
  isLaterPart: boolean,
): Replacements<Entry> {
  const { account, original, derivation } = facts;
  const { kind } = original;
  if (!isPayment(kind)) return { correction: { post: [], reverse: [], standing: account.standing }, charged: [] };
  if (kind === 'disbursement' && !isLaterPart) return { correction: undonePayout(account), charged: [] };
  const correction = correctionOf(derivation, account.standing, { without: original });
  return { correction, charged: kind === 'receipt' ? chargesOf(facts, correction) : [] };
}

/** Corrects the derived entries of a payout that never happened: it earned no fee and no day was late. */
function undonePayout<Entry extends StandingEntry>({ standing }: { readonly standing: readonly Entry[] }) {
  const reverse = standing.filter((entry) => entry.kind === 'feeEarned' || isDerived(entry));
  return { post: [], reverse, standing: standing.filter((entry) => !reverse.includes(entry)) };
}

/**
 * The fee that extensions undercharged because of the receipt, earned at once if their time is over. Later receipts
 * that the same officer recorded do not count, so that nobody can make an extension cheap alone.
 */
function chargesOf<Entry extends RecordedEntry>(
  { original, me, accepted, derivation }: ReversalFacts<Entry>,
  { standing }: Correction<Entry>,
): Charge[] {
  const { terms, today: date } = derivation;
  const [first] = accepted;
  if (first === undefined) return [];
  const isOwnWord = (entry: Correction<Entry>['standing'][number]): boolean =>
    'recordedBy' in entry && entry.kind === 'receipt' && entry.recordedBy === me && entry.recordedAt > first.acceptedAt;
  const counted = standing.filter((entry) => entry !== original && !isOwnWord(entry));
  const amount = missingFee(terms.advance, accepted, counted);
  if (amount === 0) return [];
  const fee = { kind: 'extension', amount, date } as const;
  return (terms.dueOn ?? date) <= date ? [fee, { ...fee, kind: 'feeEarned' }] : [fee];
}
