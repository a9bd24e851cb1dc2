import { balanceOf, type StandingEntry } from '#contract/payments/balance.ts';
import { type Correction, correctionOf, type Derivation } from '#contract/payments/derived/derived.ts';
import { payableUnit } from '#contract/payments/payout-amount.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { type Actor, type Caller, systemActor } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import { sweepInvoices } from '#server/jobs/sweeping.ts';
import type { StandingRow } from '#server/journal/journal.queries.ts';
import { postEntry, postReversal, recordEntry, type TellingEntry } from '#server/journal/journal.service.ts';
import { findAccepted } from '#server/offers/extensions.service.ts';
import { type Account, enter, findEntryFacts, openForKasente } from '#server/payments/entries.service.ts';
import { setOutstanding } from '#server/payments/proposals/proposals.queries.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Work } from '#server/platform/work.ts';
import { selectChargedDays, selectPauses, selectUncorrected } from './derived.queries.ts';

/** Reads, corrects and sweeps the derived entries (contract/payments/derived/derived.ts) of locked applications. */

const JOB = 'derived entries';

/** An application with its entries in force. */
type Derivable = Pick<Account, 'invoice' | 'application' | 'standing'>;

/**
 * Corrects the derived entries of each application that needs it, each in its own transaction: late days that no step
 * has charged, and errors of earlier releases. Idempotent: any number of runs, at any time, by any number of workers,
 * gives the same entries.
 */
export async function sweepDerived(platform: Platform): Promise<void> {
  const now = platform.clock.now();
  const today = kampalaDate(now);
  const caller = systemActor(JOB, now);
  await sweepInvoices(platform, today, selectUncorrected, 'late days could not be charged', (change, tag) =>
    correct({ platform, change, caller }, tag),
  );
}

async function correct(work: Work<Caller<null>>, tag: string): Promise<void> {
  const { change } = work;
  const account = await openForKasente(change, tag);
  const { invoice, application } = account;
  if (invoice.status !== 'Disbursed') return;
  const correction = correctionOf(await findDerivation(change, account, work.caller.now), account.standing);
  if (correction.post.length + correction.reverse.length === 0) return;
  const { standing } = correction;
  const { outstanding, lost } = balanceOf(application.advance, standing);
  if (outstanding + lost > 0) {
    writeCorrection(work, account, correction);
    setOutstanding(change, invoice.id, outstanding);
    return;
  }
  const facts = await findEntryFacts(work, invoice, 'receipt');
  const entries = postCorrection(work, account, correction);
  const entry = entries.pop();
  if (entry === undefined) return;
  for (const one of entries) recordEntry(work, invoice, one);
  await enter(work, account, { facts, step: 'settle', standing, entry });
}

/** Reads what determines the derived entries of an application at a time. */
export async function findDerivation(connection: Connection, account: Derivable, now: Date): Promise<Derivation> {
  const { invoice, application, standing } = account;
  const { lateChargeBps } = invoice;
  const { dueOn } = invoice.case;
  const payout = standing.find(({ kind }) => kind === 'disbursement');
  const terms = { advance: application.advance, lateChargeBps, dueOn, unit: payableUnit(invoice.currencyCode) };
  const today = kampalaDate(now);
  if (lateChargeBps === 0 || payout === undefined)
    return { terms, today, history: { pauses: [], closings: [], charged: [] } };
  const [pauses, charged, extensions] = await together(
    selectPauses(connection, invoice.id),
    selectChargedDays(connection, payout),
    findAccepted(connection, invoice),
  );
  const closings = [
    ...extensions.map(({ acceptedOn: on, acceptedAt: at }) => ({ on, at })),
    ...standing.filter(({ kind }) => kind === 'writeOff').map(({ date: on, recordedAt: at }) => ({ on, at })),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return { terms, today, history: { pauses, closings, charged } };
}

/** Posts a correction as Kasente itself, with an audit event for each entry. */
export function writeCorrection({ change, caller }: Changing<Actor>, account: Derivable, correction: Written): void {
  const work = { change, caller: systemActor(JOB, caller.now) };
  for (const entry of postCorrection(work, account, correction)) recordEntry(work, account.invoice, entry);
}

type Written = Pick<Correction<StandingRow>, 'post' | 'reverse'>;

function postCorrection(work: Changing<Caller<null>>, account: Derivable, { post, reverse }: Written): TellingEntry[] {
  const entries: TellingEntry[] = [];
  let standing: readonly StandingEntry[] = account.standing;
  for (const original of reverse) {
    const reversal = { original, reason: 'Worked out again', date: kampalaDate(work.caller.now) };
    entries.push(postReversal(work, { ...account, standing }, reversal));
    standing = standing.filter((entry) => entry !== original);
  }
  for (const entry of post) {
    entries.push(postEntry(work, { ...account, standing }, entry));
    standing = [...standing, entry];
  }
  return entries;
}
