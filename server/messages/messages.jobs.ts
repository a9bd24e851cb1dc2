import { z } from 'zod';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import type { Config } from '#server/config/config.ts';
import { type JobQueue, type JobWorker, jobWorker } from '#server/jobs/jobs.ts';
import { deliverMessage } from '#server/messages/channels/delivery.ts';
import type { Provider } from '#server/messages/channels/provider.ts';
import { smsProvider } from '#server/messages/channels/sms.ts';
import type { Platform } from '#server/platform/platform.ts';
import { failMessage } from './messages.queries.ts';

const data = z.object({ id: z.int() });
type MessageJob = z.output<typeof data>;

/**
 * A worker without a heartbeat for 20 s counts as dead, and its message goes to another worker. Retries come after 1,
 * 2, 4 … seconds up to ten minutes, for about three days; messages that expire soon, such as codes, have a shorter cap.
 */
const options = {
  heartbeatSeconds: 20,
  expireInSeconds: 240,
  retryLimit: 450,
  retryBackoff: true,
  retryDelay: 1,
  retryDelayMax: 600,
  retentionSeconds: 30 * DAY_SECONDS,
  deleteAfterSeconds: DAY_SECONDS,
};

const deadLetters: JobQueue<MessageJob> = { name: 'message-dead', data, options: { deleteAfterSeconds: DAY_SECONDS } };

/** One queue per channel, so that a dead provider blocks only its own channel. */
export const channelQueues = {
  email: { name: 'message-email', data, options: { ...options, deadLetter: deadLetters.name } },
  sms: { name: 'message-sms', data, options: { ...options, deadLetter: deadLetters.name } },
} as const satisfies Record<string, JobQueue<MessageJob>>;

/** Every message queue, dead-letter queues first. */
export const messageQueues: readonly JobQueue<MessageJob>[] = [deadLetters, channelQueues.email, channelQueues.sms];

/** Sends within half a second of the commit, and at most ten messages of a channel at once. */
const pace = { pollSeconds: 0.5, loops: 2, batch: 5 };

/** Loads nodemailer with the first e-mail, so that an idle server saves its 20 MB (docs/decisions/0028-benches.md). */
function smtpWhenNeeded(smtp: NonNullable<Config['smtp']>): Provider {
  let opened: Promise<Provider> | undefined;
  return {
    send: async (letter, handOver) => {
      opened ??= import('#server/messages/channels/smtp.ts').then(({ smtpProvider }) => smtpProvider(smtp));
      return (await opened).send(letter, handOver);
    },
  };
}

/** The workers of every channel with a provider. In production, logs a warning about a missing one. */
export function messageWorkers(platform: Platform): readonly JobWorker[] {
  const { config, log } = platform;
  const providers = {
    email: config.smtp === undefined ? undefined : smtpWhenNeeded(config.smtp),
    sms: config.sms === undefined ? undefined : smsProvider(config.sms),
  };
  const workers = [jobWorker(deadLetters, { pollSeconds: 2, loops: 1, batch: 20 }, (job) => giveUp(platform, job))];
  for (const channel of ['email', 'sms'] as const) {
    const provider = providers[channel];
    if (provider !== undefined) workers.push(channelWorker(platform, channel, provider));
    else if (config.production) log.warn(`${missing[channel]}: these messages stay queued until there is.`);
  }
  return workers;
}

const missing = {
  email: 'There is no SMTP_URL to send emails with',
  sms: 'There are no SMS_USERNAME and SMS_API_KEY to send text messages with',
} as const;

function channelWorker(platform: Platform, channel: 'email' | 'sms', provider: Provider): JobWorker {
  return jobWorker(channelQueues[channel], pace, ({ id }) => deliverMessage(platform, provider, id));
}

/** Gives up a message that has no attempts left. */
async function giveUp({ db, log }: Platform, { id }: MessageJob) {
  const tag = await failMessage(db, id, 'given up after the last attempt');
  if (tag !== undefined) log.error({ message: tag }, 'a message was given up');
  return { done: true } as const;
}
