import { sql } from 'kysely';
import { DAY_MS } from '#contract/time/durations.ts';
import type { Connection } from '#server/db/database.ts';

/** What an attempt works with. */
export interface ClaimedMessage {
  readonly id: number;
  readonly tag: string;
  readonly recipient: string;
  readonly subject: string;
  readonly body: Buffer | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/** One attempt's hold on a message: whoever claims it later takes it away, and the guards below then match nothing. */
export interface Claim {
  readonly id: number;
  readonly claim: string;
}

/**
 * Claims a message that waits, or one whose worker went away before it handed it over. Undefined where it is done with,
 * or may have been handed over.
 */
export function claimMessage(connection: Connection, { id, claim }: Claim): Promise<ClaimedMessage | undefined> {
  return connection
    .updateTable('messages')
    .set((message) => ({ state: 'sending', claim, attempts: message('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'sending'])
    .where('handed_over_at', 'is', null)
    .returning(['id', 'tag', 'recipient', 'subject', 'body', 'created_at as createdAt', 'expires_at as expiresAt'])
    .executeTakeFirst();
}

/** Marks a claimed message as handed over; false where the claim is lost or the message has expired. */
export async function markHandedOver(connection: Connection, { id, claim }: Claim, now: Date): Promise<boolean> {
  const marked = await connection
    .updateTable('messages')
    .set({ handed_over_at: now })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .where('state', '=', 'sending')
    .where((message) => message.or([message('expires_at', 'is', null), message('expires_at', '>', now)]))
    .returning('id')
    .executeTakeFirst();
  return marked !== undefined;
}

/** What a message becomes after an attempt. */
export type Settlement =
  | { readonly state: 'sent'; readonly sent_at: Date; readonly last_error: null; readonly body?: null }
  | { readonly state: 'queued'; readonly handed_over_at: null; readonly last_error: string }
  | { readonly state: 'failed'; readonly last_error: string }
  | { readonly state: 'expired'; readonly body?: null };

/**
 * Settles a claimed message; false where the claim is lost. An answer that comes after the worker was given up
 * still counts: the message is then `failed`, and becomes what it really is.
 */
export async function settleMessage(
  connection: Connection,
  { id, claim }: Claim,
  settlement: Settlement,
): Promise<boolean> {
  const settled = await connection
    .updateTable('messages')
    .set(settlement)
    .where('id', '=', id)
    .where('claim', '=', claim)
    .where('state', 'in', settlement.state === 'sent' ? ['sending', 'failed'] : ['sending'])
    .returning('id')
    .executeTakeFirst();
  return settled !== undefined;
}

/**
 * Gives a message up: it is neither done with nor will it be tried again. Returns its tag, where there was one to give
 * up.
 */
export async function failMessage(
  connection: Connection,
  id: number,
  reason: string,
  which: 'handed over' | 'any' = 'any',
): Promise<string | undefined> {
  const failed = await connection
    .updateTable('messages')
    .set({ state: 'failed', last_error: reason })
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'sending'])
    .$if(which === 'handed over', (query) => query.where('handed_over_at', 'is not', null))
    .returning('tag')
    .executeTakeFirst();
  return failed?.tag;
}

/** Marks what died before it was sent. */
export async function expireMessages(connection: Connection, now: Date): Promise<void> {
  await connection
    .updateTable('messages')
    .set({ state: 'expired' })
    .where('state', '=', 'queued')
    .where('expires_at', '<=', now)
    .execute();
}

/** Gives up what has waited too long, or was handed over by a worker that nobody took over from. Returns their tags. */
export async function failStuckMessages(
  connection: Connection,
  since: { readonly waitingSince: Date; readonly handedOverBefore: Date },
): Promise<readonly string[]> {
  const failed = await connection
    .updateTable('messages')
    .set((message) => ({
      state: 'failed',
      last_error: message.fn.coalesce('last_error', message.val('nobody could send it')),
    }))
    .where('state', 'in', ['queued', 'sending'])
    .where((message) =>
      message.or([
        message('created_at', '<', since.waitingSince),
        message('handed_over_at', '<', since.handedOverBefore),
      ]),
    )
    .returning('tag')
    .execute();
  return failed.map(({ tag }) => tag);
}

/** Erases what nobody will send or look at any more. */
export async function eraseBodies(
  connection: Connection,
  when: { readonly expiredBy: Date; readonly failedSince: Date },
): Promise<void> {
  await connection
    .updateTable('messages')
    .set({ body: null })
    .where('body', 'is not', null)
    .where('state', 'in', ['sent', 'expired', 'failed'])
    .where((message) =>
      message.or([
        message('state', '<>', 'failed'),
        message('expires_at', '<=', when.expiredBy),
        message('created_at', '<', when.failedSince),
      ]),
    )
    .execute();
}

/** Deletes messages that have been done with for long. */
export async function deleteOldMessages(connection: Connection, createdBefore: Date): Promise<void> {
  await connection
    .deleteFrom('messages')
    .where('created_at', '<', createdBefore)
    .where('state', 'in', ['sent', 'expired', 'failed'])
    .execute();
}

/** Every message, newest first, for the development list. */
export function listMessages(connection: Connection) {
  return connection
    .selectFrom('messages')
    .select(['recipient', 'channel', 'subject', 'body', 'created_at as createdAt'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** How the messages of a channel stand. */
export interface ChannelState {
  readonly channel: 'email' | 'sms';
  /** Should have gone by now. */
  readonly waiting: number;
  /** Its turn has not come (text-turns.ts). */
  readonly held: number;
  /** In the last 24 hours. */
  readonly sent: number;
  /** Never sent, and never will be; as long as it is kept. */
  readonly dead: number;
  /** How long the one has waited that waits longest; 0 where none does. */
  readonly oldestSeconds: number;
}

/** Of each channel, whether there are messages or not. */
export async function countMessages(connection: Connection, now: Date): Promise<readonly ChannelState[]> {
  const { rows } = await sql<ChannelState>`
    with undelivered as (
      select channel, greatest(created_at, due_at) as since, state = 'queued' and due_at > ${now} as held
      from messages where state in ('queued', 'sending')
    )
    select channel,
      (select count(*) from undelivered where undelivered.channel = channels.channel and held is not true) as waiting,
      (select count(*) from undelivered where undelivered.channel = channels.channel and held) as held,
      (select count(*) from messages where messages.channel = channels.channel and state = 'sent'
        and sent_at > ${new Date(now.getTime() - DAY_MS)}) as sent,
      (select count(*) from messages where messages.channel = channels.channel and ${isDead}) as dead,
      coalesce((select greatest(0, extract(epoch from ${now} - min(since))) from undelivered
        where undelivered.channel = channels.channel and held is not true), 0)::float8 as "oldestSeconds"
    from (values ('email'), ('sms')) as channels (channel) order by channel`.execute(connection);
  return rows;
}

/** Given up, or expired before it was sent; not a text whose place a newer one took. */
const isDead = sql<boolean>`(state = 'failed' or state = 'expired' and expires_at is not null)`;

/** Why the messages of a channel wait, by the newest attempt's words; null where none was made. */
export async function lastReason(connection: Connection, channel: 'email' | 'sms'): Promise<string | null> {
  const row = await connection
    .selectFrom('messages')
    .where('channel', '=', channel)
    .where('state', 'in', ['queued', 'sending'])
    .where('last_error', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .select('last_error')
    .executeTakeFirst();
  return row?.last_error ?? null;
}

/** The newest messages that nobody got, without what they say. */
export function listDead(connection: Connection, limit: number) {
  return connection
    .selectFrom('messages')
    .where(isDead)
    .select(['tag', 'channel', 'recipient', 'subject', 'created_at as createdAt', 'state', 'last_error as lastError'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
