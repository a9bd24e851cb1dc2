import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPerson, TEST_PASSWORD } from '#server/testing/builders.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { doReset, enterPin, logIn, newestCode, newPhone, register, requestReset } from './accounts.harness.ts';
import { createAddressLimits, networkOf } from './address-limits.ts';
import { buildEnrolled, codeOf, firstStep, nextStep, secondStep, wrongCode } from './own-account.harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Lets an address have made that many calls of a kind in this hour. */
async function pretendSpent(limited: string, points: number, address = '127.0.0.1'): Promise<void> {
  const row = { key: `hour:${limited}:${address}`, points, expire: app.clock.now().getTime() + 3_600_000 };
  await app.platform.db
    .insertInto('address_limits')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute();
}

describe('the limits of an address', () => {
  it('are hundreds an hour', async () => {
    await pretendSpent('register', 599);
    expect((await register(app, newPhone())).status).toBe(200);
    const answer = await register(app, newPhone());
    expect(answer.status).toBe(429);
    expect(answer.body).toEqual({
      success: false,
      msg: 'Too many requests from here. Try again later',
      code: 'TOO_MANY_REQUESTS',
    });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3500);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(3600);
    await pretendSpent('register', 0);
  });

  it('hold for requests of a reset and of a new PIN', async () => {
    const phone = newPhone();
    const { body } = await register(app, phone);
    app.clock.advance(60);
    await pretendSpent('request-reset', 600);
    await pretendSpent('resend-pin', 600);
    expect((await requestReset(app, phone)).body.code).toBe('TOO_MANY_REQUESTS');
    expect((await app.visitor().post('/users/resend_pin', { userTag: body.userTag })).body.code).toBe(
      'TOO_MANY_REQUESTS',
    );
    expect((await enterPin(app, body.userTag, await newestCode(app, phone))).status).toBe(200);
    await pretendSpent('request-reset', 0);
    await pretendSpent('resend-pin', 0);
  });

  it('count failed logins, not right ones', async () => {
    const { username } = await buildPerson(app);
    await pretendSpent('login-failure', 599);
    expect((await logIn(app.visitor(), username, TEST_PASSWORD)).status).toBe(200);
    expect((await logIn(app.visitor(), username, 'Not-the-password-1')).body.code).toBe('LOGIN_FAILED');
    expect((await logIn(app.visitor(), newPhone(), 'Not-the-password-1')).body.code).toBe('TOO_MANY_REQUESTS');
    expect((await logIn(app.visitor(), username, TEST_PASSWORD)).body.code).toBe('TOO_MANY_REQUESTS');
    await pretendSpent('login-failure', 0);
  });

  it('do not shut out a device that is known to the user', async () => {
    const { username } = await buildPerson(app);
    const device = app.visitor();
    await logIn(device, username, TEST_PASSWORD);
    await pretendSpent('login-failure', 600);
    expect((await logIn(device, username, TEST_PASSWORD)).status).toBe(200);
    // Its wrong passwords still count for the username.
    for (let time = 0; time < 10; time += 1) await logIn(device, username, 'Not-the-password-1');
    const throttles = await app.platform.db.selectFrom('login_throttles').select('failures').execute();
    expect(throttles.map(({ failures }) => failures)).toContain(10);
    await pretendSpent('login-failure', 0);
  });

  it('do not shut out a known device whose user has a second factor, at either step', async () => {
    const { person, secret } = await buildEnrolled(app);
    const device = app.visitor();
    await secondStep(device, await firstStep(device, person.username), codeOf(app, secret));
    nextStep(app);
    await pretendSpent('login-failure', 600);
    const handle = await firstStep(device, person.username);
    // A wrong code still counts for the address, and leaves the handle as it was.
    expect((await secondStep(device, handle, wrongCode(app, secret))).body.code).toBe('TOO_MANY_REQUESTS');
    expect((await secondStep(device, handle, codeOf(app, secret))).status).toBe(200);
    // Where the password was not let through, there is no handle to begin with.
    expect((await logIn(app.visitor(), person.username, TEST_PASSWORD)).body.code).toBe('TOO_MANY_REQUESTS');
    await pretendSpent('login-failure', 0);
  });

  it('do not hold for the last step of a reset, which a handle of 256 bits guards', async () => {
    for (const limited of ['register', 'request-reset', 'resend-pin']) await pretendSpent(limited, 600);
    expect((await doReset(app, 'x'.repeat(43))).body.code).toBe('RESET_ENDED');
    for (const limited of ['register', 'request-reset', 'resend-pin']) await pretendSpent(limited, 0);
  });

  it('begin anew when the hour is over, by the clock that every other rule goes by', async () => {
    const limits = createAddressLimits(app.platform, { anHour: 2 });
    const address = '192.0.2.9';
    await limits.spend('register', address);
    app.clock.advance(1800);
    await limits.spend('register', address);
    app.clock.advance(1799);
    await expect(limits.spend('register', address)).rejects.toMatchObject({ details: { retryAfterSeconds: 1 } });
    await expect(limits.refuseSpent('register', address)).rejects.toMatchObject({ details: { retryAfterSeconds: 1 } });
    app.clock.advance(1);
    await expect(limits.refuseSpent('register', address)).resolves.toBeUndefined();
    await limits.spend('register', address);
    await limits.spend('register', address);
    await expect(limits.spend('register', address)).rejects.toMatchObject({ details: { retryAfterSeconds: 3600 } });
  });

  it('are of a day too, but for failed logins', async () => {
    const limits = createAddressLimits(app.platform, { anHour: 2, aDay: 3 });
    const address = '192.0.2.10';
    const anHourLater = () => app.clock.advance(3600);
    for (const limited of ['register', 'register', 'login-failure', 'login-failure'] as const) {
      await limits.spend(limited, address);
    }
    anHourLater();
    await limits.spend('register', address);
    await expect(limits.spend('register', address)).rejects.toMatchObject({ details: { retryAfterSeconds: 82_800 } });
    await limits.spend('login-failure', address);
    await limits.spend('login-failure', address);
    for (let hour = 1; hour < 24; hour += 1) anHourLater();
    await limits.spend('register', address);
  });

  it('are one for all server processes, and exact when calls come at once', async () => {
    const ten = { anHour: 10 };
    const [one, other] = [createAddressLimits(app.platform, ten), createAddressLimits(app.platform, ten)];
    const spends = Array.from({ length: 30 }, (_, index) =>
      (index % 2 === 0 ? one : other).spend('register', '192.0.2.7'),
    );
    const outcomes = await Promise.allSettled(spends);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    await expect(one.refuseSpent('register', '192.0.2.7')).rejects.toThrow('Too many requests');
    await expect(one.refuseSpent('register', '192.0.2.8')).resolves.toBeUndefined();
    await expect(one.spend('resend-pin', '192.0.2.7')).resolves.toBeUndefined();
  });
});

describe('an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::99', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
