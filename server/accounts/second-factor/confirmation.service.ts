import { provePassword } from '#server/accounts/passwords/own-password.service.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { findFactor } from './second-factor.queries.ts';
import { type HeldCount, lockCount, proveSecondFactor } from './second-factor-proof.ts';

/**
 * Re-authenticates a signed-in person for one action: with a code of their second factor, which is used up, or with
 * their password if they have none. A stolen or open session alone can't move money.
 */

/** What a person proves their identity with. */
interface Proof {
  readonly code?: string | undefined;
  readonly password?: string | undefined;
}

/**
 * Checks the password of a person without a second factor, queued with other password checks. For a person with one,
 * returns the code, which the action checks last. Throws WRONG_PASSWORD and LOGIN_THROTTLED; SECOND_FACTOR_WRONG
 * without a code.
 */
export async function confirmPassword(context: Context, { code, password }: Proof): Promise<string | undefined> {
  const { platform, caller } = context;
  const { person } = caller;
  if ((await findFactor(platform.db, person.id)) === undefined) {
    if (password === undefined) throw fieldError('WRONG_PASSWORD', 'password', 'Enter your password');
    await platform.passwords.inLine({ queue: 'known', key: `person:${person.tag}` }, () =>
      provePassword(context, password),
    );
    return undefined;
  }
  if (code === undefined) throw fieldError('SECOND_FACTOR_WRONG', 'code', 'Enter the code that your app shows');
  return code;
}

/** A code to check, with the person's count of wrong codes. */
export interface HeldCode extends HeldCount {
  readonly code: string;
}

/**
 * Locks the caller's count of wrong codes. Like a login, it must come before people are locked. Throws
 * SECOND_FACTOR_THROTTLED.
 */
export async function holdCode({ platform, change, caller }: Work, code: string): Promise<HeldCode> {
  const held = await lockCount(platform, change, caller.person.id, caller.now);
  if (held instanceof AppError) throw held;
  return { ...held, code };
}

/** Whether the code is right. A right code is used up. A wrong one is counted, so its transaction must be committed. */
export async function isRightCode(work: Work, { code, ...held }: HeldCode): Promise<boolean> {
  const proof = await proveSecondFactor(work, { ...held, account: work.caller.person }, code);
  return !(proof instanceof AppError);
}
