import {
  balanceOf,
  isPayment,
  refusalOfReversal,
  type StandingEntry,
  stepOfReversal,
} from '#contract/payments/balance.ts';
import { type Correction, correctionOf, type DerivedEntry, isDerived } from '#contract/payments/derived/derived.ts';
import type { ReversalBody } from '#contract/payments/schema.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { type Change, changeOnce } from '#server/db/change.ts';
import { together } from '#server/db/together.ts';
import { AppError, orNotFound } from '#server/http/app-error.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import {
  type NewEntry,
  postEntry,
  postReversal,
  recordEntry,
  type StandingRow,
  type TellingEntry,
} from '#server/journal/journal.service.ts';
import { endExtension, findMissingFee } from '#server/offers/extensions.service.ts';
import { returnToSuspense } from '#server/payments/arrived/arrived.service.ts';
import { findDerivation, writeCorrection } from '#server/payments/derived/derived.service.ts';
import { findUnderWay } from '#server/payouts/payout-choices.service.ts';
import type { Platform } from '#server/platform.ts';
import { hasOpenRequest } from '#server/transfers/transfers.service.ts';
import { type Account, beginEntering, enter, openAccount } from './entries.service.ts';
import { selectEntry } from './payments.queries.ts';

/**
 * Reverses a payment or a deduction, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS; ALREADY_REVERSED, also
 * for a reversal; PAYOUT_ON_ITS_WAY, REQUEST_OPEN; STEP_NOT_ALLOWED for other kinds of entry; PARTS_EXIST,
 * RECEIPTS_EXIST, SURPLUS_EXISTS, EXTENSION_ACCEPTED, WRITTEN_OFF. Charges what extensions undercharged because of it;
 * an open offer of more time ends.
 */
export function reverseEntry(platform: Platform, caller: SignedInCaller, tag: string, { reason }: ReversalBody) {
  return changeOnce(platform, caller, { name: 'reverseEntry', input: { tag, reason } }, async (change) => {
    const found = orNotFound(await selectEntry(change, tag));
    const [account, underWay, isAsked] = await together(
      openAccount(change, caller, found.invoiceTag),
      findUnderWay(change, { tag: found.invoiceTag }),
      hasOpenRequest(change, found.invoiceTag),
    );
    const original = account.standing.find(({ id }) => id === found.id);
    if (original === undefined) throw new AppError('ALREADY_REVERSED');
    const { kind } = original;
    // A later part of a payout: nothing depends on it.
    const isPart = kind === 'disbursement' && account.standing.find((entry) => entry.kind === kind) !== original;
    if (kind === 'deduction') {
      const entry = postReversal(change, caller, account, account.standing, {
        original,
        reason,
        date: kampalaDate(caller.now),
      });
      recordEntry(change, caller, account.invoice, entry);
      return { tag: entry.tag };
    }
    // A payout on its way keeps what it depends on.
    if (underWay === 'PAYOUT_ON_ITS_WAY') throw new AppError(underWay);
    if (!isPayment(kind)) throw new AppError('STEP_NOT_ALLOWED');
    // A phone may pay now, and needs the disbursement to pay back.
    if (kind === 'disbursement' && !isPart && isAsked) throw new AppError('REQUEST_OPEN');
    const undone = kind === 'disbursement' && !isPart ? undonePayout(account) : undefined;
    const { correction, charged } = undone ?? (await findReplacements(change, caller, account, original));
    const standing = [...correction.standing.filter((entry) => entry !== original), ...charged];
    const after = balanceOf(account.application.advance, standing);
    const refusal = isPart ? undefined : refusalOfReversal(kind, after, standing);
    if (refusal !== undefined) throw new AppError(refusal);
    const step = stepOfReversal(kind, account.invoice.status, after);
    const [entering, offerEnded] = await together(
      beginEntering(platform, change, caller, account.invoice, step),
      kind !== 'surplus' && !isPart && endExtension(change, caller, account.invoice, kind),
    );
    writeCorrection(change, caller.now, account, correction);
    const entry = reverseWith(
      change,
      caller,
      { ...account, standing: correction.standing },
      { original, charged, reason },
    );
    await returnToSuspense(change, caller, original);
    const addedFee = charged.find((one) => one.kind === 'extension')?.amount;
    return enter(platform, change, caller, account, { ...entering, step, standing, entry, addedFee, offerEnded });
  });
}

/** What a reversal changes besides its entry. */
interface Replacements {
  /** Of entries that nobody records, before the reversal. */
  readonly correction: Correction<StandingRow>;
  /** What is owed without the reversed entry. */
  readonly charged: readonly Charge[];
}

/** A payout that never was has earned no fee, and is late on no day. */
function undonePayout({ standing }: Account): Replacements {
  const reverse = standing.filter((entry) => entry.kind === 'feeEarned' || isDerived(entry));
  const rest = standing.filter((entry) => !reverse.includes(entry));
  return { correction: { post: [], reverse, standing: rest }, charged: [] };
}

async function findReplacements(
  change: Change,
  caller: SignedInCaller,
  account: Account,
  original: StandingRow,
): Promise<Replacements> {
  const derivation = await findDerivation(change, caller.now, account);
  const correction = correctionOf(derivation, account.standing, { without: original });
  if (original.kind !== 'receipt') return { correction, charged: [] };
  const without = correction.standing.filter((entry) => entry !== original);
  return { correction, charged: await chargesOf(change, caller, account, without) };
}

/** What extensions undercharged because of a receipt; earned at once if their time is over. */
async function chargesOf(
  change: Change,
  caller: SignedInCaller,
  { invoice, application }: Account,
  standing: readonly (StandingRow | DerivedEntry)[],
): Promise<Charge[]> {
  const date = kampalaDate(caller.now);
  const subject = { id: invoice.id, advance: application.advance };
  const amount = await findMissingFee(change, caller, subject, standing);
  if (amount === 0) return [];
  const isOver = (invoice.case.dueOn ?? date) <= date;
  const fee = { kind: 'extension', amount, date } as const;
  return isOver ? [fee, { ...fee, kind: 'feeEarned' }] : [fee];
}

type Charge = NewEntry & { readonly kind: 'extension' | 'feeEarned' };

interface Reversed {
  readonly original: StandingRow;
  /** What is owed without it, which is charged before the reversal. */
  readonly charged: readonly Charge[];
  readonly reason: string;
}

function reverseWith(
  change: Change,
  caller: SignedInCaller,
  account: Account<StandingEntry>,
  { original, charged, reason }: Reversed,
): TellingEntry {
  let { standing } = account;
  for (const charge of charged) {
    recordEntry(change, caller, account.invoice, postEntry(change, caller, account, standing, charge));
    standing = [...standing, charge];
  }
  return postReversal(change, caller, account, standing, { original, reason, date: kampalaDate(caller.now) });
}
