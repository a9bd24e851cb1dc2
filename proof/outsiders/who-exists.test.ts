import { describe, expect, it } from 'vitest';
import { createPasswords } from '#server/secrets/passwords.ts';
import type { ClaimId } from '#testing/evidence/claims.ts';
import { canaryFound, full, proved, rounds } from '#testing/evidence/record.ts';
import { startServerProcess } from '#testing/servers/server-process.ts';
import { createTestApp } from '#testing/test-app.ts';
import { startTwoServers } from './two-servers.harness.ts';
import { INDISTINGUISHABLE, median, trimmed, welch } from './welch.ts';
import {
  everyQuestion,
  knownUsernames,
  newUsername,
  type Question,
  questions,
  seen,
  survey,
  type Times,
} from './who-exists.harness.ts';

/**
 * Whether a stranger can tell from replies or their times who has an account. Times are those of a real server with
 * production settings, over a socket, for pairs in random order. Both samples are trimmed at one bound, and the t of
 * all times must hold too.
 */

const TIME = { timeout: rounds(120_000, 10 * 3_600_000) };
const PAIRS = 2_000;
const WARM_UP = 100;
const claimOf = {
  register: 'who-exists-register',
  login: 'who-exists-login',
  reset: 'who-exists-reset',
} as const satisfies Record<Question, ClaimId>;

/** A server's noise: about 2 ms, now and then ten times that; the seed makes it repeatable. */
function noise(seed: number, count: number, addedMs = 0): number[] {
  let state = seed;
  const next = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  return Array.from({ length: count }, () => 50 + addedMs + next() * 2 + (next() > 0.97 ? next() * 20 : 0));
}

describe('the answer to a stranger', TIME, () => {
  it.each(everyQuestion)(
    'who asks by %s is the same for a known username and one that nobody has',
    async (question) => {
      const two = await startTwoServers();
      const known = await knownUsernames(two.app, rounds(4, 200));
      const { path, status, body } = questions[question];
      for (const [nth, username] of known.entries()) {
        const answers = [];
        for (const asked of [username, newUsername(nth)]) {
          const { headers, ...answer } = await two.post(path, body(asked));
          answers.push(seen(answer.status, headers, JSON.stringify(answer.body)));
        }
        expect(answers[1]).toEqual(answers[0]);
        expect(answers[0]?.status).toBe(status);
      }
    },
  );

  it('that differs in one header would be found (canary)', () => {
    const [one, other] = ['2', '3'].map((length) => seen(200, { 'content-length': length }, '{}'));
    expect(one).not.toEqual(other);
  });
});

describe('Welch’s t', TIME, () => {
  it('finds a millisecond in 2,000 pairs of noisy times, and none where there is none', () => {
    const [one, other, later] = [noise(1, PAIRS), noise(2, PAIRS), noise(3, PAIRS, 1)];
    expect(Math.abs(welch(one, other))).toBeLessThan(INDISTINGUISHABLE);
    expect(Math.abs(welch(...trimmed(one, other)))).toBeLessThan(INDISTINGUISHABLE);
    const found = Math.abs(welch(one, later));
    expect(found).toBeGreaterThan(INDISTINGUISHABLE);
    expect(Math.abs(welch(...trimmed(one, later)))).toBeGreaterThan(found);
  });

  it('is that of the textbook', () => {
    expect(welch([27.5, 21, 19, 23.6, 17], [27.1, 22, 20.8, 23.4, 23.4])).toBeCloseTo(-0.8, 1);
  });
});

describe.runIf(full)('how long a real server takes to answer', TIME, () => {
  const verdict = ({ known, unknown }: Times) => {
    const kept = trimmed(known, unknown);
    return {
      all: Math.abs(welch(known, unknown)),
      kept: Math.abs(welch(...kept)),
      medians: `${median(known).toFixed(2)} and ${median(unknown).toFixed(2)} ms`,
    };
  };

  const ask = async (question: Question): Promise<Times> => {
    const app = await createTestApp({}, { passwords: await createPasswords() });
    const known = await knownUsernames(app, PAIRS + WARM_UP);
    const env = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://kasente.test',
      TRUST_PROXY: 'true',
      SIGN_UP_TEXTS_A_DAY: '1000000',
      DATA_DIR: app.platform.config.dataDir,
    };
    const { address, stop } = await startServerProcess(app.database, { env });
    const times = await survey({ address, question, known, warmUp: WARM_UP });
    await stop();
    await app.close();
    return times;
  };

  it.each(everyQuestion)('does not tell by %s who has an account', async (question) => {
    const times = await ask(question);
    // The same times with a millisecond added for known usernames must be distinguishable, which shows that the test
    // has enough power.
    const planted = verdict({ ...times, known: times.known.map((ms) => ms + 1) });
    expect(planted.kept).toBeGreaterThan(INDISTINGUISHABLE);
    canaryFound(claimOf[question], `1 ms more for known usernames, in the same pairs: |t| ${planted.kept.toFixed(1)}`);
    const { all, kept, medians } = verdict(times);
    expect(Math.max(all, kept)).toBeLessThan(INDISTINGUISHABLE);
    proved(
      claimOf[question],
      `${PAIRS} pairs, bodies and headers equal, |t| ${all.toFixed(2)} of all times and ${kept.toFixed(2)} without the slowest 5 %; medians ${medians} (known, unknown)`,
    );
  });
});
