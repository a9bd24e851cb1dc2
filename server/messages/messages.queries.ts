import { type Insertable, sql } from 'kysely';
import { DAY_MS } from '#contract/time/durations.ts';
import { type Connection, write } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';

/** Reserves ids for messages, so that their jobs can be written together with them. */
export async function reserveIds(connection: Connection, count: number): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('messages', 'id')) as id
    from generate_series(1, ${count}::int)`.execute(connection);
  return rows.map(({ id }) => id);
}

type NewMessage = Omit<Insertable<Tables['messages']>, 'id'> & { readonly id: number };

/** Writes messages under reserved ids. */
export async function insertMessages(connection: Connection, messages: readonly NewMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const values = messages.map(
    (one) => sql`(${one.id}, ${one.channel}, ${one.recipient}, ${one.subject}, ${one.body}, ${one.created_at},
      ${one.expires_at}, ${one.about}, ${one.caused_by}, ${one.due_at})`,
  );
  const insert = sql`
    insert into messages (id, channel, recipient, subject, body, created_at, expires_at, about, caused_by, due_at)
    overriding system value values ${sql.join(values)}`;
  await write(connection, insert.compile(connection));
}

/**
 * One attempt's claim on a message. A later claim replaces it, and then the conditions on `claim` below match nothing.
 */
export interface Claim {
  readonly id: number;
  readonly claim: string;
}

/**
 * Claims a waiting message, or one whose worker died before the hand-over. Undefined if it is finished or may have been
 * handed over.
 */
export function claimMessage(connection: Connection, { id, claim }: Claim) {
  return connection
    .updateTable('messages')
    .set((message) => ({ state: 'sending', claim, attempts: message('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'sending'])
    .where('handed_over_at', 'is', null)
    .returning(['id', 'tag', 'recipient', 'subject', 'body', 'created_at as createdAt', 'expires_at as expiresAt'])
    .executeTakeFirst();
}

/** A claimed message, with the fields that an attempt needs. */
export type ClaimedMessage = NonNullable<Awaited<ReturnType<typeof claimMessage>>>;

/** Marks a claimed message as handed over; false if the claim is lost or the message has expired. */
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

/** A message's state after an attempt. */
export type Settlement =
  | { readonly state: 'sent'; readonly sent_at: Date; readonly last_error: null; readonly body?: null }
  | { readonly state: 'queued'; readonly handed_over_at: null; readonly last_error: string }
  | { readonly state: 'failed'; readonly last_error: string }
  | { readonly state: 'expired'; readonly body?: null };

/**
 * Settles a claimed message; false if the claim is lost. A reply that arrives after we gave up on the worker still
 * counts: the message is `failed` by then, and gets its real state.
 */
export async function settleMessage(connection: Connection, { id, claim }: Claim, settlement: Settlement) {
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

/** Gives up an unfinished message for good. Returns its tag, if it was unfinished. */
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

/** Marks messages that expired before they were sent. */
export async function expireMessages(connection: Connection, now: Date): Promise<void> {
  await connection
    .updateTable('messages')
    .set({ state: 'expired' })
    .where('state', '=', 'queued')
    .where('expires_at', '<=', now)
    .execute();
}

/** Expires waiting messages about a subject. */
export function expireAbout(connection: Connection, about: string) {
  return connection
    .updateTable('messages')
    .set({ state: 'expired' })
    .where('about', '=', about)
    .where('state', '=', sql.lit('queued'));
}

/** Gives up messages that waited too long, or whose worker died after the hand-over. Returns their tags. */
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

/** Erases bodies that will neither be sent nor read. */
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

/** Deletes messages that were finished long ago. */
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

/** The state of a channel's messages. */
export interface ChannelState {
  readonly channel: 'email' | 'sms';
  /** The number of overdue messages. */
  readonly waiting: number;
  /** The number of messages waiting for their turn (text-turns.ts). */
  readonly held: number;
  /** The number sent in the last 24 hours. */
  readonly sent: number;
  /** The number that will never be sent, as long as they are kept. */
  readonly dead: number;
  /** The age of the oldest waiting message; 0 if none waits. */
  readonly oldestSeconds: number;
}

/** The state of every channel, even one without messages. */
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

/** Given up, or expired before it was sent; not a text that a newer one replaced. */
const isDead = sql<boolean>`(state = 'failed' or state = 'expired' and expires_at is not null)`;

/** Why a channel's messages wait: the reason of the newest attempt; null without an attempt. */
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

/** The newest failed messages, without their bodies. */
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
