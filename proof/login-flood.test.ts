import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createApp } from '#server/app.ts';
import { createPasswords, type Passwords } from '#server/platform/passwords.ts';
import { Gathering } from '#server/testing/gathering.ts';
import { createTestApp } from '#server/testing/test-app.ts';
import { floodOfLogins } from './login-flood.harness.ts';
import { canaryFound, full, proved } from './record.ts';

/** More logins than passwords can be hashed. */

const FLOOD_S = 12;
/** The goal; what people do is noticed from half a second on. */
const P99_WITHIN_MS = 500;

/** On two cores one password is hashed at once, two calls are beside it at the database, and a hundred wait. */
const CORES = 2;
const LET_IN = 1 + 2 + 100;
const COME = LET_IN + 40;

describe('a burst of logins', { timeout: 120_000 }, () => {
  /** Logins of as many people, whose passwords are looked at only once they are let go. */
  async function burst(bound: boolean) {
    const app = await createTestApp();
    onTestFinished(() => app.close());
    const { promise: letGo, resolve: release } = Promise.withResolvers<void>();
    const looking = new Gathering<string>();
    const { hash, inLine } = await createPasswords(CORES);
    const matches: Passwords['matches'] = async (_hashed, password) => {
      looking.add(password);
      await letGo;
      return false;
    };
    const server = await createApp({
      ...app.platform,
      passwords: { hash, matches, inLine: bound ? inLine : (call) => call() },
    });
    onTestFinished(() => server.close());
    const answered = new Gathering<LightMyRequestResponse>();
    const logins = Array.from({ length: COME }, async (_, nth) => {
      const payload = { username: `07${String(nth).padStart(8, '0')}`, password: 'Not-the-password-1' };
      const answer = await server.inject({ method: 'POST', url: '/api/v1/users/login', payload });
      answered.add(answer);
      return answer;
    });
    return { server, looking, answered, logins, release };
  }

  it('is found to be taken whole where nothing bounds it', async () => {
    const { looking, answered, logins, release } = await burst(false);
    await looking.reached(COME);
    expect(answered.all).toEqual([]);
    release();
    await Promise.all(logins);
    canaryFound('login-flood', `without a bound ${COME} of ${COME} logins were looked at at once`);
  });

  it('waits in line as far as that helps, the rest is told to come again, and others are answered', async () => {
    const { server, looking, answered, logins, release } = await burst(true);
    const refused = [...(await answered.reached(COME - LET_IN))];
    for (const answer of refused) {
      expect(answer.statusCode).toBe(503);
      expect(answer.json()).toMatchObject({ success: false, code: 'UNAVAILABLE' });
      expect(answer.headers['retry-after']).toMatch(/^[2-6]$/);
    }
    expect(looking.all.length).toBeLessThanOrEqual(3);
    expect((await server.inject('/api/v1/sectors')).statusCode).toBe(200);
    release();
    const all = await Promise.all(logins);
    expect(all.filter(({ statusCode }) => statusCode === 401)).toHaveLength(LET_IN);
    proved(
      'login-flood',
      `${COME} logins at once: ${LET_IN} waited in line and were answered, the others refused at once`,
    );
  });
});

describe.runIf(full)('ten times the logins that the machine carries', () => {
  it('are found to be noticed by everybody where as many are looked at as come', async () => {
    const found = await floodOfLogins(FLOOD_S, 'unbounded-passwords');
    expect(found.p99Ms > P99_WITHIN_MS || found.othersFailed > 0).toBe(true);
    canaryFound(
      'login-flood',
      `as many at once as come: other calls’ p99 ${found.p99Ms} ms, ${found.othersFailed} of ${found.others} refused`,
    );
  });

  it('are noticed by nobody else', async () => {
    const found = await floodOfLogins(FLOOD_S);
    expect(found.othersFailed).toBe(0);
    expect(found.loginAnswers).not.toHaveProperty('hung');
    expect(found.loginAnswers).not.toHaveProperty('cut');
    expect(found.loginAnswers['503']).toBeGreaterThan(0);
    expect(found.p99Ms).toBeLessThan(P99_WITHIN_MS);
    const answers = Object.entries(found.loginAnswers).map(([status, count]) => `${count} × ${status}`);
    proved(
      'login-flood',
      `${found.loginsSent} logins, ${found.loginsASecond} a second (${answers.join(', ')}): the p99 of ${found.others} other calls is ${found.p99Ms} ms, ${(found.p99Ms / found.quietP99Ms).toFixed(1)} times that without a flood`,
    );
  });
});
