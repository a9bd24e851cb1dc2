import { provePassword } from '#server/accounts/passwords/own-password.service.ts';
import { AppError, fieldError } from '#server/calls/app-error.ts';
import type { Change } from '#server/db/transaction.ts';
import type { Context } from '#server/platform/work.ts';
import { findFactor } from './second-factor.queries.ts';
import { lockCount, proveSecondFactor } from './second-factor-proof.ts';

/**
 * Re-authenticates a signed-in person for one action: with a code of their second factor, used once, or with their
 * password if they have none. A stolen or open session alone moves no money.
 */

/** What a person proves themselves with. */
export interface Proof {
  readonly code?: string | undefined;
  readonly password?: string | undefined;
}

/** Checks the proof within the action's transaction; returns the refusal of a wrong code, which was counted. */
export type Confirmation = (change: Change) => Promise<() => Promise<AppError | undefined>>;

const proved = async (): Promise<undefined> => undefined;

/**
 * Begins a proof, queued with other password checks. Without a second factor, throws WRONG_PASSWORD and LOGIN_THROTTLED
 * at once. The confirmation locks the person's count of wrong codes before people are locked (as a login does: same lock
 * order). It returns the check, to run once everything else is right.
 */
export async function beginConfirmation(context: Context, { code, password }: Proof): Promise<Confirmation> {
  const { platform, caller } = context;
  const { person, now } = caller;
  if ((await findFactor(platform.db, person.id)) === undefined) {
    if (password === undefined) throw fieldError('WRONG_PASSWORD', 'password', 'Enter your password');
    await platform.passwords.inLine({ queue: 'known', key: `person:${person.tag}` }, () =>
      provePassword(context, password),
    );
    return async () => proved;
  }
  if (code === undefined) throw fieldError('SECOND_FACTOR_WRONG', 'code', 'Enter the code that your app shows');
  return async (change) => {
    const held = await lockCount(platform, change, person.id, now);
    if (held instanceof AppError) throw held;
    return async () => {
      const proof = await proveSecondFactor({ ...context, change }, { ...held, account: person }, code);
      return proof instanceof AppError ? proof : undefined;
    };
  };
}
