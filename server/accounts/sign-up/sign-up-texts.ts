import { DAY_MS } from '#contract/time/durations.ts';
import { countRows } from '#server/accounts/login/address-limits.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Caller } from '#server/calls/caller.ts';
import { networkOf } from '#server/machine/network.ts';
import type { Work } from '#server/platform/work.ts';

const KEY = 'day:sign-up-texts';
/**
 * One address may use a tenth of the day's texts, but at least this many, so that a small limit doesn't block an
 * office.
 */
const SHARE_OF_AN_ADDRESS = 1 / 10;
const LEAST_OF_AN_ADDRESS = 20;
const WAY_OUT = 'You can sign up with your email now';

/**
 * Counts a text message of a sign-up, both in total and for its address. A sign-up sends to any number that somebody
 * types, and each message costs money. So the total limits a flood from many addresses to many numbers, and the limit
 * by address prevents one address from using it up. Resets only go to people with an account, so they aren't limited by
 * it. Call it last in a transaction, because the next one waits for its end. Throws CODE_LIMIT when a limit is reached,
 * which rolls everything back, including the counts.
 */
export async function countSignUpText({
  platform: {
    config: { signUpTextsADay },
  },
  change,
  caller: { now, ip },
}: Work<Pick<Caller, 'now' | 'ip'>>): Promise<void> {
  const limits = new Map([
    [KEY, signUpTextsADay],
    [`${KEY}:${networkOf(ip)}`, Math.max(LEAST_OF_AN_ADDRESS, Math.floor(signUpTextsADay * SHARE_OF_AN_ADDRESS))],
  ]);
  const expire = now.getTime() + DAY_MS;
  // The shared row first: the same lock order everywhere avoids deadlocks.
  const rows = [...limits.keys()].map((key) => ({ key, points: 1, expire }));
  for (const row of await countRows(change, rows, now.getTime())) {
    if (row.points <= (limits.get(row.key) ?? 0)) continue;
    throw new AppError('CODE_LIMIT', {
      retryAfterSeconds: ((row.expire ?? 0) - now.getTime()) / 1000,
      more: WAY_OUT,
    });
  }
}
