import type { Matter, MatterKind } from '#contract/applications/attention.ts';
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
  /** From when the cash or extra money that we owe the client can go; the amount in minor units. */
  readonly outlookOf: (row: AttentionRow, amount: number) => ShownOutlook;
}

/** Presents one matter. */
export function presentMatter(row: AttentionRow, { now, defaultTargetMs, outlookOf }: Presented): Matter {
  const { kind, tag, invoiceNumber, currency, netProceeds, decideBy, missedAt, targetMs, owed, surplusOwed } = row;
  const about = { tag, invoiceNumber, currency };
  const cashOf = (amount: number) => {
    const outlook = outlookOf(row, amount);
    return { amount: fromMinor(amount), outlook, needsAccount: outlook.step === 'askClient' };
  };
  // Always set once paid out: the constraint invoices_disbursed_whole.
  const dueOn = row.dueOn ?? kampalaDate(now);
  switch (kind) {
    case 'overdue':
      return { kind, ...about, amount: fromMinor(owed ?? 0), daysLate: daysBetween(dueOn, kampalaDate(now)) };
    case 'due':
      return { kind, ...about, amount: fromMinor(owed ?? 0), dueOn };
    case 'asked':
      return { kind, ...about, question: row.question ?? '', documents: [...(row.documents ?? [])] };
    case 'offered':
      return { kind, ...about, amount: fromMinor(row.offeredProceeds ?? 0) };
    case 'approved':
      return { kind, ...about, ...cashOf(netProceeds ?? 0) };
    case 'surplus':
      return { kind, ...about, ...cashOf(surplusOwed) };
    case 'deciding': {
      const isInTime = decideBy !== null && missedAt === null && decideBy >= now;
      return {
        kind,
        ...about,
        applications: row.alike,
        decideBy: isInTime ? decideBy.toISOString() : null,
        targetMinutes: (targetMs ?? defaultTargetMs) / MINUTE_MS,
      };
    }
    case 'draft':
      return { kind, ...about, amount: netProceeds === null ? null : fromMinor(netProceeds) };
  }
}

/** How many matters of a list are not shown: the first row of those kinds carries the length of its list. */
export function countHidden(rows: readonly AttentionRow[], kinds: readonly MatterKind[]): number {
  const shown = rows.filter(({ kind }) => kinds.includes(kind));
  return (shown[0]?.inList ?? 0) - shown.length;
}
