import type { FastifyReply, FastifyRequest } from 'fastify';
import { CompiledQuery, sql } from 'kysely';
import { isStaff, type PermissionCode } from '#contract/permissions.ts';
import type { Config } from '#server/config/config.ts';
import type { Connection } from '#server/db/database.ts';
import type { Platform } from '#server/platform.ts';
import { newToken, tokenHash } from '#server/secrets/tokens.ts';

/**
 * Sessions: an opaque token in a cookie, its hash in a table, idle and absolute expiry by the server
 * (docs/decisions/0041-left-open.md).
 */

const SESSION_COOKIE = 'kasente_session';
/** What browsers take only with Secure, Path=/ and from the very host, so that no sister host can plant one. */
const HOST_ONLY = '__Host-';
const ABSOLUTE_LIMIT_MS = 12 * 60 * 60 * 1000;
/** A session's last activity is written at most once in this time, so that a burst of calls writes once. */
const ACTIVITY_GRAIN_MS = 1000;

/** What the session's cookie is called: with its prefix where people come by https, which browsers ask of it. */
export function sessionCookie(config: Config): string {
  return isHttps(config) ? `${HOST_ONLY}${SESSION_COOKIE}` : SESSION_COOKIE;
}

/** Whether people come by https. */
export function isHttps({ publicUrl }: Config): boolean {
  return publicUrl?.startsWith('https:') === true;
}

/** The person behind a request. */
export interface SessionPerson {
  readonly id: number;
  readonly tag: string;
  readonly username: string;
  readonly perms: readonly PermissionCode[];
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly businessId: number | null;
  readonly businessTag: string | null;
  readonly businessName: string | null;
  readonly sessionHash: Buffer;
  /** The session was opened, or has since been confirmed, by a second factor. */
  readonly secondFactor: boolean;
}

/** Whether nothing else can be done before a second factor is set up: by staff, where the settings require one. */
export function needsSecondFactor(
  { secondFactorRequired }: Config,
  person: Pick<SessionPerson, 'perms' | 'secondFactor'>,
): boolean {
  return secondFactorRequired && isStaff(person) && !person.secondFactor;
}

/**
 * The session of a request, or undefined where there is none, it has run out or its person may not log in any
 * more. Extends it, unless the call was made in the background (`X-Background: 1`).
 */
export async function findSession(platform: Platform, request: FastifyRequest): Promise<SessionPerson | undefined> {
  const asked = askForSession(platform, request);
  if (asked === undefined) return undefined;
  const { rows } = await platform.db.executeQuery(asked);
  return rows[0];
}

/** From when on a session must have been active, and opened, to be one still. */
export function liveSince(
  { config }: Pick<Platform, 'config'>,
  now: Date,
): { readonly active: Date; readonly opened: Date } {
  return {
    active: new Date(now.getTime() - config.sessionIdleMinutes * 60_000),
    opened: new Date(now.getTime() - ABSOLUTE_LIMIT_MS),
  };
}

/** Text, because every call asks it: building it again takes as long as running it. */
const LIVE_SESSION = `
  with extended as (
    update sessions set last_active_at = $2
    where token_hash = $1 and last_active_at > $3 and created_at > $4 and last_active_at <= $5)
  select person.id, person.tag, person.username, person.permissions as perms, person.first_name as "firstName",
    person.last_name as "lastName", person.business_id as "businessId", business.tag as "businessTag",
    business.name as "businessName", session.token_hash as "sessionHash", session.second_factor as "secondFactor"
  from sessions as session
  join persons as person on person.id = session.person_id
  left join businesses as business on business.id = person.business_id
  where session.token_hash = $1 and session.last_active_at > $3 and session.created_at > $4
    and person.status in ('Verified', 'Active')`;

/** The statement that {@link findSession} asks; undefined where the request has no session's cookie. */
export function askForSession(
  platform: Pick<Platform, 'config' | 'clock'>,
  request: FastifyRequest,
): CompiledQuery<SessionPerson> | undefined {
  const token = request.cookies[sessionCookie(platform.config)];
  if (token === undefined) return undefined;
  const now = platform.clock.now();
  const since = liveSince(platform, now);
  // What is done in the background finds no session to extend.
  const isActivity = request.headers['x-background'] !== '1';
  const extendedBefore = isActivity ? new Date(now.getTime() - ACTIVITY_GRAIN_MS) : since.active;
  return CompiledQuery.raw(LIVE_SESSION, [tokenHash(token), now, since.active, since.opened, extendedBefore]);
}

/** Opens a session for the person and returns its token; a new one at each login, so none can be fixed beforehand. */
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
 * Gives a session a new token, which the browser is to be handed; the old one is worth nothing from then on. To be done
 * where what a session may do grows, or its person has proved themselves anew.
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

/** A person's sessions that have not run out, those last active first. */
export function selectSessions(platform: Platform, personId: number, limit: number) {
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

/** Ends the session a request carries, if any. */
export async function endSessionOf(platform: Platform, request: FastifyRequest): Promise<void> {
  const token = request.cookies[sessionCookie(platform.config)];
  if (token === undefined) return;
  await platform.db.deleteFrom('sessions').where('token_hash', '=', tokenHash(token)).execute();
}

/** Removes sessions that have run out; a worker calls it now and then. */
export async function sweepSessions(platform: Platform): Promise<void> {
  const since = liveSince(platform, platform.clock.now());
  await platform.db
    .deleteFrom('sessions')
    .where(sql<boolean>`created_at <= ${since.opened} or last_active_at <= ${since.active}`)
    .execute();
}

const cookieRules = { path: '/', httpOnly: true, sameSite: 'strict' } as const;

/** Hands the session's token to the browser. */
export function setSessionCookie(platform: Platform, reply: FastifyReply, token: string): void {
  reply.setCookie(sessionCookie(platform.config), token, { ...cookieRules, secure: isHttps(platform.config) });
}

/** Takes the session's token back. */
export function clearSessionCookie(platform: Platform, reply: FastifyReply): void {
  reply.clearCookie(sessionCookie(platform.config), { ...cookieRules, secure: isHttps(platform.config) });
}
