import { isPayment, type StandingEntry } from '#contract/payments/balance.ts';
import { decideReversal, type ReversalDecision, type ReversalFacts, takesTwo } from '#contract/payments/reversal.ts';
import type { ReversalBody } from '#contract/payments/schema.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { AppError, orNotFound, orRefuse } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import { changeOnce, doOnce } from '#server/changes/change.ts';
import { gather } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import type { StandingRow } from '#server/journal/journal.queries.ts';
import { postEntry, postReversal, recordEntry, type TellingEntry } from '#server/journal/journal.service.ts';
import { findShownPaid } from '#server/journal/paid-out.queries.ts';
import { endExtension, findAccepted } from '#server/offers/extensions.service.ts';
import { findDerivation, writeCorrection } from '#server/payments/derived/derived.service.ts';
import { notifyOfReversal } from '#server/payments/proposals/proposals.messages.ts';
import {
  markConfirmed,
  type OpenProposal,
  placeProposal,
  selectOpenProposal,
} from '#server/payments/proposals/proposals.queries.ts';
import { lockRail } from '#server/payments/received/received.queries.ts';
import { returnToSuspense } from '#server/payments/received/received.service.ts';
import { findUnderWay } from '#server/payout-accounts/payout-choices.service.ts';
import { requireStanding } from '#server/people/standing/standing.service.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { hasOpenRequest } from '#server/transfers/transfers.queries.ts';
import { type Account, enter, findEntryFacts, openAccount } from './entries.service.ts';
import { selectEntry } from './payments.queries.ts';

/**
 * Reverses a receipt or a deduction, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS, NEW_OFFICER;
 * ALREADY_REVERSED, also for a reversal; and the first refusal of {@link decideReversal}. Charges what extensions cost
 * too little because of the receipt, and ends an open offer of more time.
 */
export function reverseEntry(context: Context, tag: string, { reason }: ReversalBody) {
  return changeOnce(context, { name: 'reverseEntry', input: { tag, reason } }, async (work) => {
    const facts = await openReversal(work, tag);
    return writeReversal(work, facts, { decision: orRefuse(decideReversal(facts, 'reverse')), reason });
  });
}

/**
 * Proposes to reverse a payout that was made by hand, once per Idempotency-Key; tells the other officers. Throws what
 * {@link reverseEntry} throws.
 */
export function proposeReversal(context: Context, tag: string, { reason }: ReversalBody) {
  return doOnce(context, { name: 'proposeReversal', input: { tag, reason } }, async (work) => {
    const facts = await openReversal(work, tag);
    orRefuse(decideReversal(facts, 'propose'));
    const { account, original } = facts;
    const { invoice } = account;
    placeProposal(work, invoice, { kind: 'reversal', amount: original.amount, reason, entry: original });
    await notifyOfReversal(work, { invoice, original, reason, what: 'proposed' });
  });
}

/**
 * Reverses an entry that another officer proposed to reverse, on a locked application. Throws ALREADY_REVERSED, and the
 * first refusal of {@link decideReversal}, if the reversal has become impossible since.
 */
export async function confirmReversal(work: Work, account: Account, proposal: OpenProposal): Promise<void> {
  const { reason, entryId } = proposal;
  const facts = await gatherReversal(work, account, entryId ?? 0);
  const entry = await writeReversal(work, facts, { decision: orRefuse(decideReversal(facts, 'confirm')), reason });
  markConfirmed(work, account.invoice, proposal, entry.tag);
  const { original } = facts;
  await notifyOfReversal(work, { invoice: account.invoice, original, reason, what: 'confirmed' });
}

interface GatheredReversal extends ReversalFacts<StandingRow> {
  readonly account: Account;
}

/** Locks the application of an entry. Throws NOT_FOUND, OWN_BUSINESS, NEW_OFFICER, ALREADY_REVERSED. */
async function openReversal(work: Work, tag: string): Promise<GatheredReversal> {
  const found = orNotFound(await selectEntry(work.change, tag));
  const { account } = await gather({ account: openAccount(work, found.invoiceTag), standing: requireStanding(work) });
  return gatherReversal(work, account, found.id);
}

/** Throws ALREADY_REVERSED if the entry is not in force. */
async function gatherReversal(work: Changing, account: Account, entryId: number): Promise<GatheredReversal> {
  const { change, caller } = work;
  const { invoice, standing } = account;
  const original = standing.find(({ id }) => id === entryId);
  if (original === undefined) throw new AppError('ALREADY_REVERSED');
  const found = await gather({
    derivation: findDerivation(work.change, account, work.caller.now),
    accepted: findAccepted(change, invoice),
    underWay: findUnderWay(change, invoice),
    isRequestOpen: hasOpenRequest(change, invoice.tag),
    isShownPaid: takesTwo(original.kind) && findShown(change, original),
    open: selectOpenProposal(change, invoice.id),
  });
  return { account, original, me: caller.person.id, ...found };
}

/**
 * Whether the payment is shown as paid. Blocks imports of its account until the transaction ends, so that a statement
 * comes before or after the reversal.
 */
async function findShown(change: Change, { id, method }: StandingRow): Promise<boolean> {
  if (method !== null) await lockRail(change, method);
  return findShownPaid(change, id);
}

interface Written {
  readonly decision: ReversalDecision<StandingRow>;
  readonly reason: string;
}

async function writeReversal(
  work: Work,
  { account, original }: GatheredReversal,
  written: Written,
): Promise<{ readonly tag: string }> {
  const { kind } = original;
  const { invoice } = account;
  const { correction, charged, standing, step, endsExtension } = written.decision;
  if (!isPayment(kind) || step === undefined) {
    const entry = post(work, { account, original }, written);
    recordEntry(work, invoice, entry);
    return { tag: entry.tag };
  }
  const { facts, offerEnded } = await gather({
    facts: findEntryFacts(work, invoice, kind),
    offerEnded: endsExtension !== undefined && endExtension(work, invoice, endsExtension),
  });
  writeCorrection(work, account, correction);
  const entry = post(work, { account, original }, written);
  await returnToSuspense(work, original);
  const addedFee = charged.find((one) => one.kind === 'extension')?.amount;
  // For money that went out, the open proposal is the one being confirmed here.
  const proposal = takesTwo(kind) ? undefined : facts.proposal;
  return enter(work, account, { facts: { ...facts, proposal }, step, standing, entry, addedFee, offerEnded });
}

/** Posts a reversal, and before it the charges. */
function post(
  work: Changing,
  { account, original }: Pick<GatheredReversal, 'account' | 'original'>,
  { decision: { correction, charged }, reason }: Written,
): TellingEntry {
  let standing: readonly StandingEntry[] = correction.standing;
  for (const charge of charged) {
    recordEntry(work, account.invoice, postEntry(work, { ...account, standing }, charge));
    standing = [...standing, charge];
  }
  return postReversal(work, { ...account, standing }, { original, reason, date: kampalaDate(work.caller.now) });
}
