import { expect } from 'vitest';
import { buildPerson, uniquePhone } from '#server/testing/builders.ts';
import { remoteCaller, startServerProcess } from '#server/testing/servers/server-process.ts';
import { createTestApp } from '#server/testing/test-app.ts';
import { addressOf } from './two-servers.harness.ts';

/** The most that may be under way at one time: more would wait for a socket of ours. */
const AT_ONCE = 200;

interface Burst {
  readonly guesses: number;
  /** How many PINs and how many passwords were answered as wrong; the others were refused unseen. */
  readonly pins: number;
  readonly passwords: number;
}

/** Guesses at a PIN and at a password at two real processes over sockets, as fast as they answer. */
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
    for (let begun = 0; begun < guesses; begun += AT_ONCE) {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => one(begun + index)));
      found.push(...answers.map(({ status }) => status));
    }
    return found;
  };

  const phone = uniquePhone();
  const form = { phone, password: 'Matooke-2026-katogo', gender: 'female', industryId: 1, districtId: 1 };
  const { body } = await post('/users/register', form);
  // None of these is the right one but by luck, one time in some thousands; then the count would begin again.
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
