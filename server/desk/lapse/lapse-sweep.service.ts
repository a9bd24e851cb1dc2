import { hasLapsed } from '#contract/offers/offer.ts';
import { DAY_MS } from '#contract/time/durations.ts';
import { selectSince, selectWaiting } from '#server/approvals/lapsing.queries.ts';
import { systemActor } from '#server/calls/caller.ts';
import { lockLapsing } from '#server/invoices/invoices.service.ts';
import { SWEPT_AT_ONCE, sweepEach } from '#server/jobs/sweeping.ts';
import { cancelUnreleased } from '#server/payout-accounts/payout-choices.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { takeStep } from '#server/steps/steps.service.ts';

/**
 * Lapses expired approvals and unanswered counter-offers, each in its own transaction. We decide again under the row's
 * lock, so that two workers, or a concurrent payout, produce one outcome. A locked case waits for the next sweep. A
 * prepared payout is cancelled with its approval; a released one is left alone.
 */
export async function sweepLapsed(platform: Platform): Promise<void> {
  const now = platform.clock.now();
  const before = new Date(now.getTime() - platform.config.offerValidDays * DAY_MS);
  const isOver = (since: Date | null) => since !== null && hasLapsed(since, platform.config.offerValidDays, now);
  const waiting = await selectWaiting(platform.db, before, SWEPT_AT_ONCE);
  const tags = waiting.filter(({ since }) => isOver(since)).map(({ tag }) => tag);
  const swept = { subject: 'invoice', failed: 'an approval or offer could not lapse' } as const;
  await sweepEach(platform, tags, swept, async (change, tag) => {
    const invoice = await lockLapsing(change, tag);
    if (invoice === undefined) return;
    if (!isOver(await selectSince(change, invoice.id))) return;
    const caller = systemActor('sweep of approvals', now);
    if (!(await cancelUnreleased({ change, caller }, invoice, 'The approval has lapsed'))) return; // released, and on its way
    await takeStep({ platform, change, caller }, invoice, 'lapse');
  });
}
