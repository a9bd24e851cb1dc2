import { describe, expect, it } from 'vitest';
import { MINUTE_SECONDS } from '#contract/time/durations.ts';
import {
  actionsOf,
  doReset,
  enterResetCode,
  logIn,
  messagesTo,
  NEW_PASSWORD,
  newestCode,
  requestReset,
} from '#server/accounts/accounts.harness.ts';
import { buildEnrolled, codeOf, firstStep, secondStep } from '#server/accounts/own-account.harness.ts';
import { buildSignedIn, TEST_PASSWORD } from '#testing/builders.ts';
import { type Answer, appOfFile, type TestCaller } from '#testing/test-app.ts';

const WRONG = 'Not-the-password-1';

const app = appOfFile();

function change(caller: TestCaller, password: string, newPassword: string = NEW_PASSWORD): Promise<Answer> {
  return caller.post('/users/password', { password, newPassword });
}

describe('changing one’s own password', () => {
  it('keeps this session, ends the others, notifies the owner and is logged', async () => {
    const { caller, person } = await buildSignedIn(app);
    const elsewhere = app.visitor();
    await logIn(elsewhere, person.username, TEST_PASSWORD);
    const stolen = app.visitor();
    for (const [name, token] of caller.cookies) stolen.cookies.set(name, token);
    const answer = await change(caller, TEST_PASSWORD);
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect((await stolen.get('/users/session')).status).toBe(401);
    expect((await caller.get('/users/session')).status).toBe(200);
    expect((await elsewhere.get('/users/session')).status).toBe(401);
    expect((await logIn(app.visitor(), person.username, TEST_PASSWORD)).status).toBe(401);
    expect((await logIn(app.visitor(), person.username, NEW_PASSWORD)).status).toBe(200);
    const [message] = await messagesTo(app, person.username);
    expect(message?.subject).toBe('Your Kasente password was changed');
    expect(await actionsOf(app, person.username)).toContain('account.password-changed');
    const events = await app.platform.db.selectFrom('audit_events').selectAll().execute();
    const told = JSON.stringify([events, message]);
    for (const secret of [TEST_PASSWORD, NEW_PASSWORD, 'argon2']) expect(told).not.toContain(secret);
  });

  it('ends an open reset and a login at its second step', async () => {
    const { caller, person, secret } = await buildEnrolled(app);
    const { body: requested } = await requestReset(app, person.username);
    const { body: earned } = await enterResetCode(app, requested.data.tag, await newestCode(app, person.username));
    const handle = await firstStep(app.visitor(), person.username);
    expect((await change(caller, TEST_PASSWORD)).status).toBe(200);
    expect((await doReset(app, earned.data.tag, 'Another-2028-mandazi')).body.code).toBe('RESET_ENDED');
    expect((await secondStep(app.visitor(), handle, codeOf(app, secret))).body.code).toBe('SECOND_FACTOR_ENDED');
  });

  it('needs the current password, counted as at the login: ten wrong ones, then growing delays', async () => {
    const { caller, person } = await buildSignedIn(app);
    for (let wrong = 0; wrong < 10; wrong += 1) {
      const answer = await change(caller, WRONG);
      expect([answer.status, answer.body.code]).toEqual([422, 'WRONG_PASSWORD']);
      expect(answer.body.fields).toEqual({ password: 'This is not your current password' });
    }
    const held = await change(caller, TEST_PASSWORD);
    expect([held.status, held.body.code, held.headers['retry-after']]).toEqual([429, 'LOGIN_THROTTLED', '60']);
    // Logging in isn't delayed by it, and doesn't reset the tries here.
    expect((await logIn(app.visitor(), person.username, TEST_PASSWORD)).status).toBe(200);
    app.clock.advance(MINUTE_SECONDS);
    expect((await change(caller, WRONG)).status).toBe(422);
    expect((await change(caller, TEST_PASSWORD)).headers['retry-after']).toBe('120');
    app.clock.advance(2 * MINUTE_SECONDS);
    expect((await change(caller, TEST_PASSWORD)).status).toBe(200);
    expect((await change(caller, WRONG)).status).toBe(422);
  });

  it('is not delayed by other people’s guesses at the login', async () => {
    const { caller, person } = await buildSignedIn(app);
    for (let wrong = 0; wrong < 11; wrong += 1) await logIn(app.visitor(), person.username, WRONG);
    expect((await change(caller, TEST_PASSWORD)).status).toBe(200);
  });

  it('counts exactly when 50 wrong ones are sent concurrently', async () => {
    const { caller } = await buildSignedIn(app);
    const answers = await Promise.all(Array.from({ length: 50 }, () => change(caller, WRONG)));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
  });

  it('succeeds for one of two concurrent calls, and ends the other’s session', async () => {
    const { caller, person } = await buildSignedIn(app);
    const elsewhere = app.visitor();
    await logIn(elsewhere, person.username, TEST_PASSWORD);
    const answers = await Promise.all([
      change(caller, TEST_PASSWORD, 'First-2028-mandazi'),
      change(elsewhere, TEST_PASSWORD, 'Second-2028-mandazi'),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    const alive = [await caller.get('/users/session'), await elsewhere.get('/users/session')];
    expect(alive.map(({ status }) => status)).toEqual(answers.map(({ status }) => (status === 200 ? 200 : 401)));
  });

  it('applies the password policy to the new password', async () => {
    const { caller, person } = await buildSignedIn(app);
    for (const [newPassword, status, code] of [
      ['short', 400, 'BAD_REQUEST'],
      ['x'.repeat(257), 400, 'BAD_REQUEST'],
      ['password123', 422, 'PASSWORD_COMMON'],
      [`+256${person.username.slice(1)}`, 422, 'PASSWORD_IS_USERNAME'],
    ] as const) {
      const answer = await change(caller, TEST_PASSWORD, newPassword);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect(answer.body.fields).toHaveProperty('newPassword');
    }
    expect((await logIn(app.visitor(), person.username, TEST_PASSWORD)).status).toBe(200);
  });
});
