import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { secondStepBody } from '#contract/own-account/schema.ts';
import { MINUTE_MS } from '#contract/time/durations.ts';
import type { Account } from '#server/accounts/accounts.queries.ts';
import { enter, type LoggedIn } from '#server/accounts/login/complete-login.ts';
import type { LoginPace } from '#server/accounts/login/login-pace.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Caller } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Context } from '#server/platform/work.ts';
import { newToken, tokenHash } from '#server/secrets/tokens.ts';
import { endSessionOf } from '#server/sessions/sessions.ts';
import { deleteSecondStep, findFactor, findSecondStep, insertSecondStep } from './second-factor.queries.ts';
import { lockTries, proveSecondFactor } from './second-factor-proof.ts';

/** The second step of a login, for people with a second factor (docs/decisions/0017-second-factor.md). */

const SECOND_STEP_LIFETIME_MS = 10 * MINUTE_MS;

/**
 * For a locked account and the right password, returns the refusal SECOND_FACTOR with the `handle` of the second step;
 * undefined without a second factor.
 */
export async function askSecondFactor(
  work: Changing<Caller>,
  account: Account,
  device: Buffer | undefined,
): Promise<AppError | undefined> {
  const { change, caller } = work;
  if ((await findFactor(change, account.id)) === undefined) return undefined;
  const handle = newToken();
  await insertSecondStep(change, {
    token_hash: tokenHash(handle),
    person_id: account.id,
    device_hash: device ?? null,
    expires_at: new Date(caller.now.getTime() + SECOND_STEP_LIFETIME_MS),
  });
  recordEvent(work, 'account.second-factor-asked', ['person', account.tag]);
  return new AppError('SECOND_FACTOR', { extra: { handle } });
}

/**
 * Finishes a login with an app's code or a recovery code. Throws SECOND_FACTOR_ENDED for a used, expired or unknown
 * handle, or after a change of password or second factor; ACCOUNT_DEACTIVATED; and what {@link proveSecondFactor}
 * returns.
 */
export async function finishLogin(
  context: Context<Caller>,
  pace: LoginPace,
  request: FastifyRequest,
  { handle, code }: z.output<typeof secondStepBody>,
): Promise<LoggedIn> {
  const { platform, caller } = context;
  const step = tokenHash(handle);
  const outcome = await platform.db.inTransaction(async (change) => {
    const found = await findSecondStep(change, step, caller.now);
    if (found === undefined) return new AppError('SECOND_FACTOR_ENDED');
    const tries = await lockTries(platform, change, found.person_id, caller.now);
    if (tries instanceof AppError) return tries;
    // Read again under the lock: the handle may have been used, or the password or factor changed.
    const asked = await findSecondStep(change, step, caller.now);
    if (asked === undefined) return new AppError('SECOND_FACTOR_ENDED');
    const { account } = tries;
    if (account.status === 'Deactivated') return new AppError('ACCOUNT_DEACTIVATED');
    const proof = await proveSecondFactor({ ...context, change }, tries, code);
    if (proof instanceof AppError) return proof;
    await deleteSecondStep(change, step);
    return enter(change, account, { caller, request, device: asked.device_hash ?? undefined, secondFactor: proof });
  });
  if (outcome instanceof AppError) {
    if (outcome.code === 'SECOND_FACTOR_WRONG') await pace.noteFailure(caller.ip);
    throw outcome;
  }
  await endSessionOf(platform, request);
  return outcome;
}
