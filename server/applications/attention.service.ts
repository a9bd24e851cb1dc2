import type { AttentionReply, Matter } from '#contract/applications/attention.ts';
import { fromMinor } from '#contract/money.ts';
import { daysBetween, kampalaDate } from '#contract/time/calendar.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import type { Platform } from '#server/platform.ts';
import { type AttentionRow, selectAttention } from './attention.queries.ts';

const MINUTE_MS = 60_000;

/** What matters now of the applications of the caller's own business; nothing, for somebody without one. */
export async function readAttention(platform: Platform, { person, now }: SignedInCaller): Promise<AttentionReply> {
  if (person.businessId === null) return { matters: [], more: 0 };
  const rows = await selectAttention(platform.db, person.businessId, kampalaDate(now));
  return {
    matters: rows.map((row) => present(row, now, platform.config.decisionTargetMs)),
    more: (rows[0]?.total ?? 0) - rows.length,
  };
}

/** `promisedMs` is the target of those that were submitted before there was one. */
function present(row: AttentionRow, now: Date, promisedMs: number): Matter {
  const { kind, tag, invoiceNumber, currency, netProceeds, decideBy, missedAt, targetMs, outstanding, surplusOwed } =
    row;
  const about = { tag, invoiceNumber, currency };
  // Whatever was paid out has both: the constraint invoices_disbursed_whole.
  const dueOn = row.dueOn ?? kampalaDate(now);
  const toPayBack = { ...about, amount: fromMinor(outstanding ?? 0), dueOn };
  switch (kind) {
    case 'overdue':
      return { kind, ...toPayBack, days: daysBetween(dueOn, kampalaDate(now)) };
    case 'asked':
      return { kind, ...about };
    case 'approved':
      return { kind, ...about, amount: fromMinor(netProceeds ?? 0) };
    case 'paidOut':
      return { kind, ...toPayBack };
    case 'surplus':
      return { kind, ...about, amount: fromMinor(surplusOwed) };
    case 'deciding': {
      const isInTime = decideBy !== null && missedAt === null && decideBy >= now;
      return {
        kind,
        ...about,
        decideBy: isInTime ? decideBy.toISOString() : null,
        targetMinutes: (targetMs ?? promisedMs) / MINUTE_MS,
      };
    }
    case 'draft':
      return { kind, ...about, amount: netProceeds === null ? null : fromMinor(netProceeds) };
  }
}
