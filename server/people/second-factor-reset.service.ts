import { takeSecondFactorAway } from '#server/accounts/second-factor/second-factor.service.ts';
import { AppError } from '#server/http/app-error.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import type { Platform } from '#server/platform.ts';
import { lockSubject } from './people.service.ts';

/**
 * Removes a person's second factor, ends their sessions and tells them: for a lost phone and lost recovery codes.
 * Throws NOT_FOUND, FORBIDDEN (one's own; by anybody but a KADMIN) and NO_SECOND_FACTOR.
 */
export async function resetSecondFactor(platform: Platform, caller: SignedInCaller, tag: string): Promise<void> {
  await platform.db.inTransaction(async (change) => {
    const person = await lockSubject(change, caller, 'people.resetSecondFactor', tag);
    if (!(await takeSecondFactorAway(platform, change, caller, person))) throw new AppError('NO_SECOND_FACTOR');
  });
}
