import { sql } from 'kysely';
import { HOUR_MS } from '#contract/time/durations.ts';
import type { Connection } from '#server/db/database.ts';
import type { Message } from '#server/messages/messages.service.ts';

/** When a message may be sent, and whether it replaces a waiting one. */
export interface Turn {
  readonly dueAt: Date;
  readonly isMore: boolean;
}

/**
 * When a message may go: at once, but for a text by which a person's own act tells them and their colleagues of an
 * invoice. Of those, one person's acts send `anHour` within any hour; the others wait for their turn. A text takes the place
 * of an earlier one to the same recipient about the same that still waits, whoever caused that, and its turn where both are
 * of one person's acts. Not counted are codes, what guards an account, e-mails, and what officers do: an officer decides many
 * cases in an hour. What has `ifMore` counts apart: the first goes at once and the next an `anHour`th of an hour after it,
 * so that nobody delays what warns of them. Holds the person's turns until the transaction ends.
 */
export async function turnOf(
  connection: Connection,
  { channel, to, about, causedBy, ifMore }: Message,
  { now, anHour }: { readonly now: Date; readonly anHour: number },
): Promise<Turn> {
  if (channel !== 'sms' || about === undefined) return { dueAt: now, isMore: false };
  if (causedBy !== undefined) await lockTurns(connection, causedBy);
  const replaced = await replaceWaiting(connection, to, about, now);
  const isMore = replaced.length > 0;
  if (causedBy === undefined) return { dueAt: now, isMore };
  const own = replaced.find((text) => text.causedBy === causedBy);
  if (own?.dueAt) return { dueAt: own.dueAt, isMore };
  const apart = { to, about, count: 1, withinMs: HOUR_MS / anHour };
  const turn = ifMore === undefined ? { count: anHour, withinMs: HOUR_MS } : apart;
  return { dueAt: await nextTurn(connection, causedBy, now, turn), isMore };
}

/** The subject of a person's submission texts to colleagues: all of them together, apart from their other texts. */
export function submissionsOf(personId: number): string {
  return `submissions of person ${personId}`;
}

async function lockTurns(connection: Connection, personId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('kasente texts'), ${personId})`.execute(connection);
}

/** A replaced text is never sent: its job finds nothing to do. */
function replaceWaiting(connection: Connection, recipient: string, about: string, now: Date) {
  return connection
    .updateTable('messages')
    .set({ state: 'expired' })
    .where('recipient', '=', recipient)
    .where('about', '=', about)
    .where('state', '=', 'queued')
    .where('due_at', '>', now)
    .returning(['due_at as dueAt', 'caused_by as causedBy'])
    .execute();
}

/**
 * How many texts within which time: to one recipient about one subject, or all except those about submissions to
 * colleagues.
 */
interface Turns {
  readonly to?: string;
  readonly about?: string;
  readonly count: number;
  readonly withinMs: number;
}

/** That long after the text this many turns earlier, or now if that has passed. */
async function nextTurn(
  connection: Connection,
  personId: number,
  now: Date,
  { to, about, count, withinMs }: Turns,
): Promise<Date> {
  const before = await connection
    .selectFrom('messages')
    .where('caused_by', '=', personId)
    .where('due_at', '>', new Date(now.getTime() - withinMs))
    .where('state', '<>', 'expired')
    .$if(to !== undefined, (query) => query.where('recipient', '=', to ?? ''))
    .where('about', about === undefined ? '<>' : '=', about ?? submissionsOf(personId))
    .orderBy('due_at', 'desc')
    .offset(count - 1)
    .limit(1)
    .select('due_at as dueAt')
    .executeTakeFirst();
  return before?.dueAt ? new Date(before.dueAt.getTime() + withinMs) : now;
}
