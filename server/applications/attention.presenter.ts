import type { Matter, MatterKind } from '#contract/applications/attention.ts';
import { fromMinor } from '#contract/money.ts';
import { daysBetween, kampalaDate } from '#contract/time/calendar.ts';
import { MINUTE_MS } from '#contract/time/durations.ts';
import type { AttentionRow } from './attention.queries.ts';

/** The data needed to present a matter. */
interface Presented {
  readonly now: Date;
  /** The SLA target of applications submitted before targets were stored. */
  readonly defaultTargetMs: number;
}

/** Presents one matter. */
export function presentMatter(row: AttentionRow, { now, defaultTargetMs }: Presented): Matter {
  const { kind, tag, invoiceNumber, currency, netProceeds, decideBy, missedAt, targetMs, owed, surplusOwed } = row;
  const { needsAccount } = row;
  const about = { tag, invoiceNumber, currency };
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
      return { kind, ...about, amount: fromMinor(netProceeds ?? 0), needsAccount };
    case 'surplus':
      return { kind, ...about, amount: fromMinor(surplusOwed), needsAccount };
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
