import { selectAddressees, slaMissedMessage } from '#server/applications/steps/steps.service.ts';
import { recordEvent } from '#server/db/change.ts';
import { kasente } from '#server/http/http.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import type { Platform } from '#server/platform.ts';
import { lockDue, markMissed, selectDueIds } from './sla-sweep.queries.ts';

/** The most cases in one sweep; the next one continues a minute later. */
const AT_ONCE = 500;

/**
 * Tells clients that we are late, once and before they ask. Each case is marked and its message queued in its own
 * transaction; a locked case waits for the next sweep, or is decided by then.
 */
export async function sweepSla(platform: Platform): Promise<void> {
  const now = platform.clock.now();
  for (const id of await selectDueIds(platform.db, now, AT_ONCE)) {
    try {
      await tellMissed(platform, id, now);
    } catch (error) {
      platform.log.error({ err: error, invoice: id }, 'a missed promise could not be told');
    }
  }
}

function tellMissed(platform: Platform, id: number, now: Date): Promise<void> {
  return platform.db.inTransaction(async (change) => {
    const due = await lockDue(change, id, now);
    if (due === undefined) return;
    await markMissed(change, id, now);
    const usernames = await selectAddressees(change, due);
    for (const username of usernames) await queueMessage(platform, change, slaMissedMessage(username, due));
    recordEvent(change, kasente('sweep of promises', now), 'promise.missed', ['invoice', due.tag], {
      after: { decideBy: due.decideBy, toldAt: usernames.length > 0 ? now : null },
    });
  });
}
