import { sql } from 'kysely';
import { HOUR_MS } from '#contract/time/durations.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import type { Message } from '#server/messages/messages.service.ts';

/** When a message may be sent, and whether it replaces a waiting one. */
export interface Turn {
  readonly dueAt: Date;
  readonly isMore: boolean;
}

/** The subjects of a batch of messages, and the person whose act causes it. */
export interface Subjects {
  readonly about?: readonly string[] | undefined;
  readonly causedBy?: number | undefined;
}

/**
 * Decides when each message of a batch may be sent, in one round trip. Messages go at once, except texts that tell a
 * person and their colleagues about the person's own act on an invoice. At most `anHour` of those go out in any hour
 * for one person's acts; the others wait for their turn. A text replaces an earlier waiting one to the same recipient
 * about the same subject, and takes its turn if the same person caused both. Codes, security alerts, e-mails and
 * officers' acts do not count, because an officer decides many cases in an hour. Texts with `ifMore` are counted
 * separately: the first goes at once and the next an `anHour`th of an hour after it, so that nobody can delay the
 * warning. Locks the person's turns until the transaction ends.
 */
export async function openTurns(
  connection: Connection,
  { about = [], causedBy }: Subjects,
  { now, anHour }: { readonly now: Date; readonly anHour: number },
): Promise<(message: Message) => Turn> {
  const atOnce = { dueAt: now, isMore: false };
  if (causedBy === undefined || about.length === 0) return () => atOnce;
  const apartMs = HOUR_MS / anHour;
  const [, replaced, latest, apart] = await together(
    lockTurns(connection, causedBy),
    replaceWaiting(connection, about, now).execute(),
    selectLatest(connection, causedBy, { after: before(now, HOUR_MS), count: anHour }),
    selectLatestApart(connection, causedBy, before(now, apartMs)),
  );
  const nextOf = ({ to, ifMore }: Message): Date => {
    if (ifMore !== undefined) {
      const last = apart.find(({ recipient }) => recipient === to)?.dueAt;
      return last == null ? now : new Date(last.getTime() + apartMs);
    }
    const first = latest[anHour - 1];
    return first === undefined ? now : new Date(first.getTime() + HOUR_MS);
  };
  return (message) => {
    if (message.channel !== 'sms' || message.about === undefined) return atOnce;
    const taken = replaced.filter(({ recipient, subject }) => recipient === message.to && subject === message.about);
    const dueAt = taken.find((text) => text.causedBy === causedBy)?.dueAt ?? nextOf(message);
    if (message.ifMore === undefined) {
      latest.push(dueAt);
      latest.sort((one, other) => other.getTime() - one.getTime());
    }
    return { dueAt, isMore: taken.length > 0 };
  };
}

function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}

/** The prefix of the subjects of submission texts to colleagues. */
const SUBMISSIONS = 'submissions of person ';

/**
 * The subject of a person's submission texts to colleagues in a business. They are counted apart from the person's
 * other texts.
 */
export function submissionsOf(personId: number, businessId: number): string {
  return `${SUBMISSIONS}${personId} for ${businessId}`;
}

async function lockTurns(connection: Connection, personId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('kasente texts'), ${personId})`.execute(connection);
}

/**
 * Expires waiting texts about these subjects, including those to people who no longer get the news. Their jobs then
 * find nothing to do.
 */
export function replaceWaiting(connection: Connection, about: readonly string[], now: Date) {
  return connection
    .updateTable('messages')
    .set({ state: 'expired' })
    .where('about', 'in', about)
    .where('state', '=', sql.lit('queued'))
    .where('due_at', '>', now)
    .returning(['recipient', 'about as subject', 'due_at as dueAt', 'caused_by as causedBy']);
}

/** When the latest texts about a person's acts go out, latest first; without submission texts to colleagues. */
async function selectLatest(
  connection: Connection,
  personId: number,
  { after, count }: { readonly after: Date; readonly count: number },
): Promise<Date[]> {
  const rows = await ofPerson(connection, personId, after)
    .where('about', 'not like', `${SUBMISSIONS}%`)
    .orderBy('due_at', 'desc')
    .limit(count)
    .select('due_at as dueAt')
    .execute();
  return rows.flatMap(({ dueAt }) => dueAt ?? []);
}

/** When the latest submission text of a person goes to each colleague. */
function selectLatestApart(connection: Connection, personId: number, after: Date) {
  return ofPerson(connection, personId, after)
    .where('about', 'like', `${SUBMISSIONS}%`)
    .groupBy('recipient')
    .select(['recipient', (text) => text.fn.max('due_at').as('dueAt')])
    .execute();
}

function ofPerson(connection: Connection, personId: number, after: Date) {
  return connection
    .selectFrom('messages')
    .where('caused_by', '=', personId)
    .where('due_at', '>', after)
    .where('state', '<>', 'expired');
}
