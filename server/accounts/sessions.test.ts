import { describe, expect, it } from 'vitest';
import { HOUR_SECONDS, MINUTE_SECONDS } from '#contract/time/durations.ts';
import { buildPerson, buildSignedIn, TEST_PASSWORD } from '#testing/builders.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';
import { actionsOf, logIn } from './accounts.harness.ts';

const app = appOfFile();

const NOT_SIGNED_IN = { success: false, msg: 'Please log in to continue', code: 'NOT_SIGNED_IN' };

describe('a session', () => {
  it('is needed to read one’s own account', async () => {
    const answer = await app.visitor().get('/users/session');
    expect([answer.status, answer.body]).toEqual([401, NOT_SIGNED_IN]);
  });

  it('ends after 15 minutes without a call, to the second', async () => {
    const { caller } = await buildSignedIn(app);
    app.clock.advance(15 * MINUTE_SECONDS - 1);
    expect((await caller.get('/users/session')).status).toBe(200);
    app.clock.advance(15 * MINUTE_SECONDS);
    const answer = await caller.get('/users/session');
    expect([answer.status, answer.body]).toEqual([401, NOT_SIGNED_IN]);
  });

  it('is extended by a call, but not by one in the background', async () => {
    const { caller } = await buildSignedIn(app);
    for (let call = 0; call < 3; call += 1) {
      app.clock.advance(10 * MINUTE_SECONDS);
      expect((await caller.get('/users/session')).status).toBe(200);
    }
    app.clock.advance(10 * MINUTE_SECONDS);
    expect((await caller.get('/users/session', { 'x-background': '1' })).status).toBe(200);
    app.clock.advance(5 * MINUTE_SECONDS);
    expect((await caller.get('/users/session', { 'x-background': '1' })).status).toBe(401);
  });

  it('ends after 12 hours, however active it is', async () => {
    const { caller } = await buildSignedIn(app);
    for (let elapsed = 10 * MINUTE_SECONDS; elapsed < 12 * HOUR_SECONDS; elapsed += 10 * MINUTE_SECONDS) {
      app.clock.advance(10 * MINUTE_SECONDS);
      expect((await caller.get('/users/session')).status).toBe(200);
    }
    app.clock.advance(10 * MINUTE_SECONDS - 1);
    expect((await caller.get('/users/session')).status).toBe(200);
    app.clock.advance(1);
    expect((await caller.get('/users/session')).status).toBe(401);
  });

  it('has the configured idle time, which the reply contains', async () => {
    const short = await createTestApp({ SESSION_IDLE_MINUTES: '2' });
    const { caller } = await buildSignedIn(short);
    expect((await caller.get('/users/session')).body.user.clientUITimeoutMinutes).toBe(2);
    short.clock.advance(2 * MINUTE_SECONDS);
    expect((await caller.get('/users/session')).status).toBe(401);
    await short.close();
  });

  it('gets a new token at each login, never the previous one', async () => {
    const { username } = await buildPerson(app);
    const caller = app.visitor();
    const planted = 'p'.repeat(43);
    caller.cookies.set('kasente_session', planted);
    await logIn(caller, username, TEST_PASSWORD);
    const first = caller.cookies.get('kasente_session') ?? '';
    expect(first).not.toBe(planted);
    await logIn(caller, username, TEST_PASSWORD);
    const second = caller.cookies.get('kasente_session') ?? '';
    expect(second).not.toBe(first);
    for (const [token, status] of [
      [planted, 401],
      [first, 401],
      [second, 200],
    ] as const) {
      const holder = app.visitor();
      holder.cookies.set('kasente_session', token);
      expect((await holder.get('/users/session')).status).toBe(status);
    }
  });

  it('is stored as a hash', async () => {
    const { person, caller } = await buildSignedIn(app);
    const rows = await app.platform.db.selectFrom('sessions').where('person_id', '=', person.id).selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.token_hash).toHaveLength(32);
    expect(rows[0]?.token_hash.toString('base64url')).not.toBe(caller.cookies.get('kasente_session'));
  });

  it.each(['Pending', 'Deactivated'] as const)('is invalid once its person is %s', async (status) => {
    const { person, caller } = await buildSignedIn(app);
    await app.platform.db.updateTable('persons').set({ status }).where('id', '=', person.id).execute();
    expect((await caller.get('/users/session')).status).toBe(401);
  });

  it('does not end another device’s session', async () => {
    const { username } = await buildPerson(app);
    const [phone, desk] = [app.visitor(), app.visitor()];
    await logIn(phone, username, TEST_PASSWORD);
    await logIn(desk, username, TEST_PASSWORD);
    await phone.post('/users/logout');
    expect((await phone.get('/users/session')).status).toBe(401);
    expect((await desk.get('/users/session')).status).toBe(200);
  });
});

describe('logging out', () => {
  it.each(['GET', 'POST'] as const)('ends the session and clears the cookie by %s', async (method) => {
    const { person, caller } = await buildSignedIn(app);
    const token = caller.cookies.get('kasente_session') ?? '';
    const answer = await caller.call({ method, url: '/users/logout' });
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect(caller.cookies.has('kasente_session')).toBe(false);
    caller.cookies.set('kasente_session', token);
    expect((await caller.get('/users/session')).status).toBe(401);
    expect(await actionsOf(app, person.username)).toEqual(['account.logged-in', 'account.logged-out']);
  });

  it('succeeds without a session, and with an expired one', async () => {
    expect((await app.visitor().post('/users/logout')).status).toBe(200);
    expect((await app.visitor().post('/users/logout', {})).status).toBe(200);
    const { caller } = await buildSignedIn(app);
    app.clock.advance(HOUR_SECONDS);
    expect((await caller.get('/users/logout')).body).toEqual({ success: true });
  });

  it.each([
    ['a navigation', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }],
    ['an address typed in', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }],
    ['an image tag', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['a prefetch', { 'sec-purpose': 'prefetch' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sister site', { 'sec-fetch-site': 'same-site' }],
  ])('by GET is refused to %s', async (_what, headers) => {
    const { caller } = await buildSignedIn(app);
    const answer = await caller.get('/users/logout', headers);
    expect([answer.status, answer.body.code]).toEqual([403, 'CROSS_SITE']);
    expect((await caller.get('/users/session')).status).toBe(200);
  });

  it('by GET needs X-Requested-With if there are no Sec-Fetch headers', async () => {
    const { caller } = await buildSignedIn(app);
    const cookies = Object.fromEntries(caller.cookies);
    const call = (headers: Record<string, string>) =>
      app.server.inject({ method: 'GET', url: '/api/v1/users/logout', cookies, headers });
    expect((await call({})).statusCode).toBe(403);
    expect((await call({ origin: 'https://elsewhere.test' })).statusCode).toBe(403);
    expect((await caller.get('/users/session')).status).toBe(200);
    expect((await call({ 'x-requested-with': 'fetch' })).statusCode).toBe(200);
    expect((await caller.get('/users/session')).status).toBe(401);
  });

  it.each([
    '/users/login',
    '/users/register',
    '/users/verify_username',
    '/users/resend_pin',
    '/users/logout',
    '/reset_password/request',
    '/reset_password/otp',
    '/reset_password/do',
  ])('%s is refused to another site before its body is looked at', async (url) => {
    const answer = await app.visitor().post(url, { nonsense: true }, { 'sec-fetch-site': 'cross-site' });
    expect([answer.status, answer.body.code]).toEqual([403, 'CROSS_SITE']);
  });
});
