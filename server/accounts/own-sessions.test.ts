import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { deviceName } from '#server/accounts/login/device-name.ts';
import { buildPerson, buildSession, buildSignedIn, TEST_PASSWORD } from '#testing/builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { actionsOf } from './accounts.harness.ts';

const PIXEL =
  'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15';

const app = appOfFile();

async function logInWith(username: string, userAgent: string) {
  const caller = app.visitor();
  const answer = await caller.post('/users/login', { username, password: TEST_PASSWORD }, { 'user-agent': userAgent });
  expect(answer.status).toBe(200);
  return caller;
}

describe('a person’s own sessions', () => {
  it('are listed with device, address and times, the current one first, without anything that grants access', async () => {
    const { username } = await buildPerson(app);
    const phone = await logInWith(username, PIXEL);
    const since = app.clock.now().toISOString();
    app.clock.advance(120);
    const desk = await logInWith(username, MAC);
    app.clock.advance(60);
    const { status, body } = await phone.get('/users/sessions');
    const now = app.clock.now();
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        tag: expect.stringMatching(/^[\da-f-]{36}$/),
        device: 'Chrome on Android',
        ip: '127.0.0.1',
        since,
        lastActive: now.toISOString(),
        current: true,
      },
      {
        tag: expect.any(String),
        device: 'Safari on a Mac',
        ip: '127.0.0.1',
        since: new Date(now.getTime() - MINUTE_MS).toISOString(),
        lastActive: new Date(now.getTime() - MINUTE_MS).toISOString(),
        current: false,
      },
    ]);
    app.clock.advance(15 * 60 - 1);
    expect((await desk.get('/users/sessions')).status).toBe(401);
    expect((await phone.get('/users/sessions')).body).toHaveLength(1);
  });

  it('are ended one by one, with immediate effect', async () => {
    const { username } = await buildPerson(app);
    const [phone, desk] = [await logInWith(username, PIXEL), await logInWith(username, MAC)];
    const { body } = await desk.get('/users/sessions');
    const end = () => desk.post(`/users/sessions/${body[1].tag}/end`, { password: TEST_PASSWORD });
    const ended = await end();
    expect([ended.status, ended.body]).toEqual([200, { success: true }]);
    expect((await phone.get('/users/session')).status).toBe(401);
    expect((await desk.get('/users/sessions')).body).toHaveLength(1);
    expect((await end()).status).toBe(404);
    expect((await actionsOf(app, username)).at(-1)).toBe('account.session-ended');
  });

  it('are ended except for the current one', async () => {
    const { username } = await buildPerson(app);
    const callers = [await logInWith(username, PIXEL), await logInWith(username, MAC), await logInWith(username, MAC)];
    const [mine] = callers;
    expect((await mine?.post('/users/sessions/end_others', { password: TEST_PASSWORD }))?.status).toBe(200);
    const answers = await Promise.all(callers.map((caller) => caller.get('/users/session')));
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401]);
    expect((await actionsOf(app, username)).at(-1)).toBe('account.other-sessions-ended');
  });

  it('can only be ended with the password, so a thief of one can’t log its owner out; wrong passwords are counted', async () => {
    const { username } = await buildPerson(app);
    const [phone, stolen] = [await logInWith(username, PIXEL), await logInWith(username, MAC)];
    const { body } = await stolen.get('/users/sessions');
    const paths = [`/users/sessions/${body[1].tag}/end`, '/users/sessions/end_others'];
    for (const path of paths) {
      const without = await stolen.post(path, {});
      expect([without.status, without.body.fields]).toEqual([400, { password: 'Enter your current password' }]);
      const wrong = await stolen.post(path, { password: 'a guess' });
      expect([wrong.status, wrong.body.code]).toEqual([422, 'WRONG_PASSWORD']);
    }
    expect((await phone.get('/users/session')).status).toBe(200);
    for (let guess = 2; guess < 10; guess += 1) await stolen.post(paths[1] ?? '', { password: `guess ${guess}` });
    const late = await stolen.post(paths[1] ?? '', { password: TEST_PASSWORD });
    expect([late.status, late.body.code]).toEqual([429, 'LOGIN_THROTTLED']);
  });

  it('are hidden from everybody else, even administrators', async () => {
    const owner = await buildSignedIn(app, { perms: ['BIDA'] });
    const tag = await buildSession(app, owner.person);
    for (const perms of [['KADMIN'], ['KSTAF'], ['BIDA'], []] as const) {
      const { caller } = await buildSignedIn(app, { perms });
      const answer = await caller.post(`/users/sessions/${tag}/end`, { password: TEST_PASSWORD });
      expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
      expect((await caller.get('/users/sessions')).body).toHaveLength(1);
      await caller.post('/users/sessions/end_others', { password: TEST_PASSWORD });
    }
    expect((await owner.caller.get('/users/sessions')).body).toHaveLength(2);
  });
});

describe('a device’s name', () => {
  it.each([
    [PIXEL, 'Chrome on Android'],
    [MAC, 'Safari on a Mac'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1',
      'Chrome on an iPhone',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; SM-A155F) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36',
      'Samsung Internet on Android',
    ],
    ['Opera/9.80 (Android; Opera Mini/84.0/191.0; U; en) Presto/2.12 Version/12.16', 'Opera on Android'],
    ['curl/8.14.1', 'Unknown device'],
    ['Mozilla/5.0 (Windows NT 10.0)', 'A browser on Windows'],
    ['Chrome/142.0', 'Chrome'],
    ['', 'Unknown device'],
    [null, 'Unknown device'],
  ])('%j is %s', (userAgent, name) => {
    expect(deviceName(userAgent)).toBe(name);
  });
});
