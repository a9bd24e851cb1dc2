import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS } from '#contract/time/durations.ts';
import { earnReset, logIn, NEW_PASSWORD, newPhone, signUp } from '#server/accounts/accounts.harness.ts';
import {
  buildEnrolled,
  codeOf,
  firstStep,
  nextStep,
  secondStep,
  wrongCode,
} from '#server/accounts/own-account.harness.ts';
import { buildPerson, TEST_PASSWORD } from '#testing/builders.ts';
import { Gathering } from '#testing/gathering.ts';
import { appOfFile } from '#testing/test-app.ts';
import { createLoginPace } from './login-pace.ts';

/** Logins from an address with many wrong passwords. */

const ADDRESS = '127.0.0.1';
const STAYING = new AbortController().signal;
const app = appOfFile();
beforeEach(async () => {
  await app.platform.db.deleteFrom('address_limits').execute();
});

/** Counts failed logins for the address in this hour. */
async function pretendFailed(points: number): Promise<void> {
  const expire = app.clock.now().getTime() + HOUR_MS;
  await app.platform.db
    .insertInto('address_limits')
    .values({ key: `hour:login-failure:${ADDRESS}`, points, expire })
    .execute();
}

/** Assigns every remaining turn of the address in this hour. */
async function pretendTurnsTaken(): Promise<void> {
  const expire = app.clock.now().getTime() + HOUR_MS;
  await app.platform.db
    .insertInto('address_limits')
    .values({ key: `turns:login:${ADDRESS}`, expire })
    .execute();
}

async function failuresCounted(): Promise<number | undefined> {
  const row = app.platform.db.selectFrom('address_limits').where('key', '=', `hour:login-failure:${ADDRESS}`);
  return (await row.select('points').executeTakeFirst())?.points;
}

describe('an address with 600 wrong passwords in an hour', () => {
  it('still accepts a right password from an unknown device', async () => {
    const { username } = await buildPerson(app);
    await pretendFailed(600);
    expect((await logIn(app.visitor(), newPhone(), 'Not-the-password-1')).body.code).toBe('LOGIN_FAILED');
    app.clock.advance(1);
    expect((await logIn(app.visitor(), username, TEST_PASSWORD)).status).toBe(200);
  });

  it('accepts a login from a known device of the user without waiting', async () => {
    const { username } = await buildPerson(app);
    const device = app.visitor();
    await logIn(device, username, TEST_PASSWORD);
    await pretendFailed(600);
    await pretendTurnsTaken();
    expect((await logIn(device, username, TEST_PASSWORD)).status).toBe(200);
    // Its wrong passwords still count for the username.
    for (let time = 0; time < 10; time += 1) await logIn(device, username, 'Not-the-password-1');
    const throttles = await app.platform.db.selectFrom('login_throttles').select('failures').execute();
    expect(throttles.map(({ failures }) => failures)).toContain(10);
  });

  it('accepts a person who reset the password there without waiting', async () => {
    const username = await signUp(app);
    const device = app.visitor();
    const otpTag = await earnReset(app, username);
    await pretendFailed(600);
    await pretendTurnsTaken();
    expect((await device.post('/reset_password/do', { otpTag, newPassword: NEW_PASSWORD })).status).toBe(200);
    expect((await logIn(device, username, NEW_PASSWORD)).status).toBe(200);
  });

  it('uses no turn for a throttled username', async () => {
    const username = newPhone();
    for (let time = 0; time < 10; time += 1) await logIn(app.visitor(), username, 'Not-the-password-1');
    await app.platform.db.updateTable('address_limits').set({ points: 600 }).execute();
    await pretendTurnsTaken();
    expect((await logIn(app.visitor(), username, 'Not-the-password-1')).body.code).toBe('LOGIN_THROTTLED');
  });

  it('refuses no code of a second factor, right or wrong', async () => {
    const { person, secret } = await buildEnrolled(app);
    const device = app.visitor();
    await secondStep(device, await firstStep(device, person.username), codeOf(app, secret));
    nextStep(app);
    await pretendFailed(600);
    const handle = await firstStep(device, person.username);
    expect((await secondStep(device, handle, wrongCode(app, secret))).body.code).toBe('SECOND_FACTOR_WRONG');
    expect(await failuresCounted()).toBe(601);
    expect((await secondStep(device, handle, codeOf(app, secret))).status).toBe(200);
  });
});

describe('the pace of an address', () => {
  it('counts wrong passwords, not right ones', async () => {
    const { username } = await buildPerson(app);
    expect((await logIn(app.visitor(), username, TEST_PASSWORD)).status).toBe(200);
    expect(await failuresCounted()).toBeUndefined();
    expect((await logIn(app.visitor(), username, 'Not-the-password-1')).body.code).toBe('LOGIN_FAILED');
    expect(await failuresCounted()).toBe(1);
  });

  it('applies from the 600th failure to the end of the hour that the first one started', async () => {
    const pace = createLoginPace(app.platform);
    await pretendFailed(598);
    app.clock.advance(1800);
    await pace.noteFailure(ADDRESS);
    expect(await pace.holds(ADDRESS)).toBe(false);
    await pace.noteFailure(ADDRESS);
    expect(await pace.holds(ADDRESS)).toBe(true);
    expect(await pace.holds('192.0.2.1')).toBe(false);
    app.clock.advance(1800);
    expect(await pace.holds(ADDRESS)).toBe(false);
  });

  it('gives one turn a second over all server processes', async () => {
    const waits: number[] = [];
    const pause = async (ms: number) => waits.push(ms);
    const [one, other] = [createLoginPace(app.platform, pause), createLoginPace(app.platform, pause)];
    await Promise.all(
      Array.from({ length: 50 }, (_, nth) => (nth % 2 === 0 ? one : other).waitForTurn(ADDRESS, STAYING)),
    );
    expect(waits.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, second) => second * 1000));
    await other.waitForTurn('192.0.2.1', STAYING);
    expect(waits.at(-1)).toBe(0);
    app.clock.advance(10);
    await one.waitForTurn(ADDRESS, STAYING);
    expect(waits.at(-1)).toBe(40_000);
  });

  it('lets logins wait in order, and skips those that have left', async () => {
    const pauses = new Gathering<() => void>();
    const pause = () => new Promise<void>((resolve) => pauses.add(resolve));
    const pace = createLoginPace(app.platform, pause);
    const leaving = new AbortController();
    const passed: number[] = [];
    const turns = [1, 2, 3].map(async (nth) => {
      await pace.waitForTurn(ADDRESS, nth === 2 ? leaving.signal : STAYING);
      passed.push(nth);
    });
    const [first] = await pauses.reached(1);
    leaving.abort(new Error('gone'));
    await expect(turns[1]).rejects.toThrow('gone');
    first?.();
    const [, second] = await pauses.reached(2);
    expect(passed).toEqual([1]);
    second?.();
    await turns[2];
    expect([passed, pauses.all.length]).toEqual([[1, 3], 2]);
  });

  it('ends the pause of a login that has left', async () => {
    const pace = createLoginPace(app.platform);
    await pretendTurnsTaken();
    const leaving = new AbortController();
    const turn = pace.waitForTurn(ADDRESS, leaving.signal);
    leaving.abort(new Error('gone'));
    await expect(turn).rejects.toThrow('gone');
  });
});
