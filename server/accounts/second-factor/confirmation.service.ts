import { provePassword } from '#server/accounts/passwords/own-password.service.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { findFactor } from './second-factor.queries.ts';
import { type HeldCount, lockCount, proveSecondFactor } from './second-factor-proof.ts';

/**
 * Re-authenticates a signed-in person for one action: with a code of their second factor, used once, or with their
 * password if they have none. A stolen or open session alone moves no money.
 */

/** What a person proves themselves with. */
interface Proof {
  readonly code?: string | undefined;
  readonly password?: string | undefined;
}

/**
 * Checks the password of a person without a second factor, queued with other password checks. Returns the code of a
 * person with one, which the action checks last. Throws WRONG_PASSWORD and LOGIN_THROTTLED; SECOND_FACTOR_WRONG without a
 * code.
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

/** A code to check, with the person's count of wrong ones. */
export interface HeldCode extends HeldCount {
  readonly code: string;
}

/**
 * Locks the caller's count of wrong codes: before people are locked, as a login does. Throws SECOND_FACTOR_THROTTLED.
 */
export async function holdCode({ platform, change, caller }: Work, code: string): Promise<HeldCode> {
  const held = await lockCount(platform, change, caller.person.id, caller.now);
  if (held instanceof AppError) throw held;
  return { ...held, code };
}

/** Whether the code is right, which spends it. A wrong one was counted, so its transaction must be committed. */
export async function isRightCode(work: Work, { code, ...held }: HeldCode): Promise<boolean> {
  const proof = await proveSecondFactor(work, { ...held, account: work.caller.person }, code);
  return !(proof instanceof AppError);
}
