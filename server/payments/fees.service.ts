import { type EarningSpan, earningsDue } from '#contract/journal/earning.ts';
import { daysBetween, kampalaDate } from '#contract/time/calendar.ts';
import type { Change } from '#server/db/change.ts';
import { together } from '#server/db/together.ts';
import { type Caller, kasente } from '#server/http/http.ts';
import { type InvoiceRecord, lockForSweep } from '#server/invoices/invoices.service.ts';
import { findStandingOf, postEntry, recordEntry, type StandingRow } from '#server/journal/journal.service.ts';
import type { Platform } from '#server/platform.ts';
import { keepEarnedUntil, selectUnearned } from './fees.queries.ts';

/** Read at once; the sweep goes on until there are none. */
const PAGE = 500;

/**
 * Posts what each day has earned of the fees, an application a transaction. However often, however late and by however
 * many workers it runs, the entries are the same: each day that has none gets its own.
 */
export async function sweepFees(platform: Platform): Promise<void> {
  const now = platform.clock.now();
  const today = kampalaDate(now);
  for (let after = 0; ; ) {
    const page = await selectUnearned(platform.db, { today, after, limit: PAGE });
    for (const { tag } of page) {
      try {
        await platform.db.inTransaction((change) => earn(change, kasente('sweep of fees', now), tag, today));
      } catch (error) {
        platform.log.error({ err: error, invoice: tag }, 'a fee could not be posted as earned');
      }
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.id;
  }
}

async function earn(change: Change, caller: Caller<null>, tag: string, today: string): Promise<void> {
  const [invoice, found] = await together(lockForSweep(change, tag), findStandingOf(change, tag));
  if (invoice?.application == null) return;
  const account = { invoice, application: invoice.application };
  const posted = new Set(found.filter(({ kind }) => kind === 'feeEarned').map(({ date }) => date));
  let standing: Parameters<typeof postEntry>[3] = found;
  for (const { date, amount } of earningsDue(spansOf(account, found), posted, today)) {
    const entry = { kind: 'feeEarned', amount, date } as const;
    recordEntry(change, caller, invoice, postEntry(change, caller, account, standing, entry));
    standing = [...standing, entry];
  }
  keepEarnedUntil(change, invoice.id, today);
}

interface Priced {
  readonly invoice: InvoiceRecord;
  readonly application: NonNullable<InvoiceRecord['application']>;
}

/** The fee of the tenor, and that of an extension until the due date that it led to. */
function spansOf({ invoice, application }: Priced, standing: readonly StandingRow[]): EarningSpan[] {
  const { tenorDays, advance, netProceeds } = application;
  return standing.flatMap(({ kind, date: from, amount }) => {
    if (kind === 'disbursement') return [{ from, days: tenorDays, fee: advance - netProceeds }];
    if (kind !== 'extension') return [];
    return [{ from, days: Math.max(1, daysBetween(from, invoice.case.dueOn ?? from)), fee: amount }];
  });
}
