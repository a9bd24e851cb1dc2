import { newPassword } from '#contract/accounts/schema.ts';
import { setPassword } from '#server/accounts/accounts.queries.ts';
import { afterProof } from '#server/accounts/codes/code-budget.ts';
import { closeAttempts, deleteGrants, lockBudget, saveBudget } from '#server/accounts/codes/codes.queries.ts';
import { clearThrottle, throttleKey } from '#server/accounts/login/login-throttle.ts';
import { deleteSecondSteps } from '#server/accounts/second-factor/second-factor.queries.ts';
import { fieldError } from '#server/calls/app-error.ts';
import { asSystem } from '#server/db/row-scope.ts';
import type { Change } from '#server/db/transaction.ts';
import type { Platform } from '#server/platform/platform.ts';
import { endSessions } from '#server/sessions/sessions.ts';
import { refuseGuessable } from './password-policy.ts';

/** Replaces a password, set by its owner or an operator, under the same rules. */

/** Returns the hash of a new password. Throws BAD_REQUEST for its length, PASSWORD_COMMON, PASSWORD_IS_USERNAME. */
export async function hashNewPassword(platform: Platform, username: string, password: string): Promise<string> {
  const parsed = newPassword('Password must be at least 8 characters').safeParse(password);
  if (!parsed.success) throw fieldError('BAD_REQUEST', 'password', parsed.error.issues[0]?.message);
  await refuseGuessable('password', parsed.data, username);
  return platform.passwords.hash(parsed.data);
}

/**
 * Ends a username's sign-ups and resets, and clears its wrong tries, so that only later steps of the transaction count.
 * Called before the person's row is locked, as in sign-up and reset.
 */
export async function forgetAttempts(platform: Platform, change: Change, username: string, now: Date): Promise<void> {
  await asSystem('codes', async () => {
    const budget = await lockBudget(change, username, now);
    await clearThrottle(change, throttleKey(platform.sealer, username));
    await closeAttempts(change, username, ['sign-up', 'reset'], now);
    await saveBudget(change, afterProof(budget));
  });
}

/**
 * Replaces the person's password, and ends every session (except one that may be kept), every login at its second step
 * and every open reset. Returns undefined if they are deactivated. The password changes before the sessions end, so
 * that a login that waits for this row compares with the new password.
 */
export async function replacePassword(change: Change, personId: number, passwordHash: string, keptSession?: Buffer) {
  const person = await setPassword(change, personId, passwordHash);
  await endSessions(change, personId, keptSession);
  await deleteSecondSteps(change, personId);
  await deleteGrants(change, personId);
  return person;
}
