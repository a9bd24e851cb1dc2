import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import {
  doReset,
  earnReset,
  enterPin,
  logIn,
  newEmail,
  newestCode,
  newPhone,
  personOf,
  register,
} from '#server/accounts/accounts.harness.ts';
import { createUser } from '#server/people/operator.service.ts';
import { buildPerson, buildSignedIn, TEST_PASSWORD } from '#testing/builders.ts';
import { appOfFile, type TestCaller } from '#testing/test-app.ts';

/** One password, as typed on different keyboards. */
const COMPOSED = 'Kat\u00f3nga-caf\u00e9-2026';
const DECOMPOSED = 'Kato\u0301nga-cafe\u0301-2026';
const WIDE = 'Ｋat\u00f3nga-caf\u00e9-２０２６';
const WRITINGS = [COMPOSED, DECOMPOSED, WIDE];

const app = appOfFile();

/** A person whose hash is of the password as typed, which servers up to 1.1.0 stored. */
async function personWithOldHash(typed: string): Promise<string> {
  const { username, id } = await buildPerson(app);
  const password_hash = await hash(typed, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  await app.platform.db.updateTable('persons').set({ password_hash }).where('id', '=', id).execute();
  return username;
}

/** The status of a login with each spelling. */
async function statusesOf(username: string, writings: readonly string[] = WRITINGS): Promise<number[]> {
  const statuses = [];
  for (const typed of writings) statuses.push((await logIn(app.visitor(), username, typed)).status);
  return statuses;
}

async function signedIn(username: string, password: string): Promise<TestCaller> {
  const caller = app.visitor();
  expect((await logIn(caller, username, password)).status).toBe(200);
  return caller;
}

describe('a password', () => {
  it.each(WRITINGS)('works in every spelling, set at sign-up as %j', async (password) => {
    const phone = newPhone();
    const { body } = await register(app, phone, { password });
    await enterPin(app, body.userTag, await newestCode(app, phone));
    expect(await statusesOf(phone)).toEqual([200, 200, 200]);
    expect(await statusesOf(phone, ['Katonga-cafe-2026'])).toEqual([401]);
  });

  it('works in every spelling, set by a reset', async () => {
    const { username } = await buildPerson(app);
    expect((await doReset(app, await earnReset(app, username), DECOMPOSED)).status).toBe(200);
    expect(await statusesOf(username)).toEqual([200, 200, 200]);
  });

  it('works in every spelling, set in one’s own account, where the old one is also accepted in any spelling', async () => {
    const { caller, person } = await buildSignedIn(app, { perms: ['KSTAF'] });
    const change = (password: string, newPassword: string) => caller.post('/users/password', { password, newPassword });
    expect((await change(TEST_PASSWORD, DECOMPOSED)).status).toBe(200);
    expect(await statusesOf(person.username)).toEqual([200, 200, 200]);
    expect((await caller.post('/users/second_factor/begin', { password: WIDE })).status).toBe(200);
    expect((await change(WIDE, TEST_PASSWORD)).status).toBe(200);
  });

  it('works in every spelling, set by an operator', async () => {
    const email = newEmail();
    const operator = {
      person: null,
      now: app.clock.now(),
      ip: 'command line',
      requestId: 'a test',
      idempotencyKey: undefined,
    };
    const username = { kind: 'email', value: email } as const;
    await createUser(app.platform, operator, {
      username,
      password: DECOMPOSED,
      perms: [],
      firstName: null,
      lastName: null,
    });
    expect(await statusesOf(email)).toEqual([200, 200, 200]);
  });

  it.each([
    ['too short once its letters are whole', 'Aa1-e\u0301e\u0301', 400, 'BAD_REQUEST'],
    ['too long once its letters are whole', '\ufdfa'.repeat(15), 400, 'BAD_REQUEST'],
    ['a common one in wide letters', 'ｉｌｏｖｅｙｏｕ１', 422, 'PASSWORD_COMMON'],
    ['a word of the product in wide letters', 'Ｋａｓｅｎｔｅ２０２６', 422, 'PASSWORD_COMMON'],
  ])('is refused if it is %s', async (_what, password, status, code) => {
    const answer = await register(app, newPhone(), { password });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body.fields).toHaveProperty('password');
  });

  it('is refused if it is the username in wide digits', async () => {
    const phone = newPhone();
    const wide = phone.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
    expect((await register(app, phone, { password: wide })).body.code).toBe('PASSWORD_IS_USERNAME');
  });

  it('may be 256 characters long, counted after normalisation', async () => {
    expect((await register(app, newPhone(), { password: 'e\u0301'.repeat(256) })).status).toBe(200);
  });
});

describe('a hash from before passwords were normalised', () => {
  it.each([DECOMPOSED, WIDE])('works as typed, %j, and is renewed for every spelling', async (typed) => {
    const username = await personWithOldHash(typed);
    const before = await personOf(app, username);
    expect(await statusesOf(username, [COMPOSED, 'Wrong-caf\u00e9-2026', typed])).toEqual([401, 401, 200]);
    expect((await personOf(app, username))?.password_hash).not.toBe(before?.password_hash);
    expect(await statusesOf(username)).toEqual([200, 200, 200]);
  });

  it('is not renewed by a wrong password, or if it needs no renewal', async () => {
    const username = await personWithOldHash(COMPOSED);
    const before = await personOf(app, username);
    expect(await statusesOf(username, ['Wrong-cafe\u0301-2026', ...WRITINGS])).toEqual([401, 200, 200, 200]);
    expect((await personOf(app, username))?.password_hash).toBe(before?.password_hash);
  });

  it('ends no session when it is renewed', async () => {
    const username = await personWithOldHash(DECOMPOSED);
    const first = await signedIn(username, DECOMPOSED);
    await signedIn(username, COMPOSED);
    expect((await first.get('/users/session')).status).toBe(200);
  });

  it('works for 20 concurrent logins, one of which renews it', async () => {
    const username = await personWithOldHash(DECOMPOSED);
    const logins = Array.from({ length: 20 }, () => logIn(app.visitor(), username, DECOMPOSED));
    expect((await Promise.all(logins)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await statusesOf(username)).toEqual([200, 200, 200]);
  });

  it('admits nobody who was logging in with the old password during a reset', async () => {
    const username = await personWithOldHash(DECOMPOSED);
    const handle = await earnReset(app, username);
    const callers = Array.from({ length: 10 }, () => app.visitor());
    await Promise.all([doReset(app, handle), ...callers.map((caller) => logIn(caller, username, DECOMPOSED))]);
    const sessions = await Promise.all(callers.map((caller) => caller.get('/users/session')));
    expect(sessions.map(({ status }) => status)).toEqual(Array(10).fill(401));
  });

  it('proves the password before a change of it', async () => {
    const { caller, person } = await buildSignedIn(app);
    const password_hash = await hash(DECOMPOSED, { memoryCost: 8, timeCost: 1, parallelism: 1 });
    await app.platform.db.updateTable('persons').set({ password_hash }).where('id', '=', person.id).execute();
    const change = (password: string) => caller.post('/users/password', { password, newPassword: TEST_PASSWORD });
    expect((await change('Wrong-cafe\u0301-2026')).body.code).toBe('WRONG_PASSWORD');
    expect((await change(DECOMPOSED)).status).toBe(200);
  });
});

describe('a wrong password in a spelling that is compared twice', () => {
  it('uses one try, for known and unknown usernames alike', async () => {
    const known = await personWithOldHash(DECOMPOSED);
    for (const username of [known, newPhone()]) {
      const wrong = Array<string>(11).fill('Wrong-cafe\u0301-2026');
      expect(await statusesOf(username, wrong)).toEqual([...Array(10).fill(401), 429]);
    }
  });
});
