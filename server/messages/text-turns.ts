import { sql } from 'kysely';
import type { Connection } from '#server/platform/database.ts';
import type { Message } from './messages.service.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * When a message may go: at once, but for a text by which a person's own act tells them and their colleagues of an
 * invoice. Of those, one person's acts send `anHour` within any hour; the others wait for their turn. A text takes the place
 * of an earlier one to the same recipient about the same that still waits, whoever caused that, and its turn where both are
 * of one person's acts. Not counted are codes, what guards an account, e-mails, and what officers do: an officer decides many
 * cases in an hour. Holds the person's turns until the transaction ends.
 */
export async function turnOf(
  connection: Connection,
  { channel, to, about, causedBy }: Message,
  { now, anHour }: { readonly now: Date; readonly anHour: number },
): Promise<Date> {
  if (channel !== 'sms' || about === undefined) return now;
  if (causedBy !== undefined) await lockTurns(connection, causedBy);
  const replaced = await replaceWaiting(connection, to, about, now);
  if (causedBy === undefined) return now;
  const own = replaced.find((text) => text.causedBy === causedBy);
  return own?.dueAt ?? nextTurn(connection, causedBy, { now, anHour });
}

async function lockTurns(connection: Connection, personId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('kasente texts'), ${personId})`.execute(connection);
}

/** A text that was replaced is never sent: its job finds nothing to do. */
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

/** An hour after the text that was so many turns before this one; now where that is longer ago. */
async function nextTurn(
  connection: Connection,
  personId: number,
  { now, anHour }: { readonly now: Date; readonly anHour: number },
): Promise<Date> {
  const before = await connection
    .selectFrom('messages')
    .where('caused_by', '=', personId)
    .where('due_at', '>', new Date(now.getTime() - HOUR_MS))
    .where('state', '<>', 'expired')
    .orderBy('due_at', 'desc')
    .offset(anHour - 1)
    .limit(1)
    .select('due_at as dueAt')
    .executeTakeFirst();
  return before?.dueAt ? new Date(before.dueAt.getTime() + HOUR_MS) : now;
}
