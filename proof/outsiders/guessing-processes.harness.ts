import { expect } from 'vitest';
import { signUpForm } from '#server/accounts/accounts.harness.ts';
import { buildPerson, uniquePhone } from '#testing/builders.ts';
import { remoteCaller, startServerProcess } from '#testing/servers/server-process.ts';
import { createTestApp } from '#testing/test-app.ts';
import { addressOf, burstsOf } from './two-servers.harness.ts';

/** The most calls in flight; more would wait for this process's sockets. */
const AT_ONCE = 200;

interface Burst {
  readonly guesses: number;
  /** PINs and passwords that were answered as wrong; the others were refused without a comparison. */
  readonly pins: number;
  readonly passwords: number;
}

/** Guesses a PIN and a password at two processes over sockets, as fast as they answer. */
export async function burstAtTwoProcesses(guesses: number): Promise<Burst> {
  const app = await createTestApp();
  const env = { TRUST_PROXY: 'true', DATA_DIR: app.platform.config.dataDir };
  const servers = [await startServerProcess(app.database, { env }), await startServerProcess(app.database, { env })];
  let calls = 0;
  const post = (path: string, body: unknown) => {
    calls += 1;
    const { address } = servers[calls % servers.length] ?? { address: '' };
    return remoteCaller(() => address).post(path, body, { 'x-forwarded-for': addressOf(calls) });
  };
  const statuses = async (one: (nth: number) => ReturnType<typeof post>) => {
    const found: number[] = [];
    for (const nths of burstsOf(guesses, AT_ONCE)) {
      const answers = await Promise.all(nths.map(one));
      found.push(...answers.map(({ status }) => status));
    }
    return found;
  };

  const phone = uniquePhone();
  const { body } = await post('/users/register', signUpForm(phone));
  // One run in some thousands guesses the right PIN by luck, which resets the count.
  const pins = await statuses((nth) =>
    post('/users/verify_username', { userTag: body.userTag, pin: String(nth).padStart(5, '0') }),
  );
  const { username } = await buildPerson(app);
  const passwords = await statuses((nth) => post('/users/login', { username, password: `Guess-${nth}` }));
  expect(new Set([...pins, ...passwords])).toEqual(new Set([422, 401, 429]));
  await app.close();
  return {
    guesses,
    pins: pins.filter((status) => status === 422).length,
    passwords: passwords.filter((status) => status === 401).length,
  };
}
