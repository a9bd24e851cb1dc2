import { describe, expect, it, vi } from 'vitest';
import { DAY_SECONDS, MINUTE_SECONDS } from '#contract/time/durations.ts';
import { blanked, doReset, earnReset, logIn, NEW_PASSWORD, newPhone } from '#server/accounts/accounts.harness.ts';
import { buildPerson, TEST_PASSWORD } from '#testing/builders.ts';
import { appOfFile, type TestCaller } from '#testing/test-app.ts';
import { findThrottle, throttleKey } from './login-throttle.ts';

const WRONG = 'Not-the-password-1';

const app = appOfFile();

async function fail(username: string, times: number, caller: TestCaller = app.visitor()): Promise<string[]> {
  const codes = [];
  for (let time = 0; time < times; time += 1) codes.push((await logIn(caller, username, WRONG)).body.code);
  return codes;
}

/** Puts a username in the state after ten wrong passwords. */
async function hold(username: string): Promise<void> {
  const now = app.clock.now();
  const username_digest = throttleKey(app.platform.sealer, username);
  const row = { failures: 10, last_failed_at: now, retry_at: new Date(now.getTime() + MINUTE_SECONDS * 1000) };
  await app.platform.db
    .insertInto('login_throttles')
    .values({ username_digest, ...row })
    .onConflict((conflict) => conflict.column('username_digest').doUpdateSet(row))
    .execute();
}

async function throttledPerson(): Promise<string> {
  const { username } = await buildPerson(app);
  await hold(username);
  return username;
}

describe('wrong passwords in a row', () => {
  it('lead to 429 with Retry-After after ten, for the right password, too', async () => {
    const { username } = await buildPerson(app);
    expect(await fail(username, 10)).toEqual(Array(10).fill('LOGIN_FAILED'));
    const answer = await logIn(app.visitor(), username, TEST_PASSWORD);
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([429, 'LOGIN_THROTTLED', '60']);
    app.clock.advance(MINUTE_SECONDS - 1);
    expect((await logIn(app.visitor(), username, TEST_PASSWORD)).headers['retry-after']).toBe('1');
    app.clock.advance(1);
    expect((await logIn(app.visitor(), username, TEST_PASSWORD)).status).toBe(200);
  });

  it('lead to longer and longer delays, from 1 minute to 1 hour', async () => {
    const username = await throttledPerson();
    const minutes = [];
    for (let round = 0; round < 8; round += 1) {
      const wait = Number((await logIn(app.visitor(), username, WRONG)).headers['retry-after']);
      minutes.push(wait / MINUTE_SECONDS);
      app.clock.advance(wait);
      expect(await fail(username, 1)).toEqual(['LOGIN_FAILED']);
    }
    expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  it('are reset by a right one', async () => {
    const { username } = await buildPerson(app);
    await fail(username, 9);
    expect((await logIn(app.visitor(), username, TEST_PASSWORD)).status).toBe(200);
    expect(await fail(username, 10)).toEqual(Array(10).fill('LOGIN_FAILED'));
  });

  it('are reset a day after the last', async () => {
    const { username } = await buildPerson(app);
    await fail(username, 9);
    app.clock.advance(DAY_SECONDS);
    expect(await fail(username, 10)).toEqual(Array(10).fill('LOGIN_FAILED'));
    expect(await fail(username, 1)).toEqual(['LOGIN_THROTTLED']);
  });

  it('are counted for an unknown or invalid username as for a known one', async () => {
    const { username } = await buildPerson(app);
    const steps = async (typed: string): Promise<unknown[]> => {
      const answers = [];
      for (let time = 0; time < 12; time += 1) answers.push(await logIn(app.visitor(), typed, WRONG));
      app.clock.advance(MINUTE_SECONDS);
      for (let time = 0; time < 2; time += 1) answers.push(await logIn(app.visitor(), typed, WRONG));
      return answers.map(blanked);
    };
    const ofKnown = await steps(username);
    expect(await steps(newPhone())).toEqual(ofKnown);
    expect(await steps('no username at all')).toEqual(ofKnown);
  });

  it('are counted by username, however it is written, and do not affect others', async () => {
    const { username } = await buildPerson(app);
    await fail(username, 4);
    await fail(`+256${username.slice(1)}`, 3);
    await fail(`256 ${username.slice(1)}`, 3);
    expect(await fail(username, 1)).toEqual(['LOGIN_THROTTLED']);
    const { username: other } = await buildPerson(app);
    expect((await logIn(app.visitor(), other, TEST_PASSWORD)).status).toBe(200);
  });

  it('are counted exactly for 50 concurrent tries', async () => {
    const { username } = await buildPerson(app);
    const compare = vi.spyOn(app.platform.passwords, 'compare');
    const answers = await Promise.all(Array.from({ length: 50 }, () => logIn(app.visitor(), username, WRONG)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
    // A reply that claims not to have compared must really not have, because timing would reveal it.
    expect(compare).toHaveBeenCalledTimes(10);
    compare.mockRestore();
    // One delay, not forty: it is a minute.
    expect((await logIn(app.visitor(), username, WRONG)).headers['retry-after']).toBe('60');
  });

  it('are not compared while the delay lasts', async () => {
    const username = await throttledPerson();
    const compare = vi.spyOn(app.platform.passwords, 'compare');
    expect(await fail(username, 3)).toEqual(Array(3).fill('LOGIN_THROTTLED'));
    expect(compare).not.toHaveBeenCalled();
    app.clock.advance(MINUTE_SECONDS);
    await fail(username, 1);
    expect(compare).toHaveBeenCalledOnce();
    compare.mockRestore();
  });

  it('do not block a right one that came before them: they wait for it, and count from then on', async () => {
    const { username } = await buildPerson(app);
    await fail(username, 9);
    const compared = Promise.withResolvers<void>();
    const slow = vi.spyOn(app.platform.passwords, 'compare').mockImplementationOnce(async () => {
      await compared.promise;
      return 'right';
    });
    const right = logIn(app.visitor(), username, TEST_PASSWORD);
    await vi.waitFor(() => expect(slow).toHaveBeenCalledOnce(), { timeout: 100_000 });
    const wrong = Array.from({ length: 10 }, () => logIn(app.visitor(), username, WRONG));
    // The tenth try is being compared and counts as a wrong one until it proves right.
    const throttle = await findThrottle(app.platform.db, throttleKey(app.platform.sealer, username));
    expect(throttle?.failures).toBe(10);
    compared.resolve();
    expect((await right).status).toBe(200);
    const answers = await Promise.all(wrong);
    // Tries during the running one are refused, the others are compared after it.
    expect(['LOGIN_FAILED', 'LOGIN_THROTTLED']).toEqual(expect.arrayContaining(answers.map(({ body }) => body.code)));
    slow.mockRestore();
  });

  it('do not block a person who has reset the password', async () => {
    const username = await throttledPerson();
    await doReset(app, await earnReset(app, username));
    expect((await logIn(app.visitor(), username, NEW_PASSWORD)).status).toBe(200);
  });

  it('do not block the device on which the password was reset, even while they continue', async () => {
    const username = await throttledPerson();
    const otpTag = await earnReset(app, username);
    const owner = app.visitor();
    expect((await owner.post('/reset_password/do', { otpTag, newPassword: NEW_PASSWORD })).status).toBe(200);
    expect([...owner.cookies.keys()]).toEqual(['kasente_device']);
    expect(await fail(username, 11)).toContain('LOGIN_THROTTLED');
    expect((await logIn(app.visitor(), username, NEW_PASSWORD)).status).toBe(429);
    expect((await logIn(owner, username, NEW_PASSWORD)).status).toBe(200);
  });

  it('are stored without the username', async () => {
    await app.platform.db.deleteFrom('login_throttles').execute();
    await fail('A-password-typed-into-the-wrong-field', 1);
    const rows = await app.platform.db.selectFrom('login_throttles').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.username_digest).toHaveLength(32);
    expect(rows[0]?.username_digest.toString('latin1')).not.toContain('password');
  });
});

describe('a device with an earlier session', () => {
  async function knownDevice(username: string): Promise<TestCaller> {
    const caller = app.visitor();
    await logIn(caller, username, TEST_PASSWORD);
    await caller.post('/users/logout');
    expect([...caller.cookies.keys()]).toEqual(['kasente_device']);
    return caller;
  }

  it('still gets in with the right password', async () => {
    const { username } = await buildPerson(app);
    const device = await knownDevice(username);
    await fail(username, 10);
    expect(await fail(username, 1)).toEqual(['LOGIN_THROTTLED']);
    expect((await logIn(device, username, TEST_PASSWORD)).status).toBe(200);
  });

  it('has ten tries of its own, then counts as unknown', async () => {
    const { username } = await buildPerson(app);
    const device = await knownDevice(username);
    await hold(username);
    expect(await fail(username, 11, device)).toEqual([...Array(10).fill('LOGIN_FAILED'), 'LOGIN_THROTTLED']);
    expect((await logIn(device, username, TEST_PASSWORD)).status).toBe(429);
  });

  it('has exactly those ten for 50 concurrent tries', async () => {
    const { username } = await buildPerson(app);
    const device = await knownDevice(username);
    await hold(username);
    const compare = vi.spyOn(app.platform.passwords, 'compare');
    const answers = await Promise.all(Array.from({ length: 50 }, () => logIn(device, username, WRONG)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
    expect(compare).toHaveBeenCalledTimes(10);
    compare.mockRestore();
  });

  it('does not help another user', async () => {
    const { username: other } = await buildPerson(app);
    const device = await knownDevice(other);
    const username = await throttledPerson();
    const compare = vi.spyOn(app.platform.passwords, 'compare');
    expect((await logIn(device, username, TEST_PASSWORD)).status).toBe(429);
    expect(compare).not.toHaveBeenCalled();
    compare.mockRestore();
  });

  it('gets a new token at each login; the old one stops working', async () => {
    const { username } = await buildPerson(app);
    const device = await knownDevice(username);
    const old = device.cookies.get('kasente_device') ?? '';
    await logIn(device, username, TEST_PASSWORD);
    expect(device.cookies.get('kasente_device')).not.toBe(old);
    await hold(username);
    const thief = app.visitor();
    thief.cookies.set('kasente_device', old);
    expect((await logIn(thief, username, TEST_PASSWORD)).status).toBe(429);
    expect((await logIn(device, username, TEST_PASSWORD)).status).toBe(200);
  });

  it('stays known to each user who shares it', async () => {
    const [{ username: one }, { username: two }] = [await buildPerson(app), await buildPerson(app)];
    const device = await knownDevice(one);
    await logIn(device, two, TEST_PASSWORD);
    await hold(one);
    await hold(two);
    expect((await logIn(device, one, TEST_PASSWORD)).status).toBe(200);
    expect((await logIn(device, two, TEST_PASSWORD)).status).toBe(200);
  });

  it('has separate tries for each of its users', async () => {
    const [{ username: one }, { username: two }] = [await buildPerson(app), await buildPerson(app)];
    const device = await knownDevice(one);
    await logIn(device, two, TEST_PASSWORD);
    await hold(one);
    await hold(two);
    expect(await fail(one, 11, device)).toContain('LOGIN_THROTTLED');
    expect(await fail(two, 2, device)).toEqual(['LOGIN_FAILED', 'LOGIN_FAILED']);
    expect((await logIn(device, two, TEST_PASSWORD)).status).toBe(200);
  });

  it('is stored as a hash, and at most ten are stored for a person', async () => {
    const { id, username } = await buildPerson(app);
    const first = await knownDevice(username);
    for (let device = 0; device < 10; device += 1) {
      app.clock.advance(1);
      await knownDevice(username);
    }
    const rows = await app.platform.db.selectFrom('devices').where('person_id', '=', id).selectAll().execute();
    expect(rows).toHaveLength(10);
    const token = first.cookies.get('kasente_device') ?? 'none';
    expect(rows.map(({ token_hash }) => token_hash.toString())).not.toContain(token);
    await hold(username);
    expect((await logIn(first, username, TEST_PASSWORD)).status).toBe(429);
  });
});
