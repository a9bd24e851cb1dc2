import { ApiFailure } from '#web/platform/api/api.ts';
import { removeStored, storageKeys, writeStored } from '#web/platform/storage/storage.ts';
import type { PinStage } from './pin-stage.ts';

/**
 * Returns to the PIN step if a login was refused because its sign-up was never confirmed (docs/decisions/0041), and
 * says whether it did. No PIN was sent just now: the server says how long the last one works and when another may be
 * requested.
 */
export function keepPendingPin(failure: unknown, sentTo: string): boolean {
  if (!(failure instanceof ApiFailure) || failure.code !== 'PIN_PENDING') return false;
  const { userTag, mode, resendAfterSeconds = 0, worksSeconds = 0 } = failure.answer;
  if (typeof userTag !== 'string' || (mode !== 'email' && mode !== 'other')) return false;
  removeStored(storageKeys.otpData);
  const now = Date.now();
  writeStored(storageKeys.pinStage, {
    userTag,
    mode,
    sentTo,
    resendAt: now + Number(resendAfterSeconds) * 1000,
    worksUntil: now + Number(worksSeconds) * 1000,
  } satisfies Omit<PinStage, 'expiresAt'>);
  return true;
}
