import { z } from 'zod';
import { DAY_SECONDS, MINUTE_MS } from '#contract/time/durations.ts';
import type { Change } from '#server/db/change.ts';
import { type JobQueue, type JobWorker, jobWorker } from '#server/jobs/jobs.ts';
import type { Platform } from '#server/platform.ts';

const data = z.object({ tag: z.guid() });
type TransferJob = z.output<typeof data>;

/**
 * A job is one exchange with a provider; what follows from it adds the next one. A lost job is found by the sweep
 * ({@link sweepTransfers}), so retries are for what goes wrong between the provider and the row.
 */
export const transferQueue: JobQueue<TransferJob> = {
  name: 'transfer',
  data,
  options: {
    heartbeatSeconds: 20,
    expireInSeconds: 600,
    retryLimit: 20,
    retryBackoff: true,
    retryDelay: 1,
    retryDelayMax: 60,
    retentionSeconds: 7 * DAY_SECONDS,
    deleteAfterSeconds: DAY_SECONDS,
  },
};

/** At most a second from the release to the sending; fifteen of a rail at once: a slow one leaves loops to the others. */
const pace = { pollSeconds: 1, loops: 20, batch: 2, perGroup: 15 };

/** Adds the job of a transfer, in the transaction of what makes it necessary: both happen or neither. */
export function addTransferJob(
  { jobs }: Platform,
  change: Change,
  { tag, rail, createdAt }: { readonly tag: string; readonly rail: string; readonly createdAt: Date },
  startAfter?: Date,
): Promise<void> {
  // The newest first, to its end: somebody looks at it, while thousands may wait since their provider went down.
  const job = { data: { tag }, group: { id: rail }, priority: Math.floor(createdAt.getTime() / MINUTE_MS) };
  return jobs.add(change, transferQueue, [startAfter === undefined ? job : { ...job, startAfter }]);
}

/** The worker that follows transfers. */
export function transferWorker(follow: (tag: string) => Promise<void>): JobWorker {
  return jobWorker(transferQueue, pace, async ({ tag }) => {
    await follow(tag);
    return { done: true };
  });
}
