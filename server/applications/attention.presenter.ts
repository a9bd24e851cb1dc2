import type { Matter } from '#contract/applications/attention.ts';
import { fromMinor } from '#contract/money.ts';
import { daysBetween, kampalaDate } from '#contract/time/calendar.ts';
import { MINUTE_MS } from '#contract/time/durations.ts';
import type { AttentionRow } from './attention.queries.ts';

/** The data needed to present a matter. */
interface Presented {
  readonly now: Date;
  /** The SLA target of applications submitted before targets were stored. */
  readonly defaultTargetMs: number;
  /** Whether we can ask a phone to pay in that currency. */
  readonly mayPayNow: boolean;
}

/** Presents one matter. */
export function presentMatter(row: AttentionRow, { now, defaultTargetMs, mayPayNow }: Presented): Matter {
  const { kind, tag, invoiceNumber, currency, netProceeds, decideBy, missedAt, targetMs, outstanding, surplusOwed } =
    row;
  const { needsAccount } = row;
  const about = { tag, invoiceNumber, currency };
  // Always set once paid out: the constraint invoices_disbursed_whole.
  const dueOn = row.dueOn ?? kampalaDate(now);
  const toPayBack = {
    ...about,
    amount: fromMinor(outstanding ?? 0),
    dueOn,
    repaymentReference: row.repaymentReference,
    mayPayNow,
  };
  switch (kind) {
    case 'overdue':
      return { kind, ...toPayBack, days: daysBetween(dueOn, kampalaDate(now)) };
    case 'asked':
      return { kind, ...about };
    case 'offered':
      return { kind, ...about, amount: fromMinor(row.offeredProceeds ?? 0) };
    case 'approved':
      return { kind, ...about, amount: fromMinor(netProceeds ?? 0), needsAccount };
    case 'paidOut':
      return { kind, ...toPayBack };
    case 'surplus':
      return { kind, ...about, amount: fromMinor(surplusOwed), needsAccount };
    case 'deciding': {
      const isInTime = decideBy !== null && missedAt === null && decideBy >= now;
      return {
        kind,
        ...about,
        decideBy: isInTime ? decideBy.toISOString() : null,
        targetMinutes: (targetMs ?? defaultTargetMs) / MINUTE_MS,
      };
    }
    case 'draft':
      return { kind, ...about, amount: netProceeds === null ? null : fromMinor(netProceeds) };
  }
}
