import { balanceOf, type StandingEntry } from '#contract/payments/balance.ts';
import { type Correction, correctionOf, type Derivation } from '#contract/payments/derived/derived.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import type { Change } from '#server/db/change.ts';
import { together } from '#server/db/together.ts';
import { kasente } from '#server/http/http.ts';
import { lockForSweep } from '#server/invoices/invoices.service.ts';
import { sweepInvoices } from '#server/jobs/sweeping.ts';
import {
  findStandingOf,
  postEntry,
  postReversal,
  recordEntry,
  type StandingRow,
} from '#server/journal/journal.service.ts';
import { findAccepted } from '#server/offers/extensions.service.ts';
import type { Account } from '#server/payments/entries.service.ts';
import { setOutstanding } from '#server/payments/write-offs/write-offs.queries.ts';
import type { Platform } from '#server/platform.ts';
import { selectChargedDays, selectPauses, selectUncharged } from './derived.queries.ts';

/** Derived entries (contract/payments/derived/derived.ts) of locked applications: read, corrected and swept. */

/** A locked application, with its entries in force. */
type Derivable = Pick<Account, 'invoice' | 'application' | 'standing'>;

/**
 * Charges each late day, one application a transaction. Idempotent: any number of runs, at any time, by any number of
 * workers, gives the same charges.
 */
export async function sweepDerived(platform: Platform): Promise<void> {
  const now = platform.clock.now();
  const today = kampalaDate(now);
  await sweepInvoices(platform, today, selectUncharged, 'a late day could not be charged', (change, tag) =>
    correctLater(change, now, tag),
  );
}

async function correctLater(change: Change, now: Date, tag: string): Promise<void> {
  const [invoice, standing] = await together(lockForSweep(change, tag), findStandingOf(change, tag));
  if (invoice?.application == null || invoice.status !== 'Disbursed') return;
  const account = { invoice, application: invoice.application, standing };
  const correction = correctionOf(await findDerivation(change, now, account), standing);
  if (correction.post.length + correction.reverse.length === 0) return;
  writeCorrection(change, now, account, correction);
  setOutstanding(change, invoice.id, balanceOf(account.application.advance, correction.standing).outstanding);
}

/** Reads what the derived entries of a locked application follow from. */
export async function findDerivation(change: Change, now: Date, account: Derivable): Promise<Derivation> {
  const { invoice, application, standing } = account;
  const { lateChargeBps } = invoice;
  const { dueOn } = invoice.case;
  const payout = standing.find(({ kind }) => kind === 'disbursement');
  const terms = { advance: application.advance, lateChargeBps, dueOn };
  const today = kampalaDate(now);
  if (lateChargeBps === 0 || payout === undefined)
    return { terms, today, history: { pauses: [], closings: [], charged: [] } };
  const [pauses, charged, extensions] = await together(
    selectPauses(change, invoice.id),
    selectChargedDays(change, payout),
    findAccepted(change, invoice),
  );
  const closings = [
    ...extensions.map(({ acceptedOn: on, acceptedAt: at }) => ({ on, at })),
    ...standing.filter(({ kind }) => kind === 'writeOff').map(({ date: on, recordedAt: at }) => ({ on, at })),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return { terms, today, history: { pauses, closings, charged } };
}

/** Posts what a correction has; in nobody's name, with an event for each entry. */
export function writeCorrection(
  change: Change,
  now: Date,
  account: Derivable,
  { post, reverse }: Pick<Correction<StandingRow>, 'post' | 'reverse'>,
): void {
  const caller = kasente('derived entries', now);
  let standing: readonly StandingEntry[] = account.standing;
  for (const original of reverse) {
    const reversal = { original, reason: 'Worked out again', date: kampalaDate(now) };
    recordEntry(change, caller, account.invoice, postReversal(change, caller, account, standing, reversal));
    standing = standing.filter((entry) => entry !== original);
  }
  for (const entry of post) {
    recordEntry(change, caller, account.invoice, postEntry(change, caller, account, standing, entry));
    standing = [...standing, entry];
  }
}
