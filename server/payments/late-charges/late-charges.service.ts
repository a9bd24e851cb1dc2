import { balanceOf, type StandingEntry } from '#contract/payments/balance.ts';
import { type Correction, correctionOf, lateChargesOf } from '#contract/payments/late-charge.ts';
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
import type { Account } from '#server/payments/entries.service.ts';
import { setOutstanding } from '#server/payments/proposals/proposals.queries.ts';
import type { Platform } from '#server/platform.ts';
import { selectPauses, selectUncharged } from './late-charges.queries.ts';

/**
 * Charges each late day, one application a transaction (contract/payments/late-charge.ts). Idempotent: any number of
 * runs, at any time, by any number of workers, gives the same charges.
 */
export async function sweepLateCharges(platform: Platform): Promise<void> {
  const now = platform.clock.now();
  const today = kampalaDate(now);
  await sweepInvoices(platform, today, selectUncharged, 'a late day could not be charged', (change, tag) =>
    charge(change, now, tag),
  );
}

async function charge(change: Change, now: Date, tag: string): Promise<void> {
  const [invoice, found] = await together(lockForSweep(change, tag), findStandingOf(change, tag));
  if (invoice?.application == null || invoice.status !== 'Disbursed') return;
  const { application } = invoice;
  const standing = await chargeLateDays(change, now, { invoice, application, standing: found });
  if (standing !== found) setOutstanding(change, invoice.id, balanceOf(application.advance, standing).outstanding);
}

type Charged = Pick<Account, 'invoice' | 'application' | 'standing'>;

/**
 * Corrects the late charges of a locked application up to today, given payments that are about to be recorded: posts
 * missing ones and reverses wrong ones. Returns the entries then in force.
 */
export async function chargeLateDays(
  change: Change,
  now: Date,
  account: Charged,
  coming: readonly StandingEntry[] = [],
): Promise<readonly StandingRow[]> {
  const { invoice, application, standing } = account;
  const { lateChargeBps, tag } = invoice;
  const { dueOn } = invoice.case;
  const today = kampalaDate(now);
  if (lateChargeBps === 0 || dueOn === null || dueOn >= today) return standing;
  const terms = { advance: application.advance, lateChargeBps, dueOn };
  const due = lateChargesOf(terms, [...standing, ...coming], await selectPauses(change, invoice.id), today);
  const correction = correctionOf(dueOn, due, standing);
  if (correction.post.length + correction.reverse.length === 0) return standing;
  correct(change, now, account, correction);
  return findStandingOf(change, tag);
}

function correct(change: Change, now: Date, account: Charged, { post, reverse }: Correction<StandingRow>): void {
  const caller = kasente('late charges', now);
  let standing: readonly StandingEntry[] = account.standing;
  for (const original of reverse) {
    const reversal = { original, reason: 'A payment of an earlier day was recorded', date: kampalaDate(now) };
    recordEntry(change, caller, account.invoice, postReversal(change, caller, account, standing, reversal));
    standing = standing.filter((entry) => entry !== original);
  }
  for (const { date, amount } of post) {
    const entry = { kind: 'lateCharge', amount, date } as const;
    recordEntry(change, caller, account.invoice, postEntry(change, caller, account, standing, entry));
    standing = [...standing, entry];
  }
}
