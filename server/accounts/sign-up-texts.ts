import { AppError } from '#server/platform/app-error.ts';
import type { Change } from '#server/platform/change.ts';
import type { Platform } from '#server/platform/platform.ts';
import { countRows } from './address-limits.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const KEY = 'day:sign-up-texts';

/**
 * Counts a text message of a sign-up, over everybody. A sign-up sends to whatever number was typed in and each message
 * costs money, so a flood from many addresses to many numbers must end somewhere; resets, which go only to people who have
 * an account, are not held back by it. To be called last in a transaction: whoever comes next waits for its end. Throws
 * CODE_LIMIT when the day's are spent, which takes everything back, the count too.
 */
export async function countSignUpText({ config }: Platform, change: Change, now: Date): Promise<void> {
  const [row] = await countRows(change, [{ key: KEY, points: 1, expire: now.getTime() + DAY_MS }], now.getTime());
  if (row === undefined || row.points <= config.signUpTextsADay) return;
  throw new AppError('CODE_LIMIT', { retryAfterSeconds: ((row.expire ?? 0) - now.getTime()) / 1000 });
}
