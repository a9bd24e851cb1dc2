import type { z } from 'zod';
import type { changePasswordForm } from '#contract/own-account/schema.ts';
import { findPasswordHash, lockAccount } from '#server/accounts/accounts.queries.ts';
import { clearThrottle, takeTry } from '#server/accounts/login/login-throttle.ts';
import { passwordChangedMessage } from '#server/accounts/own-account.messages.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import { recordEvent } from '#server/changes/change.ts';
import { together } from '#server/db/together.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import type { Context } from '#server/platform/work.ts';
import { renewSession } from '#server/sessions/sessions.ts';
import { forgetAttempts, replacePassword } from './credentials.service.ts';
import { refuseGuessable } from './password-policy.ts';

/**
 * Makes a signed-in person prove their password again, before any action that a stolen session alone must not allow.
 * Wrong ones are counted by person, separately from logins, so that somebody else's guesses at the login don't block
 * it. Returns the compared hash, to be checked again under the person's lock. Throws WRONG_PASSWORD and
 * LOGIN_THROTTLED.
 */
export async function provePassword({ platform, caller }: Context, password: string): Promise<string> {
  const { person, now } = caller;
  const key = platform.sealer.digest(`own-password:${person.id}`);
  // The try comes last, because its write is sent with the COMMIT, in whatever order the replies come in.
  const [account, refusal] = await platform.db.inTransaction((change) =>
    together(findPasswordHash(change, person.username), takeTry(change, key, now)),
  );
  if (refusal !== undefined) throw refusal;
  const match = await platform.passwords.compare(account?.password_hash, password);
  if (account === undefined || match === 'wrong') {
    await platform.db.inTransaction(async (change) =>
      recordEvent({ change, caller }, 'account.own-password-failed', ['person', person.tag]),
    );
    throw wrongPassword();
  }
  await clearThrottle(platform.db, key);
  return account.password_hash;
}

/** The failure for a password that isn't, or is no longer, the person's. */
export function wrongPassword(): AppError {
  return fieldError('WRONG_PASSWORD', 'password');
}

/**
 * Changes the caller's password, ends their other sessions, resets and logins at the second step, and notifies them.
 * Returns a new token for this session, so that a thief of the old one is logged out. Throws the errors of {@link
 * provePassword}, PASSWORD_COMMON and PASSWORD_IS_USERNAME.
 */
export async function changePassword(
  context: Context,
  { password, newPassword }: z.output<typeof changePasswordForm>,
): Promise<string> {
  const { platform, caller } = context;
  const { person, now } = caller;
  const provenHash = await provePassword(context, password);
  await refuseGuessable('newPassword', newPassword, person.username);
  const passwordHash = await platform.passwords.hash(newPassword);
  return platform.db.inTransaction(async (change) => {
    await forgetAttempts(platform, change, person.username, now);
    const account = await lockAccount(change, person.id);
    if (account.password_hash !== provenHash) throw wrongPassword();
    const changed = await replacePassword(change, person.id, passwordHash, person.sessionHash);
    if (changed === undefined) throw new AppError('NOT_SIGNED_IN');
    await queueMessage(platform, change, passwordChangedMessage(platform.config, person.username));
    recordEvent({ change, caller }, 'account.password-changed', ['person', person.tag]);
    return renewSession(change, person.sessionHash);
  });
}
