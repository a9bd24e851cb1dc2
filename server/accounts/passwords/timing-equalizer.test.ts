import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { logIn, newPhone, register, requestReset } from '#server/accounts/accounts.harness.ts';
import { buildPerson, TEST_PASSWORD } from '#testing/builders.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';
import { timingEqualizer } from './timing-equalizer.ts';

/** The timing of replies that must not reveal who has an account. Timers may fire a millisecond early. */

const STEP_MS = 50;
const app = appOfFile({ NODE_ENV: 'development' });

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

describe('replies that must not reveal who has an account', () => {
  it('are sent at the next multiple of a step after the call began', async () => {
    const ms = await msOf(async () => {
      const due = timingEqualizer(app.platform);
      await wait(STEP_MS + 10);
      await due();
    });
    expect(ms).toBeGreaterThan(2 * STEP_MS - 2);
  });

  it.each([
    ['a sign-up', () => register(app, newPhone()), 200],
    ['a request to reset', () => requestReset(app, newPhone()), 200],
    ['a failed login', () => logIn(app.visitor(), newPhone(), TEST_PASSWORD), 401],
  ])('include that to %s', async (_what, call, status) => {
    const ms = await msOf(async () => expect((await call()).status).toBe(status));
    expect(ms).toBeGreaterThan(STEP_MS - 2);
  });

  it('are not delayed after a right login, or in tests', async () => {
    const { username } = await buildPerson(app);
    await logIn(app.visitor(), username, TEST_PASSWORD);
    expect(app.platform.config.answerStepMs).toBe(STEP_MS);
    const tests = await createTestApp();
    expect(tests.platform.config.answerStepMs).toBe(0);
    await tests.close();
  });
});
