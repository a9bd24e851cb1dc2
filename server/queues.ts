import { messageQueues } from '#server/messages/messages.jobs.ts';
import { transferQueue } from '#server/transfers/transfers.jobs.ts';

/** Every queue of background jobs, dead-letter queues first. */
export const queues = [...messageQueues, transferQueue];
