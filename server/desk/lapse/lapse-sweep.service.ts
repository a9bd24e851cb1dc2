import { hasLapsed } from '#contract/offers/offer.ts';
import { DAY_MS } from '#contract/time/durations.ts';
import { takeStep } from '#server/applications/steps/steps.service.ts';
import { kasente } from '#server/http/http.ts';
import { lockLapsing } from '#server/invoices/invoices.service.ts';
import { cancelUnreleased } from '#server/payouts/payout-choices.service.ts';
import type { Platform } from '#server/platform.ts';
import { selectSince, selectWaiting } from './lapse-sweep.queries.ts';

/** The most cases in one sweep; the next one continues. */
const AT_ONCE = 500;

/**
 * Lapses expired approvals and unanswered counter-offers, each in its own transaction. Decides again under the row's
 * lock, so that two workers, or a concurrent payout, leave one outcome; a locked case waits for the next sweep. A
 * prepared payout is cancelled with its approval; a released one is left alone.
 */
export async function sweepLapsed(platform: Platform): Promise<void> {
  const now = platform.clock.now();
  const before = new Date(now.getTime() - platform.config.offerValidDays * DAY_MS);
  for (const { tag, since } of await selectWaiting(platform.db, before, AT_ONCE)) {
    if (!hasLapsed(since, platform.config.offerValidDays, now)) continue;
    try {
      await lapse(platform, tag, now);
    } catch (error) {
      platform.log.error({ err: error, invoice: tag }, 'an approval or offer could not lapse');
    }
  }
}

function lapse(platform: Platform, tag: string, now: Date): Promise<void> {
  return platform.db.inTransaction(async (change) => {
    const invoice = await lockLapsing(change, tag);
    if (invoice === undefined) return;
    const since = await selectSince(change, invoice.id);
    if (since === null || !hasLapsed(since, platform.config.offerValidDays, now)) return;
    const caller = kasente('sweep of approvals', now);
    if (!(await cancelUnreleased(change, caller, invoice, 'The approval has lapsed'))) return; // released, and on its way
    await takeStep(platform, change, caller, invoice, 'lapse');
  });
}
