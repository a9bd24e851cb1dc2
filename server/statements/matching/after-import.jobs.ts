import { z } from 'zod';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import type { Change } from '#server/db/transaction.ts';
import { type JobQueue, type JobWorker, jobWorker } from '#server/jobs/jobs.ts';
import type { Platform } from '#server/platform/platform.ts';

const data = z.object({ tag: z.guid() });
type MatchingJob = z.output<typeof data>;

/** One job matches one statement. It may run again: if its server dies, another takes it up after 20 s. */
export const matchingQueue: JobQueue<MatchingJob> = {
  name: 'statement-matching',
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

/** Adds the job of a statement in the transaction of its import, so that both happen or neither. */
export function addMatchingJob({ jobs }: Platform, change: Change, tag: string): Promise<void> {
  return jobs.add(change, matchingQueue, [{ data: { tag } }]);
}

/** The worker that matches statements, one at a time. */
export function matchingWorker(follow: (tag: string) => Promise<void>): JobWorker {
  return jobWorker(matchingQueue, { pollSeconds: 1, loops: 1, batch: 1 }, async ({ tag }) => {
    await follow(tag);
    return { done: true };
  });
}
