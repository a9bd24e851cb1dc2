import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_ROOT } from '#contract/endpoint.ts';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import type { Connection } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';
import { FairSemaphore } from '#server/machine/fair-semaphore.ts';
import { networkOf } from '#server/machine/network.ts';
import type { Platform } from '#server/platform/platform.ts';
import { newToken, tokenHash } from '#server/secrets/tokens.ts';
import { isHttps } from '#server/sessions/sessions.ts';

/**
 * Devices from which a person has logged in. A right password works there even while other people's wrong ones block
 * the username or the address. Each such device has ten tries of its own, then counts as unknown. Its cookie grants no
 * access, and changes at each login.
 */

const DEVICE_COOKIE = 'kasente_device';
const DEVICE_LIFETIME_SECONDS = 180 * DAY_SECONDS;
export const DEVICE_LIFETIME_MS = DEVICE_LIFETIME_SECONDS * 1000;
const DEVICES_KEPT = 10;
const TRIES_A_DEVICE = 10;

/** The name has a prefix on https. The session's prefix `__Host-` would not allow a path. */
function deviceCookie({ config }: Platform): string {
  return isHttps(config) ? `__Secure-${DEVICE_COOKIE}` : DEVICE_COOKIE;
}

/** The hash of the request's device token. */
export function deviceOf(platform: Platform, request: FastifyRequest): Buffer | undefined {
  const token = request.cookies[deviceCookie(platform)];
  return token === undefined ? undefined : tokenHash(token);
}

/** Sets the device's cookie, which is sent only with the login call. */
export function setDeviceCookie(platform: Platform, reply: FastifyReply, token: string): void {
  reply.setCookie(deviceCookie(platform), token, {
    path: `${API_ROOT}/users/login`,
    httpOnly: true,
    sameSite: 'strict',
    secure: isHttps(platform.config),
    maxAge: DEVICE_LIFETIME_SECONDS,
  });
}

/** Looked up before a login waits for its turn. Takes half a millisecond, and made-up cookies wait for each other. */
const lookups = new FairSemaphore({ atOnce: 4, atOnceEach: 2, waiting: 500 });

interface Visit {
  readonly device: Buffer | undefined;
  readonly username: string;
  readonly address: string;
}

/**
 * Whether a person with that username has logged in from the device. Runs the same statement for an unknown username.
 */
export async function isKnownDevice(connection: Connection, { device, username, address }: Visit): Promise<boolean> {
  if (device === undefined) return false;
  const known = await lookups.run(networkOf(address), () =>
    connection
      .selectFrom('devices')
      .innerJoin('persons', 'persons.id', 'devices.person_id')
      .where('devices.token_hash', '=', device)
      .where('persons.username', '=', username)
      .select('persons.id')
      .executeTakeFirst(),
  );
  return known !== undefined;
}

/**
 * Uses one of a device's own tries, before the password is compared. Returns false if none is left. A login resets
 * them.
 */
export async function takeDeviceTry(
  change: Change,
  device: Buffer | undefined,
  personId: number | undefined,
): Promise<boolean> {
  if (device === undefined || personId === undefined) return false;
  const counted = await change
    .updateTable('devices')
    .set((row) => ({ wrong_tries: row('wrong_tries', '+', 1) }))
    .where('token_hash', '=', device)
    .where('person_id', '=', personId)
    .returning('wrong_tries')
    .executeTakeFirst();
  if (counted === undefined) return false;
  if (counted.wrong_tries >= TRIES_A_DEVICE) {
    await change.deleteFrom('devices').where('token_hash', '=', device).where('person_id', '=', personId).execute();
  }
  return true;
}

/**
 * Records a login from a device, and returns its new token, which also replaces that of the device's other users. Keeps
 * a person's ten most recent devices.
 */
export async function rememberDevice(
  change: Change,
  device: Buffer | undefined,
  personId: number,
  now: Date,
): Promise<string> {
  const token = newToken();
  const row = { token_hash: tokenHash(token), last_login_at: now, wrong_tries: 0 };
  if (device !== undefined) {
    await change.updateTable('devices').set({ token_hash: row.token_hash }).where('token_hash', '=', device).execute();
  }
  await change
    .insertInto('devices')
    .values({ ...row, person_id: personId })
    .onConflict((conflict) =>
      conflict.columns(['token_hash', 'person_id']).doUpdateSet({ last_login_at: now, wrong_tries: 0 }),
    )
    .execute();
  const kept = change
    .selectFrom('devices')
    .where('person_id', '=', personId)
    .orderBy('last_login_at', 'desc')
    .orderBy('token_hash')
    .limit(DEVICES_KEPT)
    .select('token_hash');
  await change.deleteFrom('devices').where('person_id', '=', personId).where('token_hash', 'not in', kept).execute();
  return token;
}
