import type { AttentionReply } from '#contract/applications/attention.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import type { Context } from '#server/platform/work.ts';
import { canAsk } from '#server/requests-to-pay/requests.service.ts';
import { presentMatter } from './attention.presenter.ts';
import { selectAttention } from './attention.queries.ts';

/** The matters in the caller's own business that need attention now; empty for a caller without a business. */
export async function readAttention({ platform, caller: { person, now } }: Context): Promise<AttentionReply> {
  if (person.businessId === null) return { matters: [], more: 0, payTo: {} };
  const rows = await selectAttention(platform.db, person.businessId, {
    today: kampalaDate(now),
    usableSince: new Date(now.getTime() - platform.config.payoutAccountWaitMs),
  });
  return {
    matters: rows.map((row) =>
      presentMatter(row, {
        now,
        defaultTargetMs: platform.config.decisionTargetMs,
        mayPayNow: canAsk(platform, row.currency),
      }),
    ),
    more: (rows[0]?.total ?? 0) - rows.length,
    payTo: Object.fromEntries(
      [...platform.config.repayment.accounts].map(([currency, accounts]) => [currency, [...accounts]]),
    ),
  };
}
