import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createApp } from '#server/app.ts';
import { createPasswords, type Passwords } from '#server/secrets/passwords.ts';
import { newToken } from '#server/secrets/tokens.ts';
import { buildPerson, TEST_PASSWORD } from '#testing/builders.ts';
import { canaryFound, full, proved } from '#testing/evidence/record.ts';
import { Gathering } from '#testing/gathering.ts';
import { createTestApp } from '#testing/test-app.ts';
import { floodOfLogins } from './login-flood.harness.ts';

/** More logins than passwords can be hashed. */

const FLOOD_S = 12;
/** The goal: people notice a delay of half a second. */
const P99_WITHIN_MS = 500;

/** On two cores one password of an address is verified at a time, and a hundred wait. */
const CORES = 2;
const LET_IN = 1 + 100;
const COME = 150;
const PASSWORD = 'Not-the-password-1';

describe('a burst of logins', { timeout: 120_000 }, () => {
  /** Logins of many people, whose passwords are verified only after `release`. */
  async function burst(bound: boolean) {
    const app = await createTestApp();
    onTestFinished(() => app.close());
    const { promise: letGo, resolve: release } = Promise.withResolvers<void>();
    const looking = new Gathering<string>();
    const { hash, inLine, turns } = await createPasswords(CORES);
    const compare: Passwords['compare'] = async (_hashed, password) => {
      looking.add(password);
      await letGo;
      return 'wrong';
    };
    const server = await createApp({
      ...app.platform,
      passwords: { hash, compare, inLine: bound ? inLine : (_line, _key, call) => call(), turns },
    });
    onTestFinished(() => server.close());
    const { username } = await buildPerson(app);
    const known = await app
      .visitor()
      .call({ method: 'POST', url: '/users/login', payload: { username, password: TEST_PASSWORD } });
    const device = String(known.headers['set-cookie']).match(/kasente_device=([^;]+)/)?.[1] ?? '';
    const answered = new Gathering<LightMyRequestResponse>();
    const logIn = (from: { readonly username: string; readonly password: string; readonly remoteAddress?: string }) => {
      const { remoteAddress = '127.0.0.1', ...payload } = from;
      // A made-up cookie is no known device.
      const cookies = { kasente_device: from.username === username ? device : newToken() };
      return server.inject({ method: 'POST', url: '/api/v1/users/login', payload, cookies, remoteAddress });
    };
    const logins = Array.from({ length: COME }, async (_, nth) => {
      const answer = await logIn({ username: `07${String(nth).padStart(8, '0')}`, password: PASSWORD });
      answered.add(answer);
      return answer;
    });
    return { server, username, looking, answered, logins, logIn, release };
  }

  it('would be found if nothing bounded it (canary)', async () => {
    const { looking, answered, logins, release } = await burst(false);
    await looking.reached(COME);
    expect(answered.all).toEqual([]);
    release();
    await Promise.all(logins);
    canaryFound('login-flood', `without a bound ${COME} of ${COME} logins were looked at at once`);
  });

  it('of one address refuses neither another address nor a known device of its own', async () => {
    const { looking, answered, logins, logIn, username, release } = await burst(true);
    await answered.reached(COME - LET_IN);
    const others = [
      logIn({ username: '0799999999', password: 'From-elsewhere-1', remoteAddress: '192.0.2.1' }),
      logIn({ username, password: 'From-a-known-device-1' }),
    ];
    // Both are verified while a hundred of the flood wait.
    await looking.reached(3);
    expect(looking.all.toSorted()).toEqual(['From-a-known-device-1', 'From-elsewhere-1', PASSWORD]);
    expect(answered.all).toHaveLength(COME - LET_IN);
    release();
    for (const other of await Promise.all(others)) expect(other.statusCode).toBe(401);
    await Promise.all(logins);
    proved(
      'login-flood',
      `${COME} logins at once from one address: another address’s and a known device’s are looked at at once`,
    );
  });

  it('waits in line up to the limit, the rest gets 503, and other calls are answered', async () => {
    const { server, looking, answered, logins, release } = await burst(true);
    const refused = [...(await answered.reached(COME - LET_IN))];
    for (const answer of refused) {
      expect(answer.statusCode).toBe(503);
      expect(answer.json()).toMatchObject({ success: false, code: 'UNAVAILABLE' });
      expect(answer.headers['retry-after']).toMatch(/^[2-6]$/);
    }
    expect(looking.all.length).toBeLessThanOrEqual(1);
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
  it('would be found if all passwords were checked at once (canary)', async () => {
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
