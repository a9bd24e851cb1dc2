import { systemActor } from '#server/calls/caller.ts';
import { recordEvent } from '#server/changes/change.ts';
import { SWEPT_AT_ONCE, sweepEach } from '#server/jobs/sweeping.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { slaMissedMessage } from '#server/steps/step-messages.ts';
import { selectAddressees } from '#server/steps/steps.service.ts';
import { lockDue, markMissed, selectDueIds } from './sla-sweep.queries.ts';

/**
 * Tells clients once, before they ask, that we are late. Each case is marked and its message queued in its own
 * transaction; a locked case waits for the next sweep, or is decided by then.
 */
export async function sweepSla(platform: Platform): Promise<void> {
  const now = platform.clock.now();
  const ids = await selectDueIds(platform.db, now, SWEPT_AT_ONCE);
  const swept = { subject: 'invoice', failed: 'a missed promise could not be told' } as const;
  await sweepEach(platform, ids, swept, async (change, id) => {
    const due = await lockDue(change, id, now);
    if (due === undefined) return;
    await markMissed(change, id, now);
    const usernames = await selectAddressees(change, due);
    for (const username of usernames) await queueMessage(platform, change, slaMissedMessage(username, due));
    recordEvent({ change, caller: systemActor('sweep of promises', now) }, 'promise.missed', ['invoice', due.tag], {
      after: { decideBy: due.decideBy, toldAt: usernames.length > 0 ? now : null },
    });
  });
}
