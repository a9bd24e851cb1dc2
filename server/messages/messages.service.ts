import { readUsername } from '#contract/accounts/username.ts';
import { DAY_MS, MINUTE_MS } from '#contract/time/durations.ts';
import type { Connection } from '#server/db/database.ts';
import { asSystem } from '#server/db/row-scope.ts';
import { enqueue } from '#server/jobs/jobs.ts';
import { turnOf } from '#server/messages/channels/text-turns.ts';
import type { Platform } from '#server/platform.ts';
import { channelQueues } from './messages.jobs.ts';
import {
  countMessages,
  deleteOldMessages,
  eraseBodies,
  expireMessages,
  failStuckMessages,
  lastReason,
} from './messages.queries.ts';

export { submissionsOf } from '#server/messages/channels/text-turns.ts';

/** What is told to a person, and where. */
export interface Message {
  readonly channel: 'email' | 'sms';
  /** An e-mail address or a number as 07XXXXXXXX. */
  readonly to: string;
  /** Not sent by SMS, but kept: the development list shows it. Never a code, because it is not sealed. */
  readonly subject: string;
  readonly body: string;
  /** After this a message is worth nothing and is not sent any more: a code that has died. */
  readonly expiresAt?: Date;
  /** What it is about: a text takes the place of an earlier one about the same that still waits for its turn. */
  readonly about?: string;
  /** The person whose own act it is of, where it counts among the texts that their acts send in an hour. */
  readonly causedBy?: number;
  /**
   * What it adds where it takes the place of one that waits. Such a text has turns apart from the others of who caused it,
   * and so waits for minutes at most.
   */
  readonly ifMore?: string;
}

/** A message to somebody's username, by the channel that it names. */
export function messageTo(username: string, text: Pick<Message, 'subject' | 'body'>): Message {
  return { channel: readUsername(username)?.kind === 'email' ? 'email' : 'sms', to: username, ...text };
}

/**
 * What dies goes before what does not, and what dies soon is tried every 15 s at most. The attempts of its queue last for
 * two hours at that pace, so what lives longer, such as the link of a day, keeps the queue's own.
 */
const DIES_SOON_MS = 15 * MINUTE_MS;
const mortal = { priority: 1 } as const;
const urgent = { ...mortal, retryBackoff: true, retryDelayMax: 15 } as const;

/**
 * Queues a message in the transaction of what it tells of: both happen or neither. A worker sends it when its turn
 * ({@link turnOf}) has come.
 */
export async function queueMessage(platform: Platform, connection: Connection, message: Message): Promise<void> {
  await asSystem('messages', () => storeMessage(platform, connection, message));
}

async function storeMessage(platform: Platform, connection: Connection, message: Message): Promise<void> {
  const now = platform.clock.now();
  const { dueAt, isMore } = await turnOf(connection, message, { now, anHour: platform.config.textsAPersonAnHour });
  const body = isMore && message.ifMore !== undefined ? `${message.body} ${message.ifMore}` : message.body;
  const { id } = await connection
    .insertInto('messages')
    .values({
      channel: message.channel,
      recipient: message.to,
      subject: message.subject,
      body: platform.sealer.seal(body),
      created_at: now,
      expires_at: message.expiresAt ?? null,
      about: message.about ?? null,
      caused_by: message.causedBy ?? null,
      due_at: dueAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (!willBeSent(platform, message.channel)) return;
  const held = dueAt > now ? { startAfter: dueAt } : {};
  await enqueue(connection, channelQueues[message.channel], { id }, { ...paceOf(message, now), ...held });
}

function paceOf({ expiresAt }: Message, now: Date) {
  if (expiresAt === undefined) return {};
  return expiresAt.getTime() - now.getTime() <= DIES_SOON_MS ? urgent : mortal;
}

/** In development a channel without a provider sends nothing: its messages are read at /dev/messages. */
function willBeSent({ config }: Platform, channel: Message['channel']): boolean {
  return config.production || (channel === 'email' ? config.smtp : config.sms) !== undefined;
}

/** How long a message may wait for a provider that is not there, and how long it is kept afterwards. */
const WAITS_MS = 30 * DAY_MS;
const KEPT_MS = 90 * DAY_MS;

/** Tidies the outbox: what is dead is marked, and in production what has served its purpose is erased and then deleted. */
export async function sweepMessages({ db, clock, config, log }: Platform): Promise<void> {
  const now = clock.now();
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  await expireMessages(db, now);
  const stuck = await failStuckMessages(db, { waitingSince: before(WAITS_MS), handedOverBefore: before(DAY_MS) });
  for (const tag of stuck) log.error({ message: tag }, 'a message was given up');
  if (!config.production) return;
  await eraseBodies(db, { expiredBy: now, failedSince: before(WAITS_MS) });
  await deleteOldMessages(db, before(KEPT_MS));
}

/** As long as a PIN lives (contract/accounts): whoever waits for one that old has to ask again. */
const WAITED_TOO_LONG_SECONDS = 5 * 60;

/** Says in the log where messages of a channel that is served have waited for too long, and why. */
export async function warnOfWaiting(platform: Platform): Promise<void> {
  const { db, clock, log } = platform;
  for (const { channel, waiting, oldestSeconds } of await countMessages(db, clock.now())) {
    if (oldestSeconds < WAITED_TOO_LONG_SECONDS || !willBeSent(platform, channel)) continue;
    const reason = await lastReason(db, channel);
    log.warn(
      { channel, waiting, oldestSeconds: Math.round(oldestSeconds), reason },
      'messages have waited for minutes',
    );
  }
}
