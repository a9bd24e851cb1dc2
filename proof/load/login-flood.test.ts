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

/** More logins than the server can hash passwords for. */

const FLOOD_S = 12;
/** The goal: people notice a delay of half a second. */
const P99_WITHIN_MS = 500;

/**
 * On two cores one password per address is verified at a time, and as many may wait as the address may have
 * connections.
 */
const CORES = 2;
const LET_IN = 1 + 500;
const COME = 150;
const TOO_MANY = LET_IN + 50;
const PASSWORD = 'Not-the-password-1';

interface From {
  readonly username: string;
  readonly password: string;
  readonly remoteAddress?: string;
  /** The device's cookie; made up unless given. */
  readonly device?: string;
}

describe('a burst of logins', { timeout: 120_000 }, () => {
  /** Logins of many people, whose passwords are verified only after `release`. */
  async function burst({ bound = true, come = COME } = {}) {
    const app = await createTestApp();
    onTestFinished(() => app.close());
    const { promise: letGo, resolve: release } = Promise.withResolvers<void>();
    const looking = new Gathering<string>();
    const { hash, inLine, turns } = await createPasswords(CORES);
    const compare: Passwords['compare'] = async (_hashed, password) => {
      looking.add(password);
      await letGo;
      return password === TEST_PASSWORD ? 'right' : 'wrong';
    };
    const server = await createApp({
      ...app.platform,
      passwords: { hash, compare, inLine: bound ? inLine : (_place, call) => call(), turns },
    });
    onTestFinished(() => server.close());
    const { username } = await buildPerson(app);
    const known = await app
      .visitor()
      .call({ method: 'POST', url: '/users/login', payload: { username, password: TEST_PASSWORD } });
    const device = String(known.headers['set-cookie']).match(/kasente_device=([^;]+)/)?.[1] ?? '';
    const answered = new Gathering<LightMyRequestResponse>();
    const logIn = (from: From) => {
      const { remoteAddress = '127.0.0.1', username, password } = from;
      const payload = { username, password };
      const cookies = { kasente_device: from.device ?? newToken() };
      return server.inject({ method: 'POST', url: '/api/v1/users/login', payload, cookies, remoteAddress });
    };
    const logins = Array.from({ length: come }, async (_, nth) => {
      const answer = await logIn({ username: `07${String(nth).padStart(8, '0')}`, password: PASSWORD });
      answered.add(answer);
      return answer;
    });
    return { server, username, device, looking, answered, logins, logIn, release };
  }

  it('would be found if nothing bounded it (canary)', async () => {
    const { looking, answered, logins, release } = await burst({ bound: false });
    await looking.reached(COME);
    expect(answered.all).toEqual([]);
    release();
    await Promise.all(logins);
    canaryFound('login-flood', `without a bound ${COME} of ${COME} logins were looked at at once`);
  });

  it('of one address delays neither another address nor a known device of its own, and refuses no honest login there', async () => {
    const { looking, logins, logIn, username, device, release } = await burst();
    await looking.reached(1);
    const honest = logIn({ username, password: TEST_PASSWORD });
    const others = [
      logIn({ username: '0799999999', password: 'From-elsewhere-1', remoteAddress: '192.0.2.1' }),
      logIn({ username, password: 'From-a-known-device-1', device }),
    ];
    // Both are verified while the flood waits.
    await looking.reached(3);
    expect(looking.all.toSorted()).toEqual(['From-a-known-device-1', 'From-elsewhere-1', PASSWORD]);
    release();
    for (const other of await Promise.all(others)) expect(other.statusCode).toBe(401);
    expect((await honest).statusCode).toBe(200);
    expect(new Set((await Promise.all(logins)).map(({ statusCode }) => statusCode))).toEqual(new Set([401]));
    proved(
      'login-flood',
      `${COME} logins at once from one address: another address’s and a known device’s are looked at at once, an honest one’s of the same address in its turn`,
    );
  });

  it('waits in line up to the limit, the rest gets 503, and other calls are answered', async () => {
    const { server, looking, answered, logins, release } = await burst({ come: TOO_MANY });
    const refused = [...(await answered.reached(TOO_MANY - LET_IN))];
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
      `${TOO_MANY} logins at once: ${LET_IN} waited in line and were answered, the others refused at once`,
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
