import { describe, expect, it } from 'vitest';
import { HOUR_SECONDS } from '#contract/time/durations.ts';
import { buildPerson, TEST_PASSWORD } from '#testing/builders.ts';
import { canaryFound, full, proved, rounds } from '#testing/evidence/record.ts';
import { remoteCaller, type ServerProcess, startServerProcess } from '#testing/servers/server-process.ts';
import {
  acceptedOf,
  endingNames,
  endSession,
  logIn,
  SESSION_COOKIE,
  secondsAlive,
  sessionOf,
} from './sessions.harness.ts';
import { startTwoServers } from './two-servers.harness.ts';

/**
 * Session cookies that must be invalid: planted before a login, stolen before a logout, or expired. Each is tried at
 * both servers right after the event that ends the session.
 */

const TIME = { timeout: rounds(120_000, 10 * 3_600_000) };
const HTTPS = { PUBLIC_URL: 'https://kasente.test', SECOND_FACTOR: 'required' };
const IDLE_SECONDS = 15 * 60;
const ABSOLUTE_SECONDS = 12 * HOUR_SECONDS;

describe('a session', TIME, () => {
  it('accepts no cookie from before it began, and none from before it ended', async () => {
    const two = await startTwoServers(HTTPS);
    let tried = 0;
    let accepted = 0;
    for (let round = 0; round < rounds(1, 100); round += 1) {
      for (const ending of endingNames) {
        const { dead, alive } = await endSession(two, ending);
        tried += dead.length * two.servers.length;
        accepted += await acceptedOf(two, dead);
        expect(await acceptedOf(two, alive), `${ending}: the session that stays`).toBe(alive.length * 2);
      }
    }
    expect(accepted).toBe(0);
    proved(
      'sessions',
      `${tried} tries with session cookies from before ${endingNames.join(', ')}, at both of 2 servers: ${accepted} accepted`,
    );
  });

  it('would be found if its dead cookies were accepted (canary)', async () => {
    const two = await startTwoServers(HTTPS);
    const { username, id } = await buildPerson(two.app);
    const token = sessionOf(await logIn(two, username));
    const { db } = two.app.platform;
    const rows = await db.selectFrom('sessions').where('person_id', '=', id).selectAll().execute();
    await two.post('/users/logout', undefined, { [SESSION_COOKIE]: token });
    expect(await acceptedOf(two, [token])).toBe(0);
    await db.insertInto('sessions').values(rows).execute();
    expect(await acceptedOf(two, [token])).toBe(2);
    canaryFound('sessions', 'a logout that was undone behind the servers’ back: its cookie accepted by both');
  });

  it('ends to the second, idle and at the latest', async () => {
    const idle = await secondsAlive({ everySeconds: undefined });
    const absolute = await secondsAlive({ everySeconds: 890 });
    const [short, long] = [await secondsAlive({ idleMinutes: 1 }), await secondsAlive({ idleMinutes: 720 })];
    expect([idle, absolute, short, long]).toEqual([IDLE_SECONDS, ABSOLUTE_SECONDS, 60, ABSOLUTE_SECONDS]);
    proved(
      'sessions',
      `expired ${idle} s after the last call (SESSION_IDLE_MINUTES 1: ${short} s) and ${absolute} s after the login, to the second, at both of 2 servers`,
    );
  });

  it('would be found if it lived a second longer (canary)', async () => {
    const seconds = await secondsAlive({ everySeconds: undefined, plantedSeconds: 1 });
    expect(seconds).toBe(IDLE_SECONDS + 1);
    canaryFound('sessions', `a session whose last call was noted a second late: ${seconds} s`);
  });

  it('has a cookie that no script reads, no other site sends and no sister host plants', async () => {
    const two = await startTwoServers(HTTPS);
    const { username } = await buildPerson(two.app);
    const answers = [await logIn(two, username)];
    const token = sessionOf(answers[0]);
    answers.push(await two.post('/users/logout', undefined, { [SESSION_COOKIE]: token }));
    for (const { headers } of answers) {
      const cookie = [headers['set-cookie']]
        .flat()
        .map(String)
        .find((one) => one.startsWith(`${SESSION_COOKIE}=`));
      const [, ...attributes] = (cookie ?? '').split('; ');
      expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict']));
      expect(attributes.filter((one) => one.startsWith('Domain'))).toEqual([]);
    }
    // The server does not read the name without its prefix, which a sibling host could set.
    const kasente_session = sessionOf(await logIn(two, username));
    const asked = await two.call({ method: 'GET', path: '/users/session', cookies: { kasente_session } });
    expect(asked.status).toBe(401);
  });
});

describe.runIf(full)('two server processes', TIME, () => {
  it('refuse a cookie from before a logout at once, both of them', async () => {
    const two = await startTwoServers();
    const servers = [await startServerProcess(two.app.database), await startServerProcess(two.app.database)];
    const { username } = await buildPerson(two.app);
    let accepted = 0;
    const times = 100;
    for (let round = 0; round < times; round += 1) accepted += await acceptedAfterLogout(username, servers);
    expect(accepted).toBe(0);
    proved(
      'sessions',
      `${times} logouts at one server process: ${accepted} cookies accepted by either of 2 afterwards`,
    );
  });
});

/** Logs in and out at the first server; returns how many servers still accept the cookie. */
async function acceptedAfterLogout(username: string, servers: readonly ServerProcess[]): Promise<number> {
  const callers = servers.map(({ address }) => remoteCaller(() => address));
  const [first] = callers;
  if (first === undefined) throw new Error('there is no server');
  await first.post('/users/login', { username, password: TEST_PASSWORD });
  const stolen = new Map(first.cookies);
  const statuses = () =>
    Promise.all(
      callers.map(async (caller) => {
        for (const [name, value] of stolen) caller.cookies.set(name, value);
        return (await caller.get('/users/session')).status;
      }),
    );
  expect(await statuses()).toEqual(servers.map(() => 200));
  await first.post('/users/logout');
  return (await statuses()).filter((status) => status === 200).length;
}
