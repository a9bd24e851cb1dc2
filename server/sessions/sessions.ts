import type { FastifyReply, FastifyRequest } from 'fastify';
import { CompiledQuery, sql } from 'kysely';
import { isStaff } from '#contract/permissions.ts';
import { HOUR_MS, MINUTE_MS } from '#contract/time/durations.ts';
import type { SessionPerson } from '#server/calls/caller.ts';
import type { Config } from '#server/config/config.ts';
import type { Connection, Database } from '#server/db/database.ts';
import type { Clock } from '#server/machine/clock.ts';
import { newToken, tokenHash } from '#server/secrets/tokens.ts';

/**
 * Sessions: an opaque token in a cookie and its hash in a table; the server enforces idle and absolute expiry
 * (docs/decisions/0041-left-open.md).
 */

const SESSION_COOKIE = 'kasente_session';
/**
 * A prefix that browsers accept only on a cookie with Secure and Path=/ that was set by this very host, so that no
 * sibling host can plant one.
 */
const HOST_ONLY = '__Host-';
const ABSOLUTE_LIMIT_MS = 12 * HOUR_MS;
/** The last activity is written at most once in this time, so that a burst of calls causes one write. */
const ACTIVITY_GRAIN_MS = 1000;

/** The parts of the platform that sessions need. */
interface SessionsPlatform {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
}

/** The session cookie's name; on https with the prefix, for which browsers require https. */
export function sessionCookie(config: Config): string {
  return isHttps(config) ? `${HOST_ONLY}${SESSION_COOKIE}` : SESSION_COOKIE;
}

/** Whether the public address is https. */
export function isHttps({ publicUrl }: Config): boolean {
  return publicUrl?.startsWith('https:') === true;
}

/** Whether the person must set up a second factor first: staff, if the settings require one. */
export function needsSecondFactor(
  { secondFactorRequired }: Config,
  person: Pick<SessionPerson, 'perms' | 'secondFactor'>,
): boolean {
  return secondFactorRequired && isStaff(person) && !person.secondFactor;
}

/**
 * The session of a request; undefined if there is none, it has expired or its person may not log in. Extends the
 * session, unless the call came from the background (`X-Background: 1`). A failure to extend it is only logged.
 */
export async function findSession(
  platform: SessionsPlatform,
  request: FastifyRequest,
): Promise<SessionPerson | undefined> {
  const token = request.cookies[sessionCookie(platform.config)];
  if (token === undefined) return undefined;
  const now = platform.clock.now();
  const since = liveSince(platform, now);
  const isActivity = request.headers['x-background'] !== '1';
  const dueBefore = isActivity ? new Date(now.getTime() - ACTIVITY_GRAIN_MS) : since.active;
  const asked = CompiledQuery.raw(LIVE_SESSION, [tokenHash(token), since.active, since.opened, dueBefore]);
  const { rows } = await platform.db.executeQuery<LiveSession>(asked);
  const [found] = rows;
  if (found === undefined) return undefined;
  const { isDue, ...person } = found;
  if (isDue)
    await extendSession(platform, person).catch((error: unknown) =>
      request.log.warn({ err: error }, 'the activity of a session was not written down'),
    );
  return person;
}

/** A live session: its person, and whether to record its activity, which happens once a second at most. */
interface LiveSession extends SessionPerson {
  readonly isDue: boolean;
}

/** A session is live if it was last active after `active` and was opened after `opened`. */
export function liveSince({ config }: Pick<SessionsPlatform, 'config'>, now: Date) {
  return {
    active: new Date(now.getTime() - config.sessionIdleMinutes * MINUTE_MS),
    opened: new Date(now.getTime() - ABSOLUTE_LIMIT_MS),
  };
}

/** SQL text, because every call uses it: building the query takes as long as running it. */
const LIVE_SESSION = `
  select person.id, person.tag, person.username, person.permissions as perms, person.first_name as "firstName",
    person.last_name as "lastName", person.business_id as "businessId", business.tag as "businessTag",
    business.name as "businessName", session.token_hash as "sessionHash", session.second_factor as "secondFactor",
    session.last_active_at <= $4 as "isDue"
  from sessions as session
  join persons as person on person.id = session.person_id
  left join businesses as business on business.id = person.business_id
  where session.token_hash = $1 and session.last_active_at > $2 and session.created_at > $3
    and person.status in ('Verified', 'Active')`;

/** Records that a live session is active now. */
async function extendSession({ db, clock, config }: SessionsPlatform, { sessionHash }: SessionPerson): Promise<void> {
  const now = clock.now();
  await db.inTransaction(async (change) =>
    change.send(
      change
        .updateTable('sessions')
        .set({ last_active_at: now })
        .where('token_hash', '=', sessionHash)
        .where('last_active_at', '>', liveSince({ config }, now).active)
        .where('last_active_at', '<', now),
    ),
  );
}

/** Opens a session and returns its token. Every login gets a new token, against session fixation. */
export async function openSession(
  connection: Connection,
  personId: number,
  request: FastifyRequest,
  { now, secondFactor }: { readonly now: Date; readonly secondFactor: boolean },
): Promise<string> {
  const token = newToken();
  await connection
    .insertInto('sessions')
    .values({
      token_hash: tokenHash(token),
      person_id: personId,
      created_at: now,
      last_active_at: now,
      ip: request.ip,
      user_agent: request.headers['user-agent']?.slice(0, 300) ?? null,
      second_factor: secondFactor,
    })
    .execute();
  return token;
}

/**
 * Gives a session a new token, which the caller must hand to the browser; the old one is invalid from then on. Use it
 * when a session may do more than before, or its person has proved themselves again.
 */
export async function renewSession(
  connection: Connection,
  sessionHash: Buffer,
  proven: { readonly second_factor?: true } = {},
): Promise<string> {
  const token = newToken();
  await connection
    .updateTable('sessions')
    .set({ token_hash: tokenHash(token), ...proven })
    .where('token_hash', '=', sessionHash)
    .execute();
  return token;
}

/** A person's live sessions, most recently active first. */
export function selectSessions(platform: SessionsPlatform, personId: number, limit: number) {
  const since = liveSince(platform, platform.clock.now());
  return platform.db
    .selectFrom('sessions')
    .where('person_id', '=', personId)
    .where('last_active_at', '>', since.active)
    .where('created_at', '>', since.opened)
    .select(['token_hash', 'tag', 'created_at', 'last_active_at', 'ip', 'user_agent'])
    .orderBy('last_active_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
}

/** Ends a person's sessions, all of them or all except one. */
export async function endSessions(connection: Connection, personId: number, exceptHash?: Buffer): Promise<void> {
  await connection
    .deleteFrom('sessions')
    .where('person_id', '=', personId)
    .$if(exceptHash !== undefined, (query) => query.where('token_hash', '<>', exceptHash ?? Buffer.alloc(0)))
    .execute();
}

/** Ends the request's session, if any. */
export async function endSessionOf(platform: SessionsPlatform, request: FastifyRequest): Promise<void> {
  const token = request.cookies[sessionCookie(platform.config)];
  if (token === undefined) return;
  await platform.db.deleteFrom('sessions').where('token_hash', '=', tokenHash(token)).execute();
}

/** Deletes expired sessions. */
export async function sweepSessions(platform: SessionsPlatform): Promise<void> {
  const since = liveSince(platform, platform.clock.now());
  await platform.db
    .deleteFrom('sessions')
    .where(sql<boolean>`created_at <= ${since.opened} or last_active_at <= ${since.active}`)
    .execute();
}

const cookieRules = { path: '/', httpOnly: true, sameSite: 'strict' } as const;

/** Sets the session's cookie. */
export function setSessionCookie(platform: SessionsPlatform, reply: FastifyReply, token: string): void {
  reply.setCookie(sessionCookie(platform.config), token, { ...cookieRules, secure: isHttps(platform.config) });
}

/** Clears the session's cookie. */
export function clearSessionCookie(platform: SessionsPlatform, reply: FastifyReply): void {
  reply.clearCookie(sessionCookie(platform.config), { ...cookieRules, secure: isHttps(platform.config) });
}
