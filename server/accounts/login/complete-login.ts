import type { FastifyRequest } from 'fastify';
import { type Account, noteLogin } from '#server/accounts/accounts.queries.ts';
import type { Caller } from '#server/calls/caller.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Change } from '#server/db/transaction.ts';
import { openSession } from '#server/sessions/sessions.ts';
import { rememberDevice } from './known-devices.ts';

export interface LoggedIn {
  readonly account: Account;
  /** The token for the session's cookie. */
  readonly sessionToken: string;
  /** The token for the device's cookie. */
  readonly deviceToken: string;
}

interface LoginContext {
  readonly caller: Caller;
  readonly request: FastifyRequest;
  /** The device's previous token. */
  readonly device: Buffer | undefined;
  /** What proved their identity besides the password, if anything. */
  readonly secondFactor?: string;
}

/** Logs in a person whose row is locked and whose identity is proven: creates a new session and a new device token. */
export async function enter(
  change: Change,
  account: Account,
  { caller, request, device, secondFactor }: LoginContext,
): Promise<LoggedIn> {
  const { now } = caller;
  await noteLogin(change, account.id, now);
  const deviceToken = await rememberDevice(change, device, account.id, now);
  const proven = secondFactor !== undefined;
  const sessionToken = await openSession(change, account.id, request, { now, secondFactor: proven });
  recordEvent({ change, caller }, 'account.logged-in', ['person', account.tag], {
    ...(proven ? { after: { secondFactor } } : {}),
  });
  return { account, sessionToken, deviceToken };
}
