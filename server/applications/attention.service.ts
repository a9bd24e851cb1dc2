import type { AttentionReply } from '#contract/applications/attention.ts';
import { balancesOf } from '#contract/applications/home.ts';
import { describeLateAdvances } from '#contract/applications/submission/late-advances.ts';
import { whyNotApply } from '#contract/applications/submission/submission.ts';
import type { ShownOutlook } from '#contract/payouts/schema.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { findBlockingOverdue } from '#server/collections/overdue-block.service.ts';
import { gather } from '#server/db/together.ts';
import { selectActivity } from '#server/limits/limits.queries.ts';
import { listOwnLimits } from '#server/limits/limits.service.ts';
import { findOutlooks } from '#server/payout-accounts/outlook.service.ts';
import type { Context } from '#server/platform/work.ts';
import { countHidden, presentMatter } from './attention.presenter.ts';
import { type AttentionRow, hasPayoutAccount, selectAttention, selectOwed } from './attention.queries.ts';

const NOTHING = {
  balances: [],
  matters: [],
  more: { toDo: 0, onItsWay: 0 },
  needsPayoutAccount: false,
  blocked: null,
} as const satisfies AttentionReply;

/** What the caller's own business owes, has to do and waits for; nothing for a caller without a business. */
export async function readAttention(context: Context): Promise<AttentionReply> {
  const { platform, caller } = context;
  const { db, config } = platform;
  const { now, person } = caller;
  const { businessId } = person;
  if (businessId === null) return NOTHING;
  const today = kampalaDate(now);
  const { rows, owed, limits, late, activity, hasAccount } = await gather({
    rows: selectAttention(db, businessId, today),
    owed: selectOwed(db, businessId),
    limits: listOwnLimits(context),
    late: findBlockingOverdue(platform, db, businessId),
    activity: selectActivity(db, businessId, businessId),
    hasAccount: hasPayoutAccount(db, businessId),
  });
  const [first, ...others] = late;
  const outlookOf = await findOwedOutlooks(context, rows, first !== undefined);
  return {
    balances: balancesOf(limits, owed, today),
    matters: rows.map((row) => presentMatter(row, { now, defaultTargetMs: config.decisionTargetMs, outlookOf })),
    more: {
      toDo: countHidden(rows, ['overdue', 'due', 'asked', 'offered']),
      onItsWay: countHidden(rows, ['approved', 'surplus', 'deciding']),
    },
    needsPayoutAccount: !hasAccount,
    blocked: whyNotApply({
      isClientActive: activity.client,
      overdue: first && { tag: first.tag, text: describeLateAdvances([first, ...others]) },
    }),
  };
}

/** From when the cash and extra money of a client's matters can go. */
async function findOwedOutlooks(context: Context, rows: readonly AttentionRow[], isLate: boolean) {
  const outlookOf = await findOutlooks(
    context,
    context.platform.db,
    rows.filter(({ kind }) => kind === 'approved' || kind === 'surplus'),
  );
  const late = { code: 'CLIENT_OVERDUE' } as const;
  return (row: AttentionRow, amount: number): ShownOutlook =>
    outlookOf(row, amount, isLate && row.kind === 'approved' ? late : undefined);
}
