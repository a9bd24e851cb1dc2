import type { z } from 'zod';
import type {
  beginSecondFactorBody,
  begunSecondFactor,
  confirmSecondFactorBody,
  SecondFactor,
} from '#contract/own-account/schema.ts';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { lockAccount } from '#server/accounts/accounts.queries.ts';
import { secondFactorResetMessage, secondFactorSetUpMessage } from '#server/accounts/own-account.messages.ts';
import { provePassword, wrongPassword } from '#server/accounts/passwords/own-password.service.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import type { Caller } from '#server/calls/caller.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Change } from '#server/db/transaction.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { endSessions, needsSecondFactor, renewSession } from '#server/sessions/sessions.ts';
import { appUri, newAppSecret, stepOfCode } from './app-codes.ts';
import { newRecoveryCodes, presentRecoveryCode, recoveryCodeDigest } from './recovery-codes.ts';
import {
  countUnusedRecoveryCodes,
  deleteEnrolment,
  deleteFactor,
  findEnrolment,
  findFactor,
  placeEnrolment,
  replaceFactor,
  setEnrolmentTries,
} from './second-factor.queries.ts';
import { lockTries, proveSecondFactor, sealSecret, unsealSecret } from './second-factor-proof.ts';

/** Setting up a second factor, and removing another person's (docs/decisions/0017-second-factor.md). */

const ENROLMENT_LIFETIME_MS = 15 * MINUTE_MS;
const WRONG_TRIES_AN_ENROLMENT = 10;

/** The state of the caller's second factor. */
export async function describeSecondFactor({ platform, caller: { person } }: Context): Promise<SecondFactor> {
  const factor = await findFactor(platform.db, person.id);
  return {
    success: true,
    needed: needsSecondFactor(platform.config, person),
    setUpAt: factor?.set_up_at.toISOString() ?? null,
    recoveryCodesLeft: await countUnusedRecoveryCodes(platform.db, person.id),
  };
}

/**
 * Starts setting up a second factor. Returns the secret for the app, which takes effect with {@link
 * confirmSecondFactor}. If there already is a second factor, it must be proven first. Throws the errors of {@link
 * provePassword} and {@link proveSecondFactor}.
 */
export async function beginSecondFactor(
  context: Context,
  { password, code }: z.output<typeof beginSecondFactorBody>,
): Promise<z.input<typeof begunSecondFactor>> {
  const { platform, caller } = context;
  const { person, now } = caller;
  const provenHash = await provePassword(context, password);
  const secret = newAppSecret();
  const outcome = await platform.db.inTransaction(async (change) => {
    const tries = await lockTries(platform, change, person.id, now);
    if (tries instanceof AppError) return tries;
    if (tries.account.password_hash !== provenHash) return wrongPassword();
    if ((await findFactor(change, person.id)) !== undefined) {
      if (code === undefined) return fieldError('SECOND_FACTOR_WRONG', 'code', 'Enter a code of the app you have now');
      const proof = await proveSecondFactor({ ...context, change }, tries, code);
      if (proof instanceof AppError) return proof;
    }
    const sealed = sealSecret(platform.sealer, person.id, secret);
    await placeEnrolment(change, person.id, sealed, new Date(now.getTime() + ENROLMENT_LIFETIME_MS));
    return undefined;
  });
  if (outcome !== undefined) throw outcome;
  return { success: true, secret, uri: appUri(secret, person.username) };
}

interface TakenIntoUse {
  readonly recoveryCodes: string[];
  /** The token for the session's cookie. It is new, because the session has more rights now. */
  readonly sessionToken: string;
}

/**
 * Activates the new factor by its first code. Returns the recovery codes, which are shown only once. Ends the person's
 * other sessions, which were opened without the factor, and gives this one a new token. Throws ENROLMENT_ENDED,
 * SECOND_FACTOR_WRONG.
 */
export async function confirmSecondFactor(
  context: Context,
  { code }: z.output<typeof confirmSecondFactorBody>,
): Promise<TakenIntoUse> {
  const { platform, caller } = context;
  const { person, now } = caller;
  const outcome = await platform.db.inTransaction(async (change) => {
    await lockAccount(change, person.id);
    const enrolment = await findEnrolment(change, person.id, now);
    if (enrolment === undefined) return new AppError('ENROLMENT_ENDED');
    const step = stepOfCode(unsealSecret(platform.sealer, person.id, enrolment.secret), code, now);
    if (step === undefined) return countWrong(change, person.id, enrolment.wrong_tries + 1);
    return takeIntoUse({ ...context, change }, { secret: enrolment.secret, set_up_at: now, last_step: step });
  });
  if (outcome instanceof AppError) throw outcome;
  return outcome;
}

/** After ten wrong codes the person must start again, which limits what a stolen session can try. */
async function countWrong(change: Change, personId: number, wrongTries: number): Promise<AppError> {
  if (wrongTries < WRONG_TRIES_AN_ENROLMENT) await setEnrolmentTries(change, personId, wrongTries);
  else await deleteEnrolment(change, personId);
  return fieldError('SECOND_FACTOR_WRONG', 'code');
}

async function takeIntoUse(work: Work, factor: Parameters<typeof replaceFactor>[2]): Promise<TakenIntoUse> {
  const { platform, change, caller } = work;
  const { person } = caller;
  const codes = newRecoveryCodes();
  const digests = codes.map((code) => recoveryCodeDigest(platform.sealer, person.id, code));
  await replaceFactor(change, person.id, factor, digests);
  await endSessions(change, person.id, person.sessionHash);
  const sessionToken = await renewSession(change, person.sessionHash, { second_factor: true });
  await queueMessage(platform, change, secondFactorSetUpMessage(person.username));
  recordEvent(work, 'account.second-factor-set-up', ['person', person.tag]);
  return { recoveryCodes: codes.map(presentRecoveryCode), sessionToken };
}

/**
 * Removes the second factor of a person whose row is locked, ends their sessions and notifies them; false if there is
 * none. The caller checks the permission.
 */
export async function takeSecondFactorAway(
  work: Work<Caller>,
  person: { readonly id: number; readonly tag: string; readonly username: string },
): Promise<boolean> {
  const { platform, change } = work;
  if (!(await deleteFactor(change, person.id))) return false;
  await endSessions(change, person.id);
  await queueMessage(platform, change, secondFactorResetMessage(person.username));
  recordEvent(work, 'person.second-factor-reset', ['person', person.tag]);
  return true;
}
