import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { may, type PermissionCode, permissionCodes } from '#contract/permissions.ts';
import type { Config } from '#server/platform/config.ts';
import type { Platform } from '#server/platform/platform.ts';
import { ACTIVITY_GRAIN_MS, liveSince, needsSecondFactor, sessionCookie } from '#server/platform/sessions.ts';
import { nameOf } from '#server/platform/statement-names.ts';
import { tokenHash } from '#server/platform/tokens.ts';

/**
 * The session as a part of a hot path's one statement (docs/decisions/0027-hot-paths.md): the same that `findSession` finds
 * and `Routes` admits, or no row. It takes the first values of the statement, whose own begin with `$7`.
 */

/** What a person holds as one number, a bit each: their permissions in the contract's order, then the second factor. */
const HELD = [
  ...permissionCodes.map((code, bit) => `(person.permissions @> array['${code}'])::integer << ${bit}`),
  `held.second_factor::integer << ${permissionCodes.length}`,
]
  .map((bit) => `(${bit})`)
  .join(' | ');

/**
 * `session` is the caller's, with their business. `extended` waits for nobody: whoever has the session's row in hand extends or
 * ends it themselves.
 */
const SESSION = `session as (
    select held.token_hash, held.last_active_at, person.id as person_id, person.tag as person_tag, person.permissions,
      business.id as business_id, business.tag as business_tag
    from sessions as held
      join persons as person on person.id = held.person_id
      left join businesses as business on business.id = person.business_id
    where held.token_hash = $1 and held.last_active_at > $2 and held.created_at > $3
      and person.status in ('Verified', 'Active') and (${HELD}) = any($6::integer[])),
  extended as (
    update sessions set last_active_at = $4 where token_hash = (
      select held.token_hash from session join sessions as held on held.token_hash = session.token_hash
      where session.last_active_at <= $5 and held.last_active_at <= $5 for no key update of held skip locked))`;

/** A statement with a name, under which PostgreSQL plans it once for a connection. */
export interface HotStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * A statement that finds the session itself. `rest` is what follows in its WITH and the query after that; it has a relation
 * `session` (person_id, person_tag, permissions, business_id, business_tag) of one row, or none where the caller is not let in.
 */
export function hotStatement(rest: string): HotStatement {
  const text = `with ${SESSION},\n  ${rest}`;
  return { name: nameOf(text), text };
}

/** The permissions, with or without a second factor, that an endpoint lets in, as numbers like {@link HELD}. */
export function admitted(config: Config, { needs, beforeSecondFactor }: Endpoint): number[] {
  const every = Array.from({ length: 2 ** (permissionCodes.length + 1) }, (_, held) => held);
  return every.filter((held) => {
    const perms: PermissionCode[] = permissionCodes.filter((_, bit) => (held >> bit) % 2 === 1);
    const secondFactor = held >> permissionCodes.length === 1;
    if (needs === 'public' || needs === 'session') throw new Error('a hot route needs a permission');
    const isOpen = beforeSecondFactor === true || !needsSecondFactor(config, { perms, secondFactor });
    return isOpen && may({ tag: '', perms }, needs);
  });
}

/** The values that {@link SESSION} takes; undefined where the request brings no session's token. */
export function sessionValues(
  platform: Platform,
  request: FastifyRequest,
  now: Date,
  letIn: readonly number[],
): unknown[] | undefined {
  const token = request.cookies[sessionCookie(platform.config)];
  if (token === undefined) return undefined;
  const since = liveSince(platform, now);
  const inBackground = request.headers['x-background'] === '1';
  return [
    tokenHash(token),
    since.active.toISOString(),
    since.opened.toISOString(),
    now.toISOString(),
    inBackground ? null : new Date(now.getTime() - ACTIVITY_GRAIN_MS).toISOString(),
    `{${letIn.join()}}`,
  ];
}
