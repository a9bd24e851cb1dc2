import { readUsername } from '#contract/accounts/username.ts';
import { DAY_MS, MINUTE_MS } from '#contract/time/durations.ts';
import { type Connection, write } from '#server/db/database.ts';
import { asSystem } from '#server/db/row-scope.ts';
import { together } from '#server/db/together.ts';
import type { Job } from '#server/jobs/jobs.ts';
import { openTurns, replaceWaiting, type Subjects, type Turn } from '#server/messages/channels/text-turns.ts';
import type { Platform } from '#server/platform/platform.ts';
import { channelQueues } from './messages.jobs.ts';
import {
  countMessages,
  deleteOldMessages,
  eraseBodies,
  expireAbout,
  expireMessages,
  failStuckMessages,
  insertMessages,
  lastReason,
  reserveIds,
} from './messages.queries.ts';

/** A message to a person. */
export interface Message {
  readonly channel: 'email' | 'sms';
  /** An e-mail address or a number as 07XXXXXXXX. */
  readonly to: string;
  /**
   * Not sent by SMS, but shown in the development list. It must never contain a code, because it is stored unsealed.
   */
  readonly subject: string;
  readonly body: string;
  /** The message is not sent after this time, for example because its code has expired. */
  readonly expiresAt?: Date;
  /** Its subject. A text replaces an earlier one about the same subject that still waits for its turn. */
  readonly about?: string;
  /** The person whose act caused it, if it counts towards the texts that this person's acts may send in an hour. */
  readonly causedBy?: number;
  /**
   * Text to add if the message replaces a waiting one. Such texts have separate turns, so they wait for minutes at
   * most.
   */
  readonly ifMore?: string;
}

/** The text of a message, for any number of recipients. */
export type MessageText = Pick<Message, 'subject' | 'body'>;

/** A message to a username, through the channel that its form implies. */
export function messageTo(username: string, text: MessageText): Message {
  return { channel: readUsername(username)?.kind === 'email' ? 'email' : 'sms', to: username, ...text };
}

/**
 * Expiring messages go first, except news about a subject. Those that expire soon are retried at least every 15 s. At
 * that pace, their queue's attempts last two hours, so longer-lived messages, such as a link valid for a day, keep the
 * queue's own pace.
 */
const DIES_SOON_MS = 15 * MINUTE_MS;
const mortal = { priority: 1 } as const;
const urgent = { ...mortal, retryBackoff: true, retryDelayMax: 15 } as const;

/**
 * Queues a message in the transaction of the change that it reports, so that both happen or neither. A worker sends it
 * when its turn ({@link openTurns}) has come.
 */
export async function queueMessage(platform: Platform, connection: Connection, message: Message): Promise<void> {
  const { about, causedBy } = message;
  const isText = message.channel === 'sms' && about !== undefined;
  const batch = await openBatch(platform, connection, { about: isText ? [about] : [], causedBy });
  await queueMessages(platform, connection, batch, [message]);
}

/** A batch of messages in one transaction, whose recipients are not known yet. */
export interface Batch {
  readonly subjects: Subjects;
  readonly ids: readonly number[];
  readonly turnOf: (message: Message) => Turn;
}

/** How many ids to reserve before we know how many people get the message; most businesses have fewer people. */
const IDS_AT_ONCE = 4;

/**
 * Reserves ids and turns in one round trip; `about` names every subject. With `causedBy`, waiting texts are
 * replaced here.
 */
export async function openBatch(platform: Platform, connection: Connection, subjects: Subjects): Promise<Batch> {
  const limits = { now: platform.clock.now(), anHour: platform.config.textsAPersonAnHour };
  const [ids, turnOf] = await asSystem('messages', () =>
    together(reserveIds(connection, IDS_AT_ONCE), openTurns(connection, subjects, limits)),
  );
  return { subjects, ids, turnOf };
}

/**
 * Queues the messages of a batch like {@link queueMessage}. The messages and their jobs are written with the COMMIT.
 */
export async function queueMessages(
  platform: Platform,
  connection: Connection,
  { subjects: { about = [], causedBy }, ids, turnOf }: Batch,
  messages: readonly Message[],
): Promise<void> {
  const now = platform.clock.now();
  await asSystem('messages', async () => {
    const more = messages.length > ids.length ? await reserveIds(connection, messages.length - ids.length) : [];
    const all = [...ids, ...more];
    const stored = messages.map((message, index) => {
      const id = all[index];
      if (id === undefined) throw new Error('no id was reserved for a message');
      const content = contentOf(platform, message, turnOf(message));
      return { id, caused_by: causedBy ?? null, created_at: now, ...content };
    });
    if (causedBy === undefined && about.length > 0)
      await write(connection, replaceWaiting(connection, about, now).compile());
    await insertMessages(connection, stored);
    for (const channel of ['email', 'sms'] as const) {
      const sent = stored.filter((message) => message.channel === channel && willBeSent(platform, channel));
      await platform.jobs.add(
        connection,
        channelQueues[channel],
        sent.map((message) => jobOf(message, now)),
      );
    }
  });
}

/** Expires waiting messages about a subject, to any recipient. */
export async function expireQueued(connection: Connection, about: string): Promise<void> {
  await asSystem('messages', () => write(connection, expireAbout(connection, about).compile()));
}

function contentOf(platform: Platform, message: Message, { dueAt, isMore }: Turn) {
  const body = isMore && message.ifMore !== undefined ? `${message.body} ${message.ifMore}` : message.body;
  return {
    channel: message.channel,
    recipient: message.to,
    subject: message.subject,
    body: platform.sealer.seal(body),
    expires_at: message.expiresAt ?? null,
    about: message.about ?? null,
    due_at: dueAt,
  };
}

type Stored = { readonly id: number } & Pick<ReturnType<typeof contentOf>, 'expires_at' | 'due_at' | 'about'>;

function jobOf({ id, expires_at, due_at, about }: Stored, now: Date): Job<{ readonly id: number }> {
  const held = due_at > now ? { startAfter: due_at } : {};
  return { data: { id }, ...(about === null ? paceOf(expires_at, now) : {}), ...held };
}

function paceOf(expiresAt: Date | null, now: Date) {
  if (expiresAt === null) return {};
  return expiresAt.getTime() - now.getTime() <= DIES_SOON_MS ? urgent : mortal;
}

/**
 * Whether messages of a channel are sent. In development, a channel without a provider sends nothing, and its messages
 * are shown at /dev/messages.
 */
function willBeSent({ config }: Platform, channel: Message['channel']): boolean {
  return config.production || (channel === 'email' ? config.smtp : config.sms) !== undefined;
}

/** How long a message waits for a missing provider, and how long it is kept after that. */
const WAITS_MS = 30 * DAY_MS;
const KEPT_MS = 90 * DAY_MS;

/** Tidies the outbox: marks expired messages and, in production, erases and later deletes finished ones. */
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

/** The lifetime of a PIN (contract/accounts): after waiting this long, a PIN is useless. */
const WAITED_TOO_LONG_SECONDS = 5 * 60;

/** Logs which channels' messages have waited too long, and why. */
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
