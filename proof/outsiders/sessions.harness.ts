import { expect } from 'vitest';
import { HOUR_SECONDS, MINUTE_SECONDS } from '#contract/time/durations.ts';
import { earnReset, NEW_PASSWORD } from '#server/accounts/accounts.harness.ts';
import { codeOf, nextStep } from '#server/accounts/own-account.harness.ts';
import { newToken } from '#server/secrets/tokens.ts';
import { type BuiltPerson, buildBusiness, buildPerson, TEST_PASSWORD } from '#testing/builders.ts';
import { type Answered, startTwoServers, type TwoServers } from './two-servers.harness.ts';

/** The events that end a session, and the cookies that must be invalid after each. */

export const SESSION_COOKIE = '__Host-kasente_session';

/** The session cookie that an answer sets. */
export function sessionOf(answer: Answered | undefined): string {
  const token = answer?.cookies[SESSION_COOKIE];
  if (token === undefined || token === '') throw new Error(`no session: ${JSON.stringify(answer?.body)}`);
  return token;
}

/** A login, with a session cookie that was planted before it, if given. */
export function logIn(
  two: TwoServers,
  username: string,
  planted?: string,
  password = TEST_PASSWORD,
): Promise<Answered> {
  return two.post('/users/login', { username, password }, planted === undefined ? {} : { [SESSION_COOKIE]: planted });
}

/** How often these cookies are accepted; each is tried at both servers. */
export async function acceptedOf(two: TwoServers, tokens: readonly string[]): Promise<number> {
  const tries = tokens.flatMap((token) =>
    two.servers.map((server) =>
      two.call({ method: 'GET', path: '/users/session', cookies: { [SESSION_COOKIE]: token }, server }),
    ),
  );
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 401)).toEqual([]);
  return statuses.filter((status) => status === 200).length;
}

/** Cookies after the end of a session: those that must be invalid, and those that stay valid. */
interface Cookies {
  readonly dead: readonly string[];
  readonly alive: readonly string[];
}

interface LoggedIn {
  readonly two: TwoServers;
  readonly person: BuiltPerson;
  /** The cookie that was planted before the first login. */
  readonly planted: string;
  /** The cookies of this session and of one on another device. */
  readonly token: string;
  readonly elsewhere: string;
}

const endings = {
  'a login with a planted cookie': async ({ planted, token, elsewhere }) => ({
    dead: [planted],
    alive: [token, elsewhere],
  }),
  'another login': async ({ two, person, token, elsewhere }) => {
    const next = sessionOf(await logIn(two, person.username, token));
    return { dead: [token], alive: [next, elsewhere] };
  },
  'a logout': async ({ two, token, elsewhere }) => {
    await two.post('/users/logout', undefined, { [SESSION_COOKIE]: token });
    return { dead: [token], alive: [elsewhere] };
  },
  'a changed password': async ({ two, token, elsewhere }) => {
    const form = { password: TEST_PASSWORD, newPassword: NEW_PASSWORD };
    const next = sessionOf(await two.post('/users/password', form, { [SESSION_COOKIE]: token }));
    return { dead: [token, elsewhere], alive: [next] };
  },
  'a reset password': async ({ two, person, token, elsewhere }) => {
    const otpTag = await earnReset(two.app, person.username);
    await two.post('/reset_password/do', { otpTag, newPassword: NEW_PASSWORD });
    return { dead: [token, elsewhere], alive: [] };
  },
  'a second factor set up': async ({ two, token, elsewhere }) => {
    const { next } = await setUp(two, token);
    return { dead: [token, elsewhere], alive: [next] };
  },
  'a login with a second factor': async ({ two, person, token }) => {
    const { next, secret } = await setUp(two, token);
    const { body } = await logIn(two, person.username, next);
    const code = { handle: body.handle, code: codeOf(two.app, secret) };
    const proven = sessionOf(await two.post('/users/second_factor', code, { [SESSION_COOKIE]: next }));
    return { dead: [next], alive: [proven] };
  },
  deactivation: async ({ two, person, token, elsewhere }) => {
    await byAdministrator(two, '/persons/deactivate', { tag: person.tag });
    return { dead: [token, elsewhere], alive: [] };
  },
  'lost permissions': async ({ two, person, token, elsewhere }) => {
    await byAdministrator(two, '/persons/roles', { tag: person.tag, perms: [] });
    return { dead: [token, elsewhere], alive: [] };
  },
  'the end of all others': async ({ two, token, elsewhere }) => {
    await two.post('/users/sessions/end_others', { password: TEST_PASSWORD }, { [SESSION_COOKIE]: token });
    return { dead: [elsewhere], alive: [token] };
  },
} as const satisfies Record<string, (loggedIn: LoggedIn) => Promise<Cookies>>;

type Ending = keyof typeof endings;
const isEnding = (name: string): name is Ending => name in endings;

/** The events that end a session. */
export const endingNames: readonly Ending[] = Object.keys(endings).filter(isEnding);

/** Logs a person in on two devices, and ends the session. */
export async function endSession(two: TwoServers, ending: Ending): Promise<Cookies> {
  const staff = ending.includes('second factor') || ending === 'lost permissions';
  const given = staff
    ? { perms: ['KSTAF'] as const }
    : { perms: ['BIDA'] as const, businessId: (await buildBusiness(two.app)).id };
  const person = await buildPerson(two.app, given);
  const planted = newToken();
  const token = sessionOf(await logIn(two, person.username, planted));
  const elsewhere = sessionOf(await logIn(two, person.username));
  expect(new Set([planted, token, elsewhere]).size).toBe(3);
  const { dead, alive } = await endings[ending]({ two, person, planted, token, elsewhere });
  return { dead: [planted, ...dead], alive };
}

/** Sets up a second factor; returns its secret and the session's new cookie. */
async function setUp(two: TwoServers, token: string): Promise<{ secret: string; next: string }> {
  const cookies = { [SESSION_COOKIE]: token };
  const begun = await two.post('/users/second_factor/begin', { password: TEST_PASSWORD }, cookies);
  const { secret } = begun.body;
  const confirmed = await two.post('/users/second_factor/confirm', { code: codeOf(two.app, secret) }, cookies);
  nextStep(two.app);
  return { secret, next: sessionOf(confirmed) };
}

async function byAdministrator(two: TwoServers, path: string, body: unknown): Promise<void> {
  const administrator = await buildPerson(two.app, { perms: ['KADMIN'] });
  const { next } = await setUp(two, sessionOf(await logIn(two, administrator.username)));
  const { status } = await two.post(path, body, { [SESSION_COOKIE]: next });
  expect([path, status]).toEqual([path, 200]);
}

interface Watched {
  readonly idleMinutes?: number;
  /** The seconds between two calls of the person; absent if there are none after the login. */
  readonly everySeconds?: number | undefined;
  /** The planted fault: the last call is recorded this many seconds late. */
  readonly plantedSeconds?: number;
}

/** The life of a session in whole seconds; at this second it is refused. */
export async function secondsAlive({ idleMinutes = 15, everySeconds, plantedSeconds = 0 }: Watched): Promise<number> {
  const two = await startTwoServers({ PUBLIC_URL: 'https://kasente.test', SESSION_IDLE_MINUTES: String(idleMinutes) });
  const { username } = await buildPerson(two.app);
  const token = sessionOf(await logIn(two, username));
  const begun = two.app.clock.now().getTime();
  const aliveFor = () => Math.round((two.app.clock.now().getTime() - begun) / 1000);
  await two.app.platform.db
    .updateTable('sessions')
    .set({ last_active_at: new Date(begun + plantedSeconds * 1000) })
    .execute();
  const end = everySeconds === undefined ? idleMinutes * MINUTE_SECONDS : 12 * HOUR_SECONDS;
  if (everySeconds !== undefined) {
    for (let at = everySeconds; at < end; at += everySeconds) {
      two.app.clock.advance(everySeconds);
      expect(await acceptedOf(two, [token])).toBe(2);
    }
  }
  two.app.clock.advance(end - 1 - aliveFor());
  for (let second = 0; second < 5; second += 1) {
    // A background request does not extend the session.
    if ((await quietlyAccepted(two, token)) === 0) return aliveFor();
    two.app.clock.advance(1);
  }
  throw new Error('it lives on and on');
}

async function quietlyAccepted(two: TwoServers, token: string): Promise<number> {
  const answers = await Promise.all(
    two.servers.map((server) =>
      server.inject({
        method: 'GET',
        url: '/api/v1/users/session',
        cookies: { [SESSION_COOKIE]: token },
        headers: { 'x-background': '1' },
      }),
    ),
  );
  const statuses = answers.map(({ statusCode }) => statusCode);
  expect(new Set(statuses).size).toBe(1);
  return statuses.filter((status) => status === 200).length;
}
