import type { z } from 'zod';
import type { changePasswordForm } from '#contract/own-account/schema.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import { AppError, fieldError } from '#server/platform/app-error.ts';
import { recordEvent } from '#server/platform/change.ts';
import type { SignedInCaller } from '#server/platform/http.ts';
import type { Platform } from '#server/platform/platform.ts';
import { findPasswordHash, lockAccount } from './accounts.queries.ts';
import { forgetAttempts, replacePassword } from './credentials.service.ts';
import {
  afterFailure,
  clearThrottle,
  findThrottle,
  lockOrAddThrottle,
  refuseThrottled,
  saveThrottle,
  throttled,
} from './login-throttle.ts';
import { passwordChangedMessage } from './own-account.messages.ts';
import { refuseGuessable } from './password-policy.ts';

/**
 * Has a signed-in person prove their password again, before what a stolen session alone must not do. Wrong ones are
 * counted by person, with the delays of logins but apart from theirs: strangers who guess hold nobody back here.
 * Answers the hash that it was compared with, to be looked at again under the person's lock. Throws WRONG_PASSWORD and
 * LOGIN_THROTTLED.
 */
export async function provePassword(platform: Platform, caller: SignedInCaller, password: string): Promise<string> {
  const { person, now } = caller;
  const key = platform.sealer.digest(`own-password:${person.id}`);
  refuseThrottled(await findThrottle(platform.db, key), now);
  const account = await findPasswordHash(platform.db, person.username);
  const matches = await platform.passwords.matches(account?.password_hash, password);
  const outcome = await platform.db.transaction().execute(async (change) => {
    const throttle = await lockOrAddThrottle(change, key, now);
    const refusal = throttled(throttle, now);
    if (refusal !== undefined) return refusal;
    if (account !== undefined && matches) {
      await clearThrottle(change, key);
      return account.password_hash;
    }
    await saveThrottle(change, key, afterFailure(throttle, now));
    await recordEvent(change, caller, {
      action: 'account.own-password-failed',
      subjectType: 'person',
      subjectTag: person.tag,
    });
    return wrongPassword();
  });
  // Thrown only here: inside the transaction it would undo the count.
  if (outcome instanceof AppError) throw outcome;
  return outcome;
}

/** The answer to a password that is not, or no longer, the person's. */
export function wrongPassword(): AppError {
  return fieldError('WRONG_PASSWORD', 'password');
}

/**
 * Changes the caller's password, ends their other sessions, resets and waiting logins, and tells them. Throws what
 * {@link provePassword} throws, PASSWORD_COMMON and PASSWORD_IS_USERNAME.
 */
export async function changePassword(
  platform: Platform,
  caller: SignedInCaller,
  { password, newPassword }: z.output<typeof changePasswordForm>,
): Promise<void> {
  const { person, now } = caller;
  const provenHash = await provePassword(platform, caller, password);
  refuseGuessable('newPassword', newPassword, person.username);
  const passwordHash = await platform.passwords.hash(newPassword);
  await platform.db.transaction().execute(async (change) => {
    await forgetAttempts(platform, change, person.username, now);
    const account = await lockAccount(change, person.id);
    if (account.password_hash !== provenHash) throw wrongPassword();
    const changed = await replacePassword(change, person.id, passwordHash, person.sessionHash);
    if (changed === undefined) throw new AppError('NOT_SIGNED_IN');
    await queueMessage(platform, change, passwordChangedMessage(platform.config, person.username));
    await recordEvent(change, caller, {
      action: 'account.password-changed',
      subjectType: 'person',
      subjectTag: person.tag,
    });
  });
}
