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
 * Sessions: an opaque token in a cookie, its hash in a table, idle and absolute expiry by the server
 * (docs/decisions/0041-left-open.md).
 */

const SESSION_COOKIE = 'kasente_session';
/**
 * A prefix that browsers accept only with Secure, Path=/ and from this very host, so that no sibling host can plant a
 * cookie.
 */
const HOST_ONLY = '__Host-';
const ABSOLUTE_LIMIT_MS = 12 * HOUR_MS;
/** The last activity is written at most once in this time, so that a burst of calls writes once. */
const ACTIVITY_GRAIN_MS = 1000;

/** What sessions need of the platform. */
interface SessionsPlatform {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
}

/** The session cookie's name, with the prefix on https, which browsers require for it. */
export function sessionCookie(config: Config): string {
  return isHttps(config) ? `${HOST_ONLY}${SESSION_COOKIE}` : SESSION_COOKIE;
}

/** Whether the public address is https. */
export function isHttps({ publicUrl }: Config): boolean {
  return publicUrl?.startsWith('https:') === true;
}

/** Whether a second factor must be set up first: for staff, if the settings require one. */
export function needsSecondFactor(
  { secondFactorRequired }: Config,
  person: Pick<SessionPerson, 'perms' | 'secondFactor'>,
): boolean {
  return secondFactorRequired && isStaff(person) && !person.secondFactor;
}

/**
 * The session of a request; undefined if there is none, it has expired or its person may not log in. Extends it, unless
 * the call came from the background (`X-Background: 1`); a failure to is only logged.
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

/** A session that is open: whose it is, and whether its activity is to be written down, once a second at most. */
interface LiveSession extends SessionPerson {
  readonly isDue: boolean;
}

/** A live session was active after this, and opened after that. */
export function liveSince({ config }: Pick<SessionsPlatform, 'config'>, now: Date) {
  return {
    active: new Date(now.getTime() - config.sessionIdleMinutes * MINUTE_MS),
    opened: new Date(now.getTime() - ABSOLUTE_LIMIT_MS),
  };
}

/** Text, because every call uses it: building it takes as long as running it. */
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

/** Writes down that an open session is active now. */
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

/** Opens a session and returns its token; a new one at each login, against session fixation. */
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
 * Gives a session a new token, to be handed to the browser; the old one is invalid from then on. To be done when a
 * session may do more, or its person has proved themselves again.
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

/** A person's live sessions, the most recently active first. */
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

/** Ends a person's sessions, all of them or all but one. */
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

/** Deletes expired sessions; run by a sweep. */
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
