import { setImmediate as otherWork } from 'node:timers/promises';
import { expect } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { createPasswords, type Passwords } from '#server/secrets/passwords.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { burstsOf, type TwoServers } from './two-servers.harness.ts';

/** An attacker who guesses a password, and a counter of password comparisons. */

/** Counts comparisons. There are thousands, so they skip Argon2id, which is not tested here. */
export async function countingPasswords(): Promise<{ passwords: Passwords; comparedSoFar: () => number }> {
  const { hash, inLine, turns } = await createPasswords();
  let compared = 0;
  const passwords = {
    hash,
    inLine,
    turns,
    compare: async (hashed: string | undefined, typed: string) => {
      compared += 1;
      await otherWork();
      return hashed !== undefined && typed === TEST_PASSWORD ? 'right' : 'wrong';
    },
  };
  return { passwords, comparedSoFar: () => compared };
}

/** Guesses during a day of the held clock, in bursts, and calls `afterBurst` after each one. */
export async function guessPasswords(
  two: TwoServers,
  username: string,
  { guesses, atOnce }: { readonly guesses: number; readonly atOnce: number },
  afterBurst: (burst: number) => Promise<unknown>,
): Promise<void> {
  const bursts = burstsOf(guesses, atOnce);
  for (const [burst, nths] of bursts.entries()) {
    const tries = nths.map((nth) => two.post('/users/login', { username, password: `Guess-${nth}` }));
    for (const { status } of await Promise.all(tries)) expect([401, 429]).toContain(status);
    await afterBurst(burst);
    two.app.clock.advance(DAY_SECONDS / bursts.length);
  }
}
