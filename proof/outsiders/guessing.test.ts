import { describe, expect, it } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { buildPerson, TEST_PASSWORD } from '#testing/builders.ts';
import { canaryFound, full, proved, rounds } from '#testing/evidence/record.ts';
import { guessCodes, mostInADay } from './guessing-codes.harness.ts';
import { countingPasswords, guessPasswords } from './guessing-passwords.harness.ts';
import { burstAtTwoProcesses } from './guessing-processes.harness.ts';
import { guessSecondFactor } from './guessing-second-factor.harness.ts';
import { startTwoServers } from './two-servers.harness.ts';

/**
 * Guessing PINs, reset codes, passwords and second-factor codes: each guess from another address, many at once, at two
 * servers, through whole days of a held clock and across midnight.
 */

const TIME = { timeout: rounds(120_000, 10 * 3_600_000) };
const CODES_A_DAY = 10;
const PASSWORDS_A_DAY = 100;

describe('PINs and reset codes', TIME, () => {
  it('are compared ten times a day for a recipient, over both flows, all codes and both servers', async () => {
    const { guesses, comparedAt, codesSent } = await guessCodes({ guesses: rounds(240, 10_000), days: 3 });
    const most = mostInADay(comparedAt);
    // Exactly ten a day were compared: this limit applied, and no other.
    expect([most, comparedAt.length]).toEqual([CODES_A_DAY, 3 * CODES_A_DAY]);
    expect(codesSent).toBeGreaterThan(10);
    proved(
      'guessing-codes',
      `${guesses} guesses at one recipient in 3 days, over ${codesSent} codes, ${guesses} addresses and 2 servers: ${comparedAt.length} compared with a code, ${most} at most within any 24 hours`,
    );
  });

  it('would be found if more guesses were compared (canary)', async () => {
    const { guesses, comparedAt } = await guessCodes({ guesses: rounds(80, 400), days: 1, forgetful: true });
    const most = mostInADay(comparedAt);
    expect(most).toBeGreaterThan(CODES_A_DAY);
    canaryFound(
      'guessing-codes',
      `a budget that each new code renews: of ${guesses} guesses ${most} compared in a day`,
    );
  });

  it('a day is any 24 hours', () => {
    const seconds = [0, 1, 2, DAY_SECONDS - 1, DAY_SECONDS];
    expect(mostInADay(seconds.map((second) => second * 1000))).toBe(4);
  });
});

describe('a password', TIME, () => {
  it('is compared at most 100 times in a day, and its owner still logs in', async () => {
    const { passwords, comparedSoFar } = await countingPasswords();
    const two = await startTwoServers({}, { passwords });
    const { username } = await buildPerson(two.app);
    const right = { username, password: TEST_PASSWORD };
    const own = await two.post('/users/login', right);
    const before = comparedSoFar();
    const guesses = rounds(240, 10_000);
    const owner = { logins: 0 };
    await guessPasswords(two, username, { guesses, atOnce: 60 }, async (burst) => {
      if (burst > 0) return;
      // The delay applies to strangers, not to the owner's device.
      expect((await two.post('/users/login', right)).status).toBe(429);
      expect((await two.post('/users/login', right, own.cookies)).status).toBe(200);
      owner.logins += 1;
    });
    const compared = comparedSoFar() - before - owner.logins;
    expect(compared).toBeGreaterThanOrEqual(10);
    expect(compared).toBeLessThanOrEqual(PASSWORDS_A_DAY);
    // The owner logs in from a new device after the delay, which is at most an hour.
    two.app.clock.advance(3600);
    expect((await two.post('/users/login', right)).status).toBe(200);
    proved(
      'guessing-passwords',
      `${guesses} guesses at one username in 24 hours, 60 at once, each from its own address, over 2 servers: ${compared} compared with the password; the owner got in at once from their device, and from a new one within the hour`,
    );
  });

  it('would be found if more guesses were compared (canary)', async () => {
    const { passwords, comparedSoFar } = await countingPasswords();
    const two = await startTwoServers({}, { passwords });
    const { username } = await buildPerson(two.app);
    const forget = () => two.app.platform.db.deleteFrom('login_throttles').execute();
    await guessPasswords(two, username, { guesses: 144, atOnce: 12 }, forget);
    expect(comparedSoFar()).toBeGreaterThan(PASSWORDS_A_DAY);
    canaryFound('guessing-passwords', `wrong ones that are forgotten: of 144 guesses ${comparedSoFar()} compared`);
  });
});

describe('the code of a second factor', TIME, () => {
  it('is compared at most 100 times in a day, app codes and recovery codes together', async () => {
    const guesses = rounds(60, 10_000);
    const { compared, gotInAfterwards } = await guessSecondFactor(guesses);
    expect(compared).toBeGreaterThanOrEqual(10);
    expect(compared).toBeLessThanOrEqual(PASSWORDS_A_DAY);
    expect(gotInAfterwards).toBe(true);
    proved(
      'guessing-passwords',
      `${guesses} guesses at a second factor in 24 hours, by somebody who has the password: ${compared} compared; the owner got in afterwards`,
    );
  });
});

describe.runIf(full)('two server processes, called over sockets at once', TIME, () => {
  it('compare no more than one does', async () => {
    const { guesses, pins, passwords } = await burstAtTwoProcesses(2_000);
    expect([pins, passwords]).toEqual([10, 10]);
    proved('guessing-codes', `${guesses} guesses at once at 2 server processes: ${pins} compared`);
    proved('guessing-passwords', `${guesses} guesses at once at 2 server processes: ${passwords} compared`);
  });
});
