import { type AttentionReply, DUE_SOON_DAYS } from '#contract/applications/progress.ts';
import { isMissed } from '#contract/applications/promise.ts';
import { addDays, kampalaDate } from '#contract/calendar.ts';
import { fromMinor } from '#contract/money.ts';
import { type AttentionRow, selectAttention } from '#server/applications/attention.queries.ts';
import type { SignedInCaller } from '#server/platform/http.ts';
import type { Platform } from '#server/platform/platform.ts';

/** The application of the caller's own business that matters most now; none, for somebody without one. */
export async function readAttention(platform: Platform, caller: SignedInCaller): Promise<AttentionReply> {
  const { businessId } = caller.person;
  if (businessId === null) return { application: null };
  const soon = addDays(kampalaDate(caller.now), DUE_SOON_DAYS);
  const row = await selectAttention(platform.db, businessId, soon);
  return { application: row === undefined ? null : present(row, soon, caller.now) };
}

function present(row: AttentionRow, soon: string, now: Date): NonNullable<AttentionReply['application']> {
  const { tag, invoiceNumber, status, currency, netProceeds, runsSince, decideBy, missedAt, outstanding, dueOn } = row;
  const runs = runsSince !== null;
  const clock = { runsSince, usedMs: 0, decideBy };
  return {
    tag,
    invoiceNumber,
    status,
    currency,
    amountReceived: fromMinor(netProceeds),
    decideBy: runs ? (decideBy?.toISOString() ?? null) : null,
    missed: runs && isMissed({ clock, missedAt, decidedAt: null }, now),
    outstanding: outstanding === null ? null : fromMinor(outstanding),
    dueOn,
    dueSoon: dueOn !== null && dueOn <= soon,
    overdue: dueOn !== null && dueOn < kampalaDate(now),
  };
}
