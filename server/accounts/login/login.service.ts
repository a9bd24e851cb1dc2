import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { loginForm } from '#contract/accounts/schema.ts';
import { readUsername } from '#contract/accounts/username.ts';
import {
  type Account,
  deleteSession,
  findPasswordHash,
  lockAccount,
  setPassword,
} from '#server/accounts/accounts.queries.ts';
import { secondsToResend } from '#server/accounts/codes/code-budget.ts';
import { findOpenSignUp, lockBudget } from '#server/accounts/codes/codes.queries.ts';
import { addHandle, openUnsentAttempt } from '#server/accounts/codes/codes.ts';
import { doInConstantTime } from '#server/accounts/passwords/constant-time.ts';
import { timingEqualizer } from '#server/accounts/passwords/timing-equalizer.ts';
import { askSecondFactor } from '#server/accounts/second-factor/second-step.service.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Caller } from '#server/calls/caller.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Change } from '#server/db/transaction.ts';
import { networkOf } from '#server/machine/network.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context } from '#server/platform/work.ts';
import { endSessionOf, findSession } from '#server/sessions/sessions.ts';
import { enter, type LoggedIn } from './complete-login.ts';
import { deviceOf, isKnownDevice, takeDeviceTry } from './known-devices.ts';
import type { LoginPace } from './login-pace.ts';
import { clearThrottle, findThrottle, inTurn, refuseThrottled, takeTry, throttleKey } from './login-throttle.ts';

/** Who logs in, and with which request. The signal ends the wait for its turns. */
interface LoginCall {
  readonly caller: Caller;
  readonly request: FastifyRequest;
  readonly signal: AbortSignal;
}

/** One try to log in. */
interface Try extends LoginCall {
  readonly username: string;
  readonly password: string;
  readonly key: Buffer;
  readonly device: Buffer | undefined;
  /** Whether the device had a session of this user. If so, neither the throttle nor other people's tries block it. */
  readonly known: boolean;
}

interface Person {
  readonly id: number;
  readonly tag: string;
  readonly password_hash: string;
}

/**
 * Logs in, with a new session and a new device token each time. Throws LOGIN_FAILED for a wrong password and for an
 * unknown username, indistinguishably; LOGIN_THROTTLED, TOO_MANY_REQUESTS, UNAVAILABLE; with the right password
 * PIN_PENDING with `userTag`, `mode`, `resendAfterSeconds` and `worksSeconds`, SECOND_FACTOR with `handle`,
 * ACCOUNT_DEACTIVATED.
 */
export async function logIn(
  platform: Platform,
  pace: LoginPace,
  call: LoginCall,
  body: z.output<typeof loginForm>,
): Promise<LoggedIn> {
  const { caller, request } = call;
  const due = timingEqualizer(platform);
  const username = readUsername(body.username)?.value ?? '';
  const device = deviceOf(platform, request);
  const outcome = await tryInTurn(platform, pace, {
    ...call,
    username,
    password: body.password,
    key: throttleKey(platform.sealer, body.username),
    device,
    known: await isKnownDevice(platform.db, { device, username, address: caller.ip }),
  });
  if (outcome instanceof AppError) {
    if (outcome.code === 'LOGIN_FAILED') await due();
    throw outcome;
  }
  if ('pending' in outcome) throw await pinPending(platform, outcome.pending, caller.now);
  await endSessionOf(platform, request);
  return outcome;
}

/** Runs the try in its turn. A known device has its own queue; unknown ones share the queue of the address. */
async function tryInTurn(platform: Platform, pace: LoginPace, attempt: Try): Promise<Outcome> {
  const { caller, key, device, known, signal } = attempt;
  const { inLine } = platform.passwords;
  const owner = `device:${device?.toString('hex')}`;
  if (known) return inLine({ queue: 'known', key: owner, signal }, () => judgeTry(platform, pace, attempt));
  const place = { queue: 'strangers', key: networkOf(caller.ip), signal } as const;
  const outcome = await inLine(place, async () => {
    refuseThrottled(await findThrottle(platform.db, key), caller.now);
    return (await pace.holds(caller.ip)) ? undefined : judgeTry(platform, pace, attempt);
  });
  if (outcome !== undefined) return outcome;
  await pace.waitForTurn(caller.ip, signal);
  const later = { ...attempt, caller: { ...caller, now: platform.clock.now() } };
  return inLine(place, () => judgeTry(platform, pace, later));
}

type Outcome = LoggedIn | { readonly pending: Account } | AppError;

async function judgeTry(platform: Platform, pace: LoginPace, attempt: Try): Promise<Outcome> {
  const person = await findPasswordHash(platform.db, attempt.username);
  return inTurn(attempt.key, () => judgePassword(platform, pace, attempt, person));
}

async function judgePassword(
  platform: Platform,
  pace: LoginPace,
  attempt: Try,
  person: Person | undefined,
): Promise<Outcome> {
  const refusal = await platform.db.inTransaction((change) => takeLoginTry(change, attempt, person));
  if (refusal !== undefined) return refusal;
  const outcome = await admitIfRight(platform, attempt, person);
  if (outcome === 'wrong') {
    await recordFailure({ platform, caller: attempt.caller }, person);
    await pace.noteFailure(attempt.caller.ip);
    return new AppError('LOGIN_FAILED');
  }
  if (outcome !== 'changed') return outcome;
  // Another login may have renewed the hash. If so, the password is still right.
  const current = await findPasswordHash(platform.db, attempt.username);
  const again = await admitIfRight(platform, attempt, current);
  return typeof again === 'string' ? new AppError('LOGIN_FAILED') : again;
}

/**
 * Compares the password with the hash, and admits the person if it is right. `changed` means that the hash was replaced
 * in the meantime.
 */
async function admitIfRight(
  platform: Platform,
  attempt: Try,
  person: Person | undefined,
): Promise<Outcome | 'wrong' | 'changed'> {
  const match = await platform.passwords.compare(person?.password_hash, attempt.password);
  if (person === undefined || match === 'wrong') return 'wrong';
  const renewedHash = match === 'outdated' ? await platform.passwords.hash(attempt.password) : undefined;
  return platform.db.inTransaction((change) => admit(change, attempt, { ...person, renewedHash }));
}

/**
 * Uses a try of the username, or of the known device if those are used up. Returns the refusal if there is none. Called
 * before the password is compared, so of many concurrent guesses only ten are compared.
 */
async function takeLoginTry(
  change: Change,
  { caller, key, device, known }: Try,
  person: Person | undefined,
): Promise<AppError | undefined> {
  const refusal = await takeTry(change, key, caller.now);
  if (refusal === undefined) return undefined;
  return known && (await takeDeviceTry(change, device, person?.id)) ? undefined : refusal;
}

/** Records a wrong password, or does the same work for an unknown username. */
async function recordFailure({ platform: { db }, caller }: Context<Caller>, person: Person | undefined): Promise<void> {
  await db.inTransaction((change) =>
    doInConstantTime(change, person !== undefined, async () =>
      recordEvent({ change, caller }, 'account.login-failed', ['person', person?.tag ?? randomUUID()]),
    ),
  );
}

/**
 * Completes a login with the right password. The password was compared outside the transaction, so the hash is checked
 * again.
 */
async function admit(
  change: Change,
  { caller, request, key, device }: Try,
  person: Person & { readonly renewedHash: string | undefined },
): Promise<Outcome | 'changed'> {
  // Same lock order as in a reset: the throttle's row before the person's.
  await clearThrottle(change, key);
  const account = await lockAccount(change, person.id);
  if (account.password_hash !== person.password_hash) return 'changed';
  if (account.status === 'Deactivated') return new AppError('ACCOUNT_DEACTIVATED');
  if (account.status === 'Pending') return { pending: account };
  if (person.renewedHash !== undefined) await setPassword(change, account.id, person.renewedHash);
  return (
    (await askSecondFactor({ change, caller }, account, device)) ?? enter(change, account, { caller, request, device })
  );
}

/** Sends a Pending person back to the PIN step with another handle. Sends no message; earlier handles stay valid. */
async function pinPending(platform: Platform, account: Account, now: Date): Promise<AppError> {
  const { userTag, ...seconds } = await platform.db.inTransaction(async (change) => {
    const budget = await lockBudget(change, account.username, now);
    const current = await lockAccount(change, account.id);
    if (current.status !== 'Pending' || current.password_hash !== account.password_hash)
      throw new AppError('LOGIN_FAILED');
    const open = await findOpenSignUp(change, account.id);
    const attempt = open?.id ?? (await openUnsentAttempt(platform, change, account, now));
    const worksMs = (open?.worksUntil ?? now).getTime() - now.getTime();
    return {
      userTag: await addHandle(change, attempt, 'sign-up', now),
      resendAfterSeconds: secondsToResend(budget, 'sign-up', now),
      worksSeconds: Math.max(0, Math.floor(worksMs / 1000)),
    };
  });
  const mode = readUsername(account.username)?.kind === 'email' ? 'email' : 'other';
  return new AppError('PIN_PENDING', { extra: { userTag, mode, ...seconds } });
}

/** Ends the request's session; succeeds without one. */
export async function logOut({ platform, caller }: Context<Caller>, request: FastifyRequest): Promise<void> {
  const person = await findSession(platform, request);
  if (person === undefined) return endSessionOf(platform, request);
  await platform.db.inTransaction(async (change) => {
    await deleteSession(change, person.sessionHash);
    recordEvent({ change, caller: { ...caller, person } }, 'account.logged-out', ['person', person.tag]);
  });
}
