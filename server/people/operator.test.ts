import { beforeAll, describe, expect, it } from 'vitest';
import type { Username } from '#contract/accounts/username.ts';
import { buildBusiness, buildPerson, buildSignedIn, TEST_PASSWORD, uniquePhone } from '#testing/builders.ts';
import { type Answer, appOfFile } from '#testing/test-app.ts';
import { changePermission, createUser, type Operator, OperatorError, resetPassword } from './operator.service.ts';

const PASSWORD = 'Boda-boda 2026 Kampala';

const app = appOfFile();
let operator: Operator;

beforeAll(async () => {
  const now = app.clock.now();
  operator = { person: null, now, ip: 'command line', requestId: 'a test', idempotencyKey: undefined };
});

function create(username: Username, password = PASSWORD): Promise<void> {
  const user = { username, password, perms: ['KADMIN'] as const, firstName: null, lastName: null };
  return createUser(app.platform, operator, user);
}

function createPhone(value: string, password?: string): Promise<void> {
  return create({ kind: 'phone', value }, password);
}

function logIn(username: string, password: string): Promise<Answer> {
  return app.visitor().post('/users/login', { username, password });
}

function find(username: string) {
  return app.platform.db.selectFrom('persons').selectAll().where('username', '=', username).executeTakeFirst();
}

describe('a user the operator creates', () => {
  it('is not one there is already, whatever their status but Pending', async () => {
    for (const status of ['Verified', 'Active', 'Deactivated'] as const) {
      const { username } = await buildPerson(app, { status });
      const before = await find(username);
      await expect(createPhone(username)).rejects.toThrow(
        new OperatorError(`There is already a user ${username}: use grant, revoke or reset-password.`),
      );
      expect(await find(username)).toEqual(before);
    }
  });

  it('replaces a sign-up that was never confirmed, whose password and PIN then open nothing', async () => {
    const visitor = app.visitor();
    const email = 'boss@kasente.test';
    const signUp = { email, password: TEST_PASSWORD, gender: 'male', industryId: 1, districtId: 1 };
    const { userTag } = (await visitor.post('/users/register', signUp)).body;
    const [{ body }] = (await visitor.get('/dev/messages')).body;
    const [pin] = body.match(/\d{5}/);
    for (let wrong = 0; wrong < 10; wrong += 1) await logIn(email, 'not the password');
    await create({ kind: 'email', value: email });
    expect((await logIn(email, TEST_PASSWORD)).body.code).toBe('LOGIN_FAILED');
    expect((await visitor.post('/users/verify_username', { userTag, pin })).body.code).toBe('WRONG_PIN');
    expect((await logIn(email, PASSWORD)).body.user.perms).toEqual(['KADMIN']);
  });

  it('is one person, however many create them at once', async () => {
    const username = uniquePhone();
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => createPhone(username)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(OperatorError);
    }
    expect((await logIn(username, PASSWORD)).status).toBe(200);
  });

  it.each([
    ['BAD_REQUEST', 'short', 'Password must be at least 8 characters'],
    ['BAD_REQUEST', 'a'.repeat(257), 'Password must be at most 256 characters'],
    ['PASSWORD_COMMON', 'PASSWORD123', 'This password is too easy to guess. Choose another one'],
    ['PASSWORD_IS_USERNAME', '+256766000009', 'The password must not be your phone number or email'],
  ])('does not get a password that is %s', async (code, password, message) => {
    const refusal = { code, details: { fields: { password: message } } };
    await expect(createPhone('0766000009', password)).rejects.toMatchObject(refusal);
    expect(await find('0766000009')).toBeUndefined();
    const { username } = await buildPerson(app, {
      username: code === 'PASSWORD_IS_USERNAME' ? '0766000009' : uniquePhone(),
    });
    await expect(resetPassword(app.platform, operator, username, password)).rejects.toMatchObject(refusal);
    expect((await logIn(username, TEST_PASSWORD)).status).toBe(200);
  });
});

describe('a permission the operator changes', () => {
  const grant = (username: string, perm: 'BIDA' | 'KADMIN' | 'KSTAF') =>
    changePermission(app.platform, operator, username, { grant: true, perm });

  it.each([
    ['Pending', 'PERSON_PENDING'],
    ['Deactivated', 'PERSON_DEACTIVATED'],
  ] as const)('is not that of a %s person', async (status, code) => {
    const { username } = await buildPerson(app, { status });
    await expect(grant(username, 'KADMIN')).rejects.toMatchObject({ code });
    expect(await find(username)).toMatchObject({ status, permissions: [] });
  });

  it('makes a client only of somebody with a business', async () => {
    const without = await buildPerson(app);
    await expect(grant(without.username, 'BIDA')).rejects.toMatchObject({ code: 'CLIENT_NEEDS_BUSINESS' });
    const withOne = await buildPerson(app, { businessId: (await buildBusiness(app)).id, perms: ['KSTAF'] });
    expect([...(await grant(withOne.username, 'BIDA'))].sort()).toEqual(['BIDA', 'KSTAF']);
    expect((await find(withOne.username))?.permissions).toEqual(['BIDA', 'KSTAF']);
  });

  it('activates a verified person, who is told', async () => {
    const { username } = await buildPerson(app, { status: 'Verified' });
    await grant(username, 'KSTAF');
    expect(await find(username)).toMatchObject({ status: 'Active', permissions: ['KSTAF'] });
    const messages: { to: string; subject: string }[] = (await app.visitor().get('/dev/messages')).body;
    expect(messages.filter(({ to }) => to === username)).toMatchObject([{ subject: 'Your Kasente account is active' }]);
  });

  it('keeps the others that somebody else grants at the same moment', async () => {
    const { username } = await buildPerson(app);
    await Promise.all([grant(username, 'KADMIN'), grant(username, 'KSTAF')]);
    expect((await find(username))?.permissions).toEqual(['KADMIN', 'KSTAF']);
  });
});

describe('a password the operator sets', () => {
  it('ends every session and every reset under way, and undoes the throttle', async () => {
    const { person, caller } = await buildSignedIn(app, { username: 'reset@kasente.test' });
    const visitor = app.visitor();
    const requested = await visitor.post('/reset_password/request', { username: person.username });
    const [{ body }] = (await visitor.get('/dev/messages')).body;
    const [pin] = body.match(/\d{5}/);
    const entered = await visitor.post('/reset_password/otp', { userTag: requested.body.data.tag, pin });
    expect(entered.status).toBe(200);
    for (let wrong = 0; wrong < 10; wrong += 1) await logIn(person.username, 'not the password');
    expect((await logIn(person.username, TEST_PASSWORD)).status).toBe(429);

    await resetPassword(app.platform, operator, person.username, PASSWORD);

    expect((await caller.get('/users/session')).status).toBe(401);
    const late = { otpTag: entered.body.data.tag, newPassword: 'Something else 1' };
    expect((await visitor.post('/reset_password/do', late)).body.code).toBe('RESET_ENDED');
    expect((await logIn(person.username, TEST_PASSWORD)).body.code).toBe('LOGIN_FAILED');
    expect((await logIn(person.username, PASSWORD)).status).toBe(200);
  });

  it.each([
    ['Pending', 'PERSON_PENDING'],
    ['Deactivated', 'PERSON_DEACTIVATED'],
  ] as const)('is not that of a %s person', async (status, code) => {
    const { username } = await buildPerson(app, { status });
    const before = await find(username);
    await expect(resetPassword(app.platform, operator, username, PASSWORD)).rejects.toMatchObject({ code });
    expect(await find(username)).toEqual(before);
  });

  it('is not that of nobody', async () => {
    await expect(resetPassword(app.platform, operator, 'nobody@kasente.test', PASSWORD)).rejects.toThrow(
      new OperatorError('There is no user nobody@kasente.test.'),
    );
  });
});
