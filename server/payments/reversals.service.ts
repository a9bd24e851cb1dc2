import type { NewEntry } from '#contract/journal/entry.ts';
import { balanceOf, isPayment, type StandingEntry, stepOfReversal } from '#contract/payments/balance.ts';
import { type Correction, correctionOf, type DerivedEntry, isDerived } from '#contract/payments/derived/derived.ts';
import { findReversalRefusal, takesTwo } from '#contract/payments/reversal.ts';
import type { ReversalBody } from '#contract/payments/schema.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { AppError, orNotFound } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import { changeOnce, doOnce } from '#server/changes/change.ts';
import { together } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import type { StandingRow } from '#server/journal/journal.queries.ts';
import { postEntry, postReversal, recordEntry, type TellingEntry } from '#server/journal/journal.service.ts';
import { findShownPaid } from '#server/journal/paid-out.queries.ts';
import { endExtension, findMissingFee } from '#server/offers/extensions.service.ts';
import { lockRail } from '#server/payments/arrived/arrived.queries.ts';
import { returnToSuspense } from '#server/payments/arrived/arrived.service.ts';
import { findDerivation, writeCorrection } from '#server/payments/derived/derived.service.ts';
import { tellOfReversal } from '#server/payments/proposals/proposals.messages.ts';
import {
  keepConfirmed,
  type OpenProposal,
  placeProposal,
  selectOpenProposal,
} from '#server/payments/proposals/proposals.queries.ts';
import { findUnderWay } from '#server/payout-accounts/payout-choices.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { hasOpenRequest } from '#server/transfers/transfers.queries.ts';
import { type Account, enter, findEntryFacts, openAccount } from './entries.service.ts';
import { selectEntry } from './payments.queries.ts';

/**
 * Reverses a receipt or a deduction, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS, NEW_OFFICER;
 * ALREADY_REVERSED, also for a reversal; what {@link findReversalRefusal} returns; REVERSAL_TAKES_TWO for money that
 * went out. Charges what extensions cost too little because of the receipt, and ends an open offer of more time.
 */
export function reverseEntry(context: Context, tag: string, { reason }: ReversalBody) {
  return changeOnce(context, { name: 'reverseEntry', input: { tag, reason } }, async (work) => {
    const reversal = await openReversal(work, tag);
    if (takesTwo(reversal.original.kind)) throw new AppError('REVERSAL_TAKES_TWO');
    return reverse(work, reversal, reason);
  });
}

/**
 * Proposes to reverse a payout that was made by hand, once per Idempotency-Key; tells the other officers. Throws what
 * {@link reverseEntry} throws; STEP_NOT_ALLOWED for an entry that one officer may reverse; PROPOSAL_OPEN.
 */
export function proposeReversal(context: Context, tag: string, { reason }: ReversalBody) {
  return doOnce(context, { name: 'proposeReversal', input: { tag, reason } }, async (work) => {
    const { account, original } = await openReversal(work, tag);
    const { invoice } = account;
    if (!takesTwo(original.kind)) throw new AppError('STEP_NOT_ALLOWED');
    if ((await selectOpenProposal(work.change, invoice.id)) !== undefined) throw new AppError('PROPOSAL_OPEN');
    const { amount } = original;
    placeProposal(work, invoice, { kind: 'reversal', amount, reason, entry: original });
    await tellOfReversal(work, { invoice, original, reason, what: 'proposed' });
  });
}

/**
 * Reverses an entry that another officer proposed to reverse, on a locked application. Throws what
 * {@link findReversalRefusal} returns, if the reversal has become impossible since.
 */
export async function confirmReversal(work: Work, account: Account, proposal: OpenProposal): Promise<void> {
  const { reason, entryId } = proposal;
  const reversal = await gatherReversal(work, account, entryId ?? 0);
  const entry = await reverse(work, reversal, reason);
  keepConfirmed(work, account.invoice, proposal, entry.tag);
  const { original } = reversal;
  await tellOfReversal(work, { invoice: account.invoice, original, reason, what: 'confirmed' });
}

/** An entry of a locked application that may be reversed. */
interface Reversal extends Replacements {
  readonly account: Account;
  readonly original: StandingRow;
  readonly isLaterPart: boolean;
  /** The entries in force after the reversal. */
  readonly standing: readonly StandingEntry[];
}

/** The entries that come with a reversal. */
interface Replacements {
  /** The correction of derived entries, posted before the reversal. */
  readonly correction: Correction<StandingRow>;
  /** The fees that are owed once the entry is reversed; charged before the reversal. */
  readonly charged: readonly Charge[];
}

/** Locks the application of an entry, and checks that the entry may be reversed. */
async function openReversal(work: Work, tag: string) {
  const found = orNotFound(await selectEntry(work.change, tag));
  const [account] = await together(openAccount(work, found.invoiceTag), requireStanding(work));
  return gatherReversal(work, account, found.id);
}

async function gatherReversal(work: Changing, account: Account, entryId: number): Promise<Reversal> {
  const { change } = work;
  const { invoice, application } = account;
  const original = account.standing.find(({ id }) => id === entryId);
  if (original === undefined) throw new AppError('ALREADY_REVERSED');
  const { kind } = original;
  const isLaterPart = kind === 'disbursement' && account.standing.find((entry) => entry.kind === kind) !== original;
  const [replacements, underWay, isRequestOpen, isShownPaid] = await together(
    findReplacements(work, account, { original, isLaterPart }),
    findUnderWay(change, { tag: invoice.tag }),
    hasOpenRequest(change, invoice.tag),
    takesTwo(kind) && findShown(change, original),
  );
  const { correction, charged } = replacements;
  const standing = [...correction.standing.filter((entry) => entry !== original), ...charged];
  const isPayoutOnItsWay = underWay === 'PAYOUT_ON_ITS_WAY';
  const after = balanceOf(application.advance, standing);
  const facts = { kind, isLaterPart, isShownPaid, isPayoutOnItsWay, isRequestOpen, after, standing };
  const refusal = findReversalRefusal(facts);
  if (refusal !== undefined) throw new AppError(refusal);
  return { account, original, isLaterPart, correction, charged, standing };
}

/**
 * Whether the payment is shown as paid. Blocks imports of its account until the transaction ends, so that a statement
 * comes before or after the reversal.
 */
async function findShown(change: Change, { id, method }: StandingRow): Promise<boolean> {
  if (method !== null) await lockRail(change, method);
  return findShownPaid(change, id);
}

async function reverse(
  work: Work,
  { account, original, isLaterPart, correction, charged, standing }: Reversal,
  reason: string,
): Promise<{ readonly tag: string }> {
  const { kind } = original;
  const corrected = { ...account, standing: correction.standing };
  if (!isPayment(kind)) {
    const entry = post(work, corrected, { original, charged, reason });
    recordEntry(work, account.invoice, entry);
    return { tag: entry.tag };
  }
  const after = balanceOf(account.application.advance, standing);
  const step = stepOfReversal(kind, account.invoice.status, after);
  const [facts, offerEnded] = await together(
    findEntryFacts(work, account.invoice, kind),
    kind !== 'surplus' && !isLaterPart && endExtension(work, account.invoice, kind),
  );
  writeCorrection(work, account, correction);
  const entry = post(work, corrected, { original, charged, reason });
  await returnToSuspense(work, original);
  const addedFee = charged.find((one) => one.kind === 'extension')?.amount;
  // For money that went out, the open proposal is the one being confirmed here.
  const proposal = takesTwo(kind) ? undefined : facts.proposal;
  return enter(work, account, { facts: { ...facts, proposal }, step, standing, entry, addedFee, offerEnded });
}

async function findReplacements(
  work: Changing,
  account: Account,
  { original, isLaterPart }: Pick<Reversal, 'original' | 'isLaterPart'>,
): Promise<Replacements> {
  const { kind } = original;
  if (!isPayment(kind)) return { correction: { post: [], reverse: [], standing: account.standing }, charged: [] };
  if (kind === 'disbursement' && !isLaterPart) return { correction: undonePayout(account), charged: [] };
  const derivation = await findDerivation(work, account);
  const correction = correctionOf(derivation, account.standing, { without: original });
  if (kind !== 'receipt') return { correction, charged: [] };
  const without = correction.standing.filter((entry) => entry !== original);
  return { correction, charged: await chargesOf(work, account, without) };
}

/** Corrects the derived entries of a payout that never happened: it earned no fee and no day was late. */
function undonePayout({ standing }: Account): Correction<StandingRow> {
  const reverse = standing.filter((entry) => entry.kind === 'feeEarned' || isDerived(entry));
  return { post: [], reverse, standing: standing.filter((entry) => !reverse.includes(entry)) };
}

/** What extensions cost too little because of a receipt; earned at once if their time is over. */
async function chargesOf(
  work: Changing,
  { invoice, application }: Account,
  standing: readonly (StandingRow | DerivedEntry)[],
): Promise<Charge[]> {
  const date = kampalaDate(work.caller.now);
  const subject = { id: invoice.id, advance: application.advance };
  const amount = await findMissingFee(work, subject, standing);
  if (amount === 0) return [];
  const isOver = (invoice.case.dueOn ?? date) <= date;
  const fee = { kind: 'extension', amount, date } as const;
  return isOver ? [fee, { ...fee, kind: 'feeEarned' }] : [fee];
}

type Charge = NewEntry & { readonly kind: 'extension' | 'feeEarned' };

interface Posted {
  readonly original: StandingRow;
  readonly charged: readonly Charge[];
  readonly reason: string;
}

/** Posts a reversal and its charges. `account` has the entries in force before both. */
function post(work: Changing, account: Account<StandingEntry>, { original, charged, reason }: Posted): TellingEntry {
  let { standing } = account;
  for (const charge of charged) {
    recordEntry(work, account.invoice, postEntry(work, { ...account, standing }, charge));
    standing = [...standing, charge];
  }
  return postReversal(work, { ...account, standing }, { original, reason, date: kampalaDate(work.caller.now) });
}
