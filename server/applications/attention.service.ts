import type { AttentionReply } from '#contract/applications/attention.ts';
import type { ShownOutlook } from '#contract/payouts/schema.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { together } from '#server/db/together.ts';
import { findLateness, findOutlooks } from '#server/payout-accounts/outlook.service.ts';
import type { Context } from '#server/platform/work.ts';
import { canAsk } from '#server/requests-to-pay/requests.service.ts';
import { presentMatter } from './attention.presenter.ts';
import { type AttentionRow, selectAttention } from './attention.queries.ts';

/** The matters in the caller's own business that need attention now; empty for a caller without a business. */
export async function readAttention(context: Context): Promise<AttentionReply> {
  const { platform, caller } = context;
  const { person, now } = caller;
  if (person.businessId === null) return { matters: [], more: 0, payTo: {} };
  const rows = await selectAttention(platform.db, person.businessId, kampalaDate(now));
  const outlookOf = await findOwedOutlooks(context, person.businessId, rows);
  return {
    matters: rows.map((row) =>
      presentMatter(row, {
        now,
        defaultTargetMs: platform.config.decisionTargetMs,
        mayPayNow: canAsk(platform, row.currency),
        outlookOf,
      }),
    ),
    more: (rows[0]?.total ?? 0) - rows.length,
    payTo: Object.fromEntries(
      [...platform.config.repayment.accounts].map(([currency, accounts]) => [currency, [...accounts]]),
    ),
  };
}

/** From when the cash and extra money of a client's matters can go. */
async function findOwedOutlooks(context: Context, businessId: number, rows: readonly AttentionRow[]) {
  const { platform } = context;
  const owed = rows.filter(({ kind }) => kind === 'approved' || kind === 'surplus');
  const [late, outlookOf] = await together(
    owed.some(isApproved) ? findLateness(platform, platform.db, businessId) : undefined,
    findOutlooks(context, platform.db, owed),
  );
  return (row: AttentionRow, amount: number): ShownOutlook =>
    outlookOf(row, amount, isApproved(row) ? late : undefined);
}

function isApproved({ kind }: AttentionRow): boolean {
  return kind === 'approved';
}
