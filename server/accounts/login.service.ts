import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { loginForm } from '#contract/accounts/schema.ts';
import { readUsername } from '#contract/accounts/username.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type Change, recordEvent } from '#server/platform/change.ts';
import type { Caller } from '#server/platform/http.ts';
import type { Platform } from '#server/platform/platform.ts';
import { endSessionOf, findSession } from '#server/platform/sessions.ts';
import { type Account, deleteSession, findPasswordHash, lockAccount } from './accounts.queries.ts';
import type { AddressLimits } from './address-limits.ts';
import { findOpenSignUp, lockBudget } from './codes.queries.ts';
import { addHandle, openUnsentAttempt } from './codes.ts';
import { enter, type LoggedIn } from './entrance.ts';
import { answerDue } from './even-answers.ts';
import { deviceOf, isKnownDevice, takeDeviceTry } from './known-devices.ts';
import { clearThrottle, findThrottle, inTurn, refuseThrottled, takeTry, throttleKey } from './login-throttle.ts';
import { doOrPretend } from './pretence.ts';
import { askSecondFactor } from './second-step.service.ts';

/** One try to log in, as its parts look at it. */
interface Try {
  readonly caller: Caller;
  readonly request: FastifyRequest;
  readonly key: Buffer;
  readonly device: Buffer | undefined;
  /** The device had a session of this user, so that the throttle does not hold it back. */
  readonly known: boolean;
  readonly person: { readonly id: number; readonly tag: string; readonly password_hash: string } | undefined;
}

/**
 * Logs in (specification, section 7): a new session and a new device token each time. Throws LOGIN_FAILED alike for a
 * wrong password and an unknown username, LOGIN_THROTTLED, TOO_MANY_REQUESTS; with the right password PIN_PENDING
 * with `userTag` and `mode`, SECOND_FACTOR with `handle`, ACCOUNT_DEACTIVATED.
 */
export async function logIn(
  platform: Platform,
  limits: AddressLimits,
  caller: Caller,
  request: FastifyRequest,
  body: z.output<typeof loginForm>,
): Promise<LoggedIn> {
  const due = answerDue(platform);
  const username = readUsername(body.username)?.value ?? '';
  const key = throttleKey(platform.sealer, body.username);
  const device = deviceOf(platform, request);
  const known = await isKnownDevice(platform.db, device, username);
  if (!known) {
    await limits.refuseSpent('login-failure', caller.ip);
    refuseThrottled(await findThrottle(platform.db, key), caller.now);
  }
  const person = await findPasswordHash(platform.db, username);
  const attempt: Try = { caller, request, key, device, known, person };
  const outcome = await inTurn(key, () => judgePassword(platform, limits, attempt, body.password));
  if (outcome instanceof AppError) {
    if (outcome.code === 'LOGIN_FAILED') await due();
    throw outcome;
  }
  if ('pending' in outcome) throw await pinPending(platform, outcome.pending, caller.now);
  await endSessionOf(platform, request);
  return outcome;
}

type Outcome = LoggedIn | { readonly pending: Account } | AppError;

async function judgePassword(
  platform: Platform,
  limits: AddressLimits,
  attempt: Try,
  password: string,
): Promise<Outcome> {
  const { caller, person } = attempt;
  const refusal = await platform.db.transaction().execute((change) => takeLoginTry(change, attempt));
  if (refusal !== undefined) return refusal;
  const matches = await platform.passwords.matches(person?.password_hash, password);
  if (person !== undefined && matches) {
    return platform.db.transaction().execute((change) => admit(change, attempt, person));
  }
  await recordFailure(platform, attempt);
  await limits.spend('login-failure', caller.ip);
  return new AppError('LOGIN_FAILED');
}

/**
 * Takes a try of the username's, or where those are spent one of the known device's; answers the refusal where there is
 * none. It is taken before the password is looked at: of many guesses at once ten are compared, not all of them.
 */
async function takeLoginTry(
  change: Change,
  { caller, key, device, known, person }: Try,
): Promise<AppError | undefined> {
  const refusal = await takeTry(change, key, caller.now);
  if (refusal === undefined) return undefined;
  return known && (await takeDeviceTry(change, device, person?.id)) ? undefined : refusal;
}

/** Puts a wrong password on record, or does as if where nobody has the username. */
async function recordFailure({ db }: Platform, { caller, person }: Try): Promise<void> {
  await db.transaction().execute((change) =>
    doOrPretend(change, person !== undefined, () =>
      recordEvent(change, caller, {
        action: 'account.login-failed',
        subjectType: 'person',
        subjectTag: person?.tag ?? randomUUID(),
      }),
    ),
  );
}

/** What becomes of a right password. It was compared outside the transaction, so what it was compared with is looked at again. */
async function admit(
  change: Change,
  { caller, request, key, device }: Try,
  person: { readonly id: number; readonly password_hash: string },
): Promise<Outcome> {
  // The order of a reset: the throttle's row before the person's.
  await clearThrottle(change, key);
  const account = await lockAccount(change, person.id);
  if (account.password_hash !== person.password_hash) return new AppError('LOGIN_FAILED');
  if (account.status === 'Deactivated') return new AppError('ACCOUNT_DEACTIVATED');
  if (account.status === 'Pending') return { pending: account };
  return (
    (await askSecondFactor(change, caller, account, device)) ?? enter(change, account, { caller, request, device })
  );
}

/** Takes a person back to the PIN step: one more handle to their sign-up; nothing is sent, earlier ones stay valid. */
async function pinPending(platform: Platform, account: Account, now: Date): Promise<AppError> {
  const userTag = await platform.db.transaction().execute(async (change) => {
    await lockBudget(change, account.username, now);
    const current = await lockAccount(change, account.id);
    if (current.status !== 'Pending' || current.password_hash !== account.password_hash)
      throw new AppError('LOGIN_FAILED');
    const open = await findOpenSignUp(change, account.id);
    return addHandle(change, open ?? (await openUnsentAttempt(platform, change, account, now)), 'sign-up', now);
  });
  const mode = readUsername(account.username)?.kind === 'email' ? 'email' : 'other';
  return new AppError('PIN_PENDING', { extra: { userTag, mode } });
}

/** Ends the session that a request carries; succeeds without one. */
export async function logOut(platform: Platform, caller: Caller, request: FastifyRequest): Promise<void> {
  const person = await findSession(platform, request);
  if (person === undefined) return endSessionOf(platform, request);
  await platform.db.transaction().execute(async (change) => {
    await deleteSession(change, person.sessionHash);
    await recordEvent(
      change,
      { ...caller, person },
      { action: 'account.logged-out', subjectType: 'person', subjectTag: person.tag },
    );
  });
}
