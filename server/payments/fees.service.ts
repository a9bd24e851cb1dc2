import { type EarningSpan, earningsDue } from '#contract/journal/earning.ts';
import { paidOutOn, type StandingEntry } from '#contract/payments/balance.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { type Caller, systemActor } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import { together } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { lockForSweep } from '#server/invoices/invoices.service.ts';
import { sweepInvoices } from '#server/jobs/sweeping.ts';
import { type StandingRow, selectStanding } from '#server/journal/journal.queries.ts';
import { postEntry, recordEntry } from '#server/journal/journal.service.ts';
import { findExtensionSpans } from '#server/offers/extensions.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { keepEarnedUntil, selectUnearned } from './fees.queries.ts';

/**
 * Posts the part of the fees that each day has earned, in one transaction per application. Idempotent: any number of
 * runs, at any time, by any number of workers, gives the same entries.
 */
export async function sweepFees(platform: Platform): Promise<void> {
  const now = platform.clock.now();
  const today = kampalaDate(now);
  await sweepInvoices(platform, today, selectUnearned, 'a fee could not be posted as earned', (change, tag) =>
    earn({ change, caller: systemActor('sweep of fees', now) }, tag, today),
  );
}

async function earn(work: Changing<Caller<null>>, tag: string, today: string): Promise<void> {
  const { change } = work;
  const [invoice, found] = await together(lockForSweep(change, tag), selectStanding(change, tag));
  if (invoice?.application == null) return;
  const { application } = invoice;
  // Fees that a reversal earned at once belong to no day (reversals.service.ts).
  const ofDays = found.filter(({ kind, recordedBy }) => kind === 'feeEarned' && recordedBy === null);
  const posted = new Set(ofDays.map(({ date }) => date));
  const writeOffs = found.filter(({ kind }) => kind === 'writeOff').map(({ date: on, amount }) => ({ on, amount }));
  const spans = await spansOf(change, invoice, application, found);
  let standing: readonly StandingEntry[] = found;
  for (const { date, amount } of earningsDue(spans, { posted, writeOffs }, today)) {
    const entry = { kind: 'feeEarned', amount, date } as const;
    recordEntry(work, invoice, postEntry(work, { invoice, application, standing }, entry));
    standing = [...standing, entry];
  }
  keepEarnedUntil(change, invoice.id, today);
}

/** The periods in which the fee of the tenor and those of extensions are earned. */
async function spansOf(
  change: Change,
  invoice: InvoiceRecord,
  { advance, netProceeds, tenorDays }: NonNullable<InvoiceRecord['application']>,
  standing: readonly StandingRow[],
): Promise<EarningSpan[]> {
  const paidOut = paidOutOn(standing);
  const ofTenor = paidOut === null ? [] : [{ from: paidOut, days: tenorDays, fee: advance - netProceeds }];
  const isExtended = standing.some(({ kind }) => kind === 'extension');
  return isExtended ? [...ofTenor, ...(await findExtensionSpans(change, invoice, standing))] : ofTenor;
}
