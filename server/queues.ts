import { messageQueues } from '#server/messages/messages.jobs.ts';
import { matchingQueue } from '#server/statements/matching/after-import.jobs.ts';
import { transferQueue } from '#server/transfers/transfers.jobs.ts';

/** Every queue of background jobs, dead-letter queues first. */
export const queues = [...messageQueues, transferQueue, matchingQueue];
