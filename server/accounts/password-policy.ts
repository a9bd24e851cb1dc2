import { dictionary } from '@zxcvbn-ts/language-common';
import { PASSWORD_MINIMUM } from '#contract/accounts/password.ts';
import { readUsername } from '#contract/accounts/username.ts';
import { fieldError } from '#server/platform/app-error.ts';

/** About 18,000 passwords of 8 characters or more that leaks are full of, without case. */
const mostCommon: ReadonlySet<string> = new Set(
  dictionary['passwords-common']
    .filter((password) => password.length >= PASSWORD_MINIMUM)
    .map((password) => password.toLowerCase()),
);

/**
 * Refuses a new password that anybody would try first: the username, in any way of writing it (PASSWORD_IS_USERNAME),
 * and the most common ones (PASSWORD_COMMON). Its length and everything else is the contract's (decisions, 'Accounts').
 */
export function refuseGuessable(field: 'password' | 'newPassword', password: string, username: string): void {
  if (readUsername(password)?.value === username) throw fieldError('PASSWORD_IS_USERNAME', field);
  if (mostCommon.has(password.toLowerCase())) throw fieldError('PASSWORD_COMMON', field);
}
