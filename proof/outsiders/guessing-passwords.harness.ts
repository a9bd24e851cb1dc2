import { setImmediate as otherWork } from 'node:timers/promises';
import { expect } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { createPasswords, type Passwords } from '#server/secrets/passwords.ts';
import { TEST_PASSWORD } from '#server/testing/builders.ts';
import type { TwoServers } from './two-servers.harness.ts';

/** An attacker who guesses at a password, and passwords that count how often one is compared. */

/** Passwords whose comparisons are counted. They cost nothing, because there are many: Argon2id is not what is shown here. */
export async function countingPasswords(): Promise<{ passwords: Passwords; comparedSoFar: () => number }> {
  const { hash, inLine, turns } = await createPasswords();
  let compared = 0;
  const passwords = {
    hash,
    inLine,
    turns,
    matches: async (hashed: string | undefined, password: string) => {
      compared += 1;
      await otherWork();
      return hashed !== undefined && password === TEST_PASSWORD;
    },
  };
  return { passwords, comparedSoFar: () => compared };
}

/** Guesses so often in a day of the held clock, in bursts; after each of them somebody else may do something. */
export async function guessPasswords(
  two: TwoServers,
  username: string,
  { guesses, atOnce }: { readonly guesses: number; readonly atOnce: number },
  afterBurst: (burst: number) => Promise<unknown>,
): Promise<void> {
  const bursts = Math.ceil(guesses / atOnce);
  for (let burst = 0; burst < bursts; burst += 1) {
    const tries = Array.from({ length: Math.min(atOnce, guesses - burst * atOnce) }, (_, index) =>
      two.post('/users/login', { username, password: `Guess-${burst}-${index}` }),
    );
    for (const { status } of await Promise.all(tries)) expect([401, 429]).toContain(status);
    await afterBurst(burst);
    two.app.clock.advance(DAY_SECONDS / bursts);
  }
}
