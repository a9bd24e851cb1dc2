import { balanceOf, isPayment, refusalOfReversal, stepOfReversal } from '#contract/payments/balance.ts';
import type { ReversalBody } from '#contract/payments/schema.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { type Change, changeOnce } from '#server/db/change.ts';
import { AppError } from '#server/http/app-error.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import { postReversal, recordEntry, type StandingRow, type TellingEntry } from '#server/journal/journal.service.ts';
import type { Platform } from '#server/platform.ts';
import { type Account, beginEntering, enter, openAccount } from './entries.service.ts';
import { selectEntry } from './payments.queries.ts';

/**
 * Reverses a payment or a deduction by a counter-entry, once per Idempotency-Key. Throws NOT_FOUND, OWN_BUSINESS; ALREADY_REVERSED,
 * also for a counter-entry; STEP_NOT_ALLOWED for what is neither payment nor deduction; RECEIPTS_EXIST, SURPLUS_EXISTS.
 */
export function reverseEntry(
  platform: Platform,
  caller: SignedInCaller,
  tag: string,
  { reason }: ReversalBody,
): Promise<{ readonly tag: string }> {
  return changeOnce(platform, caller, { name: 'reverseEntry', input: { tag, reason } }, async (change) => {
    const found = await selectEntry(change, tag);
    if (found === undefined) throw new AppError('NOT_FOUND');
    const account = await openAccount(change, caller, found.invoiceTag);
    const original = account.standing.find(({ id }) => id === found.id);
    if (original === undefined) throw new AppError('ALREADY_REVERSED');
    const { kind } = original;
    if (kind === 'deduction') {
      const entry = post(change, caller, account, { original, fees: [], reason });
      recordEntry(change, caller, account.invoice, entry);
      return { tag: entry.tag };
    }
    if (!isPayment(kind)) throw new AppError('STEP_NOT_ALLOWED');
    const fees = kind === 'disbursement' ? account.standing.filter((entry) => entry.kind === 'feeEarned') : [];
    const standing = account.standing.filter((entry) => entry !== original && !fees.includes(entry));
    const after = balanceOf(account.application.advance, standing);
    const refusal = refusalOfReversal(kind, after, standing);
    if (refusal !== undefined) throw new AppError(refusal);
    const step = stepOfReversal(kind, account.invoice.status, after);
    const entering = beginEntering(platform, change, caller, account.invoice, step);
    const entry = post(change, caller, account, { original, fees, reason });
    return enter(platform, change, caller, account, { ...entering, step, standing, entry });
  });
}

interface Reversed {
  readonly original: StandingRow;
  /** The days of its fee, which are reversed before it. */
  readonly fees: readonly StandingRow[];
  readonly reason: string;
}

function post(
  change: Change,
  caller: SignedInCaller,
  account: Account,
  { original, fees, reason }: Reversed,
): TellingEntry {
  const date = kampalaDate(caller.now);
  let standing: readonly StandingRow[] = account.standing;
  for (const fee of fees) {
    const entry = postReversal(change, caller, account, standing, { original: fee, reason, date });
    recordEntry(change, caller, account.invoice, entry);
    standing = standing.filter((one) => one !== fee);
  }
  return postReversal(change, caller, account, standing, { original, reason, date });
}
