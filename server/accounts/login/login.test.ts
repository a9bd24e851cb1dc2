import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { actionsOf, blanked, logIn, newEmail, newPhone, personOf } from '#server/accounts/accounts.harness.ts';
import { buildBusiness, buildPerson, TEST_PASSWORD } from '#testing/builders.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';

const app = appOfFile();

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'));
const WRONG = { success: false, msg: 'Wrong phone/email and/or password', code: 'LOGIN_FAILED' };

describe('logging in', () => {
  it('returns the user as specified, and the session returns the same user', async () => {
    const business = await buildBusiness(app, { name: 'Kikuubo Hardware Ltd' });
    const person = await buildPerson(app, {
      username: newEmail(),
      perms: ['BIDA'],
      businessId: business.id,
      firstName: 'Amina',
      lastName: 'Nakato',
    });
    const caller = app.visitor();
    const answer = await logIn(caller, person.username, TEST_PASSWORD);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      user: {
        tag: person.tag,
        username: person.username,
        firstName: 'Amina',
        lastName: 'Nakato',
        bizName: 'Kikuubo Hardware Ltd',
        bizTag: business.tag,
        perms: ['BIDA'],
        roles: ['Business client'],
        clientUITimeoutMinutes: 15,
        appVersion: version,
      },
    });
    const session = await caller.get('/users/session');
    expect(session.status).toBe(200);
    expect(session.body).toEqual(answer.body);
  });

  it('admits a Verified person, who has no permission', async () => {
    const { username } = await buildPerson(app, { status: 'Verified' });
    const { body } = await logIn(app.visitor(), username, TEST_PASSWORD);
    expect(body.user).toMatchObject({ perms: [], roles: [], firstName: null, bizName: null, bizTag: null });
  });

  it('returns the roles of staff', async () => {
    const { username } = await buildPerson(app, { perms: ['KADMIN', 'KSTAF'] });
    const { body } = await logIn(app.visitor(), username, TEST_PASSWORD);
    expect(body.user.roles).toEqual(['Administrator', 'Staff']);
  });

  it('sends the tokens in HttpOnly, SameSite=Strict cookies, and never in the body', async () => {
    const { username } = await buildPerson(app);
    const caller = app.visitor();
    const answer = await logIn(caller, username, TEST_PASSWORD);
    const cookies = [answer.headers['set-cookie']].flat().map(String);
    const session = cookies.find((cookie) => cookie.startsWith('kasente_session='));
    expect(session).toMatch(/^kasente_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const device = cookies.find((cookie) => cookie.startsWith('kasente_device='));
    expect(device).toMatch(
      /^kasente_device=[\w-]{43}; Max-Age=15552000; Path=\/api\/v1\/users\/login; HttpOnly; SameSite=Strict$/,
    );
    for (const token of caller.cookies.values()) {
      expect(token).toHaveLength(43);
      expect(JSON.stringify(answer.body)).not.toContain(token);
    }
  });

  it('marks the cookies Secure on https, also by their names', async () => {
    const secure = await createTestApp({ PUBLIC_URL: 'https://kasente.test' });
    const { username } = await buildPerson(secure);
    const answer = await logIn(secure.visitor(), username, TEST_PASSWORD);
    const cookies = [answer.headers['set-cookie']].flat().map(String);
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) expect(cookie).toContain('; Secure');
    expect(cookies.find((cookie) => cookie.startsWith('__Host-kasente_session='))).toMatch(
      /^__Host-kasente_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(cookies.find((cookie) => cookie.startsWith('__Secure-kasente_device='))).toContain('; HttpOnly; Secure;');
    await secure.close();
  });

  it('accepts a phone number in any format, and an e-mail in any case and with invisible marks', async () => {
    const phone = newPhone();
    await buildPerson(app, { username: phone });
    const national = phone.slice(1);
    for (const typed of [
      phone,
      `+256${national}`,
      `256${national}`,
      ` +256 ${national.slice(0, 3)} ${national.slice(3)} `,
      `\u202a+256 ${national}\u202c`,
      `+256 (0) ${national}`,
      `00256${national}`,
      `${phone.slice(0, 4)}\u2011${phone.slice(4)}\u200b`,
      national,
    ]) {
      const answer = await logIn(app.visitor(), typed, TEST_PASSWORD);
      expect(answer.body.user?.username).toBe(phone);
    }
    const email = newEmail();
    await buildPerson(app, { username: email });
    for (const typed of [` ${email.toUpperCase()} `, `\u2068${email}\u2069`, `${email}\u200b`])
      expect((await logIn(app.visitor(), typed, TEST_PASSWORD)).status).toBe(200);
  });

  it('replies the same to a wrong password, an unknown and an invalid username', async () => {
    const { username } = await buildPerson(app);
    for (const typed of [username, newPhone(), newEmail(), 'neither one nor the other']) {
      const caller = app.visitor();
      const answer = await logIn(caller, typed, 'Not-the-password-1');
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual(WRONG);
      expect(caller.cookies.size).toBe(0);
    }
    expect(blanked(await logIn(app.visitor(), username, ''))).toEqual(
      blanked(await logIn(app.visitor(), newPhone(), '')),
    );
  });

  it('compares passwords exactly as typed', async () => {
    const { username } = await buildPerson(app);
    for (const password of [TEST_PASSWORD.toLowerCase(), `${TEST_PASSWORD} `, ` ${TEST_PASSWORD}`]) {
      expect((await logIn(app.visitor(), username, password)).status).toBe(401);
    }
  });

  it('refuses a deactivated person with 403, and only with the right password', async () => {
    const { username } = await buildPerson(app, { status: 'Deactivated' });
    const caller = app.visitor();
    const answer = await logIn(caller, username, TEST_PASSWORD);
    expect([answer.status, answer.body.code]).toEqual([403, 'ACCOUNT_DEACTIVATED']);
    expect(caller.cookies.size).toBe(0);
    expect((await logIn(app.visitor(), username, 'Not-the-password-1')).body).toEqual(WRONG);
  });

  it('sets the time of the last login', async () => {
    const { username } = await buildPerson(app);
    expect((await personOf(app, username))?.last_login_at).toBeNull();
    app.clock.advance(7);
    await logIn(app.visitor(), username, 'Not-the-password-1');
    expect((await personOf(app, username))?.last_login_at).toBeNull();
    await logIn(app.visitor(), username, TEST_PASSWORD);
    expect((await personOf(app, username))?.last_login_at).toEqual(app.clock.now());
  });

  it('is logged without the password, even if it fails', async () => {
    const { username } = await buildPerson(app);
    const secret = 'A-secret-mistyped-1';
    await logIn(app.visitor(), username, secret);
    await logIn(app.visitor(), newPhone(), secret);
    await logIn(app.visitor(), username, TEST_PASSWORD);
    expect(await actionsOf(app, username)).toEqual(['account.login-failed', 'account.logged-in']);
    const events = JSON.stringify(await app.platform.db.selectFrom('audit_events').selectAll().execute());
    expect(events).not.toContain(secret);
    expect(events).not.toContain(TEST_PASSWORD);
  });

  it.each([
    [{ username: '0770', password: 'x' }, { username: 'Required' }],
    [{ username: '0770000000' }, { password: 'Required' }],
    [{ username: '0770000000', password: 'x', remember: true }, { remember: 'This field is not known' }],
  ])('refuses the body %j', async (body, fields) => {
    const answer = await app.visitor().post('/users/login', body);
    expect(answer.status).toBe(400);
    expect(answer.body.fields).toEqual(fields);
  });

  it('serves 20 concurrent right logins of one person', async () => {
    const { username } = await buildPerson(app);
    const answers = await Promise.all(Array.from({ length: 20 }, () => logIn(app.visitor(), username, TEST_PASSWORD)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  });
});

describe('the work', () => {
  it('of hashing is done whether or not the username is known', async () => {
    const { username } = await buildPerson(app);
    const compare = vi.spyOn(app.platform.passwords, 'compare');
    for (const typed of [username, newPhone(), 'no username at all']) {
      await logIn(app.visitor(), typed, 'Not-the-password-1');
    }
    expect(compare.mock.calls.map(([hashed]) => hashed)).toEqual([
      expect.stringMatching(/^\$argon2id/),
      undefined,
      undefined,
    ]);
    compare.mockRestore();
  });
});
