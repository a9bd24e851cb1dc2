import type { Matter } from '#contract/applications/attention.ts';
import { fromMinor } from '#contract/money.ts';
import type { ShownOutlook } from '#contract/payouts/schema.ts';
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
  /** From when the cash or extra money that we owe the client can go; the amount in minor units. */
  readonly outlookOf: (row: AttentionRow, amount: number) => ShownOutlook;
}

/** Presents one matter. */
export function presentMatter(row: AttentionRow, { now, defaultTargetMs, mayPayNow, outlookOf }: Presented): Matter {
  const { kind, tag, invoiceNumber, currency, netProceeds, decideBy, missedAt, targetMs, outstanding, surplusOwed } =
    row;
  const about = { tag, invoiceNumber, currency };
  const cashOf = (owed: number) => {
    const outlook = outlookOf(row, owed);
    return { amount: fromMinor(owed), outlook, needsAccount: outlook.step === 'askClient' };
  };
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
      return { kind, ...about, ...cashOf(netProceeds ?? 0) };
    case 'paidOut':
      return { kind, ...toPayBack };
    case 'surplus':
      return { kind, ...about, ...cashOf(surplusOwed) };
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
