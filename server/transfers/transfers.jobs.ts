import { z } from 'zod';
import { DAY_SECONDS, MINUTE_MS } from '#contract/time/durations.ts';
import { type JobQueue, type JobWorker, jobWorker } from '#server/jobs/jobs.ts';
import type { Transacting } from '#server/platform/work.ts';

const data = z.object({ tag: z.guid() });
type TransferJob = z.output<typeof data>;

/**
 * A job is one exchange with a provider; recording its result adds the next job. The sweep ({@link sweepTransfers})
 * finds lost jobs, so retries only cover failures between the provider's answer and the row.
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

/**
 * Sends at most a second after the release. At most fifteen transfers of one rail run at once, so that a slow rail
 * leaves workers for the others.
 */
const pace = { pollSeconds: 1, loops: 20, batch: 2, perGroup: 15 };

/** Adds a transfer's job in the transaction that needs it, so that both happen or neither. */
export function addTransferJob(
  { platform: { jobs }, change }: Transacting,
  { tag, rail, createdAt }: { readonly tag: string; readonly rail: string; readonly createdAt: Date },
  startAfter?: Date,
): Promise<void> {
  // Newest first: somebody is watching it, while thousands may have waited since their provider went down.
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
