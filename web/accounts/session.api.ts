import type { z } from 'zod';
import { accountEndpoints } from '#contract/accounts/endpoints.ts';
import type { LoginReply, loginForm } from '#contract/accounts/schema.ts';
import { callApi } from '#web/platform/api/api.ts';
import { currentUser, forgetSession, keepSession } from '#web/platform/session/session.ts';

/**
 * The calls that begin, renew and end a session (docs/specification-coverage.md, 7). No hooks: the first script has no
 * query client.
 */

let heardAt: number | undefined;

/** When the server last said who is signed in, in milliseconds since 1970; undefined before. */
export function sessionHeardAt(): number | undefined {
  return heardAt;
}

/** Logs in and keeps the answer on this device. */
export async function logIn(body: z.input<typeof loginForm>): Promise<LoginReply> {
  const reply = await callApi(accountEndpoints.login, body);
  keepSession(reply);
  heardAt = Date.now();
  return reply;
}

/** A logout is 1 kB. On a dead connection nobody waits longer than this. */
const LOGOUT_TIMEOUT_MS = 10_000;

/** Forgets the session on this device at once, then ends it on the server. */
export async function logOut(): Promise<void> {
  forgetSession();
  await callApi(accountEndpoints.logout, {}, { timeoutMs: LOGOUT_TIMEOUT_MS });
}

/** Asks the server who is signed in and keeps the reply. In the background it does not extend the session. */
export async function refreshSession(options: { readonly background: boolean }): Promise<LoginReply> {
  const asked = currentUser()?.tag;
  const reply = await callApi(accountEndpoints.session, undefined, options);
  // A reply that arrives after a logout, or after another person's login, must not restore the session.
  if (asked !== undefined && currentUser()?.tag === asked) keepSession(reply);
  return reply;
}
