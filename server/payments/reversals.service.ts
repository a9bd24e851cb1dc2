import {
  balanceOf,
  isPayment,
  refusalOfReversal,
  type StandingEntry,
  stepOfReversal,
} from '#contract/payments/balance.ts';
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
      const entry = post(change, caller, account, { original, fees: [], charged: [], reason });
      recordEntry(change, caller, account.invoice, entry);
      return { tag: entry.tag };
    }
    // A payout on its way keeps what it depends on.
    if (underWay === 'PAYOUT_ON_ITS_WAY') throw new AppError(underWay);
    if (!isPayment(kind)) throw new AppError('STEP_NOT_ALLOWED');
    // A phone may pay now, and needs the disbursement to pay back.
    if (kind === 'disbursement' && !isPart && isAsked) throw new AppError('REQUEST_OPEN');
    const fees =
      kind === 'disbursement' && !isPart
        ? account.standing.filter((entry) => entry.kind === 'feeEarned' || entry.kind === 'lateCharge')
        : [];
    const rest = account.standing.filter((entry) => entry !== original && !fees.includes(entry));
    const charged = kind === 'receipt' ? await chargesOf(change, caller, account, rest) : [];
    const standing = [...rest, ...charged];
    const after = balanceOf(account.application.advance, standing);
    const refusal = isPart ? undefined : refusalOfReversal(kind, after, standing);
    if (refusal !== undefined) throw new AppError(refusal);
    const step = stepOfReversal(kind, account.invoice.status, after);
    const [entering, offerEnded] = await together(
      beginEntering(platform, change, caller, account.invoice, step),
      kind !== 'surplus' && !isPart && endExtension(change, caller, account.invoice, kind),
    );
    const entry = post(change, caller, account, { original, fees, charged, reason });
    await returnToSuspense(change, caller, original);
    const addedFee = charged.find((one) => one.kind === 'extension')?.amount;
    return enter(platform, change, caller, account, { ...entering, step, standing, entry, addedFee, offerEnded });
  });
}

/** What extensions undercharged because of a receipt; earned at once if their time is over. */
async function chargesOf(
  change: Change,
  caller: SignedInCaller,
  { invoice, application }: Account,
  standing: readonly StandingRow[],
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
  /** Its fee's days and late charges, which are reversed before it. */
  readonly fees: readonly StandingRow[];
  /** What is owed without it, which is charged before the reversal. */
  readonly charged: readonly Charge[];
  readonly reason: string;
}

function post(
  change: Change,
  caller: SignedInCaller,
  account: Account,
  { original, fees, charged, reason }: Reversed,
): TellingEntry {
  const date = kampalaDate(caller.now);
  let standing: readonly StandingEntry[] = account.standing;
  for (const fee of fees) {
    const entry = postReversal(change, caller, account, standing, { original: fee, reason, date });
    recordEntry(change, caller, account.invoice, entry);
    standing = standing.filter((one) => one !== fee);
  }
  for (const charge of charged) {
    recordEntry(change, caller, account.invoice, postEntry(change, caller, account, standing, charge));
    standing = [...standing, charge];
  }
  return postReversal(change, caller, account, standing, { original, reason, date });
}
