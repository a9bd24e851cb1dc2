import { expect } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { buildEnrolled, codeOf, wrongCode } from '#server/accounts/own-account.harness.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { burstsOf, startTwoServers, type TwoServers } from './two-servers.harness.ts';

/** An attacker who has an officer's password and guesses the second factor. */

const AT_ONCE = 20;

interface SecondFactorAttack {
  /** Guesses that were answered as wrong; the others were refused without a comparison. */
  readonly compared: number;
  readonly gotInAfterwards: boolean;
}

/** Guesses during a day of the held clock, with a new login for each burst; the owner logs in after the delay. */
export async function guessSecondFactor(guesses: number): Promise<SecondFactorAttack> {
  const two = await startTwoServers();
  const { person, secret } = await buildEnrolled(two.app);
  const bursts = burstsOf(guesses, AT_ONCE);
  let compared = 0;
  for (const nths of bursts) {
    const handle = await firstStep(two, person.username);
    const codes = nths.map((_, nth) =>
      nth % 2 === 0 ? wrongCode(two.app, secret, nth) : `GVESS-${String(10_000 + nth)}`,
    );
    const answers = await Promise.all(codes.map((code) => two.post('/users/second_factor', { handle, code })));
    for (const { status } of answers) expect([422, 429]).toContain(status);
    compared += answers.filter(({ body }) => body.code === 'SECOND_FACTOR_WRONG').length;
    two.app.clock.advance(DAY_SECONDS / bursts.length);
  }
  two.app.clock.advance(3600);
  const handle = await firstStep(two, person.username);
  const { status } = await two.post('/users/second_factor', { handle, code: codeOf(two.app, secret) });
  return { compared, gotInAfterwards: status === 200 };
}

async function firstStep(two: TwoServers, username: string): Promise<string> {
  const { status, body } = await two.post('/users/login', { username, password: TEST_PASSWORD });
  expect([status, body.code]).toEqual([403, 'SECOND_FACTOR']);
  return body.handle;
}
