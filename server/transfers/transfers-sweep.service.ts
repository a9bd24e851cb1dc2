import { MINUTE_MS } from '#contract/time/durations.ts';
import { workingDaysBefore } from '#contract/time/working-time.ts';
import { FILE_UNANSWERED_AFTER_DAYS } from '#contract/transfers/asking.ts';
import { type Caller, systemActor } from '#server/calls/caller.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Change } from '#server/db/transaction.ts';
import { SWEPT_AT_ONCE, sweepEach } from '#server/jobs/sweeping.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import { selectConcerned } from '#server/people/standing/colleagues.queries.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Transacting, Work } from '#server/platform/work.ts';
import { selectHolidays } from '#server/steps/steps.queries.ts';
import { addTransferJob } from './transfers.jobs.ts';
import { heldMessage, lateMessage } from './transfers.messages.ts';
import {
  type LateBefore,
  lockTransfer,
  lockUntold,
  markNotified,
  selectForgotten,
  selectUnfinishedTo,
  setTransfer,
  type TransferRow,
} from './transfers.queries.ts';

/** A job this late is lost, because the queue was restored or its last retry failed. */
const LOST_AFTER_MS = 5 * MINUTE_MS;

/** Adds the lost jobs of transfers again, and tells officers once about late transfers. */
export async function sweepTransfers(platform: Platform): Promise<void> {
  const now = platform.clock.now();
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  const forgotten = await selectForgotten(platform.db, before(LOST_AFTER_MS), SWEPT_AT_ONCE);
  const swept = { subject: 'transfer', failed: 'a transfer could not be swept' } as const;
  await sweepEach(platform, forgotten, swept, async (change, tag) => {
    const transfer = await lockTransfer(change, tag);
    if (transfer === undefined || transfer.knownAt !== null) return;
    setTransfer(change, tag, { next_ask_at: now });
    await addTransferJob({ platform, change }, transfer);
  });
  const byFile = workingDaysBefore(now, FILE_UNANSWERED_AFTER_DAYS, await selectHolidays(platform.db));
  const late = { called: before(platform.config.rails.tellAfterMs), byFile };
  await platform.db.inTransaction((change) =>
    tellLate({ platform, change, caller: systemActor('sweep of transfers', now) }, late),
  );
}

/**
 * Sends one message to each person in the transaction that marks the transfers as told, so that nobody is told twice.
 */
async function tellLate(work: Work<Caller<null>>, late: LateBefore): Promise<void> {
  const { platform, change, caller } = work;
  const transfers = await lockUntold(change, late, SWEPT_AT_ONCE);
  if (transfers.length === 0) return;
  markNotified(change, transfers, caller.now);
  for (const [username, concerning] of await findTold(change, transfers))
    await queueMessage(platform, change, lateMessage(platform, username, concerning));
  for (const { tag, invoiceTag, said } of transfers)
    recordEvent(work, 'transfer.late', ['invoice', invoiceTag], { after: { transfer: tag, said } });
}

/** Tells officers at once which payouts are on their way to a frozen or replaced account, in one message to each. */
export async function tellHeld({ platform, change }: Transacting, accountId: number): Promise<void> {
  for (const [username, held] of await findTold(change, await selectUnfinishedTo(change, accountId)))
    await queueMessage(platform, change, heldMessage(platform, username, held));
}

/** The recipients for each transfer: administrators for all, a releaser for their own. */
async function findTold<Row extends TransferRow>(
  change: Change,
  transfers: readonly Row[],
): Promise<Map<string, Row[]>> {
  const told = new Map<string, Row[]>();
  for (const [personId, created] of Map.groupBy(transfers, ({ createdBy }) => createdBy))
    for (const { username } of await selectConcerned(change, personId))
      told.set(username, [...(told.get(username) ?? []), ...created]);
  return told;
}
