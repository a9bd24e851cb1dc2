import { describe, expect, it } from 'vitest';
import {
  actionsOf,
  blanked,
  doReset,
  earnReset,
  enterPin,
  enterResetCode,
  logIn,
  messagesTo,
  NEW_PASSWORD,
  newEmail,
  newestCode,
  newPhone,
  otherThan,
  PASSWORD,
  personOf,
  register,
  requestReset,
  untoldCode,
} from '#server/accounts/accounts.harness.ts';
import { buildPerson, buildSignedIn, TEST_PASSWORD } from '#testing/builders.ts';
import { appOfFile } from '#testing/test-app.ts';

const app = appOfFile();

describe('requesting a reset', () => {
  it('sends a code to the username and returns a handle', async () => {
    const { username } = await buildPerson(app);
    const answer = await requestReset(app, username);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, data: { tag: expect.stringMatching(/^[\w-]{43}$/) } });
    const messages = await messagesTo(app, username);
    expect(messages).toHaveLength(1);
    expect(messages[0]?.body.match(/\d{5}/g)).toHaveLength(1);
    expect(await actionsOf(app, username)).toEqual(['account.reset-requested']);
  });

  it('accepts a phone number in any format', async () => {
    const { username } = await buildPerson(app);
    expect((await requestReset(app, `\u202a+256 (0)${username.slice(1, 4)}-${username.slice(4)}\u202c`)).status).toBe(
      200,
    );
    expect(await messagesTo(app, username)).toHaveLength(1);
  });

  it('gives the same reply to an unknown and a deactivated username, also when repeated, and sends nothing', async () => {
    const { username: known } = await buildPerson(app);
    const { username: deactivated } = await buildPerson(app, { status: 'Deactivated' });
    const unknown = newPhone();
    const steps = async (username: string): Promise<unknown[]> => {
      const answers = [];
      for (const wait of [0, 30, 30, 60, 60, 60, 60]) {
        app.clock.advance(wait);
        answers.push(await requestReset(app, username));
      }
      return answers.map(blanked);
    };
    const ofKnown = await steps(known);
    expect(await steps(unknown)).toEqual(ofKnown);
    expect(await steps(deactivated)).toEqual(ofKnown);
    expect(await messagesTo(app, known)).toHaveLength(5);
    expect(await messagesTo(app, unknown)).toEqual([]);
    expect(await messagesTo(app, deactivated)).toEqual([]);
    expect(
      await app.platform.db
        .selectFrom('audit_events')
        .where('subject_tag', '=', (await personOf(app, deactivated))?.tag ?? '')
        .selectAll()
        .execute(),
    ).toEqual([]);
  });

  it('needs 60 s between two requests, and invalidates the old code', async () => {
    const { username } = await buildPerson(app);
    const first = await requestReset(app, username);
    const old = await newestCode(app, username);
    app.clock.advance(59);
    const early = await requestReset(app, username);
    expect([early.status, early.body.code, early.headers['retry-after']]).toEqual([429, 'CODE_COOLDOWN', '1']);
    app.clock.advance(1);
    const second = await requestReset(app, username);
    expect((await enterResetCode(app, first.body.data.tag, old)).body.code).toBe('WRONG_CODE');
    const code = await newestCode(app, username);
    expect((await enterResetCode(app, first.body.data.tag, code)).body.code).toBe('WRONG_CODE');
    expect((await enterResetCode(app, second.body.data.tag, code)).status).toBe(200);
  });

  it('has a cooldown of its own: a recent sign-up does not delay it', async () => {
    const phone = newPhone();
    await register(app, phone);
    expect((await requestReset(app, phone)).status).toBe(200);
  });

  it.each(['hello', 'nobody@nowhere', '0414 123 456', '12345'])('refuses an invalid username: %s', async (username) => {
    const answer = await requestReset(app, username);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      success: false,
      msg: 'Try again with email or phone number as registered',
      code: 'NOT_A_USERNAME',
      fields: { username: 'Try again with email or phone number as registered' },
    });
  });

  it('refuses an empty username as the form does', async () => {
    const answer = await requestReset(app, '  ');
    expect(answer.body.fields).toEqual({ username: 'Please enter your phone number or email' });
  });
});

describe('the reset code', () => {
  it('is exchanged for a handle of another purpose', async () => {
    const { username } = await buildPerson(app);
    const requested = await requestReset(app, username);
    const answer = await enterResetCode(app, requested.body.data.tag, await newestCode(app, username));
    expect(answer.body).toEqual({ success: true, data: { tag: expect.stringMatching(/^[\w-]{43}$/) } });
    expect(answer.body.data.tag).not.toBe(requested.body.data.tag);
    expect((await doReset(app, requested.body.data.tag)).body.code).toBe('RESET_ENDED');
    expect((await enterResetCode(app, answer.body.data.tag, '12345')).body.code).toBe('WRONG_CODE');
  });

  it('is refused with the same reply when wrong, used, expired or for an unknown handle', async () => {
    const { username } = await buildPerson(app);
    const tag = (await requestReset(app, username)).body.data.tag;
    const code = await newestCode(app, username);
    const wrong = await enterResetCode(app, tag, otherThan(code));
    expect(wrong.status).toBe(422);
    expect(wrong.body).toEqual({
      success: false,
      msg: 'The verification code you entered is incorrect. Please try again.',
      code: 'WRONG_CODE',
    });
    await enterResetCode(app, tag, code);
    const { username: other } = await buildPerson(app);
    const late = (await requestReset(app, other)).body.data.tag;
    app.clock.advance(300);
    for (const answer of [
      await enterResetCode(app, tag, code),
      await enterResetCode(app, late, await newestCode(app, other)),
      await enterResetCode(app, 'z'.repeat(43), code),
    ]) {
      expect(blanked(answer)).toEqual(blanked(wrong));
    }
  });

  it('is accepted to the last of its 300 seconds', async () => {
    const { username } = await buildPerson(app);
    const tag = (await requestReset(app, username)).body.data.tag;
    app.clock.advance(299);
    expect((await enterResetCode(app, tag, await newestCode(app, username))).status).toBe(200);
  });

  it('gives no access for an unknown username, even if guessed', async () => {
    const phone = newPhone();
    const { body } = await requestReset(app, phone);
    expect((await enterResetCode(app, body.data.tag, await untoldCode(app, phone))).body.code).toBe('WRONG_CODE');
  });

  it('does not confirm a sign-up, nor a PIN a reset', async () => {
    const phone = newPhone();
    const signUp = await register(app, phone);
    const pin = await newestCode(app, phone);
    const reset = await requestReset(app, phone);
    const code = await newestCode(app, phone);
    expect((await enterPin(app, reset.body.data.tag, code)).body.code).toBe('WRONG_PIN');
    expect((await enterResetCode(app, signUp.body.userTag, pin)).body.code).toBe('WRONG_CODE');
    expect((await personOf(app, phone))?.status).toBe('Pending');
  });

  it('gives one handle when it is entered 50 times concurrently', async () => {
    const { username } = await buildPerson(app);
    const tag = (await requestReset(app, username)).body.data.tag;
    const code = await newestCode(app, username);
    const answers = await Promise.all(Array.from({ length: 50 }, () => enterResetCode(app, tag, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'WRONG_CODE')).toHaveLength(49);
  });
});

describe('setting the new password', () => {
  it('replaces the old one and ends every session of the person', async () => {
    const { person, caller } = await buildSignedIn(app);
    const elsewhere = app.visitor();
    await logIn(elsewhere, person.username, TEST_PASSWORD);
    const stranger = await buildSignedIn(app);
    const answer = await doReset(app, await earnReset(app, person.username));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true });
    expect((await caller.get('/users/session')).status).toBe(401);
    expect((await elsewhere.get('/users/session')).status).toBe(401);
    expect((await stranger.caller.get('/users/session')).status).toBe(200);
    expect((await logIn(app.visitor(), person.username, TEST_PASSWORD)).status).toBe(401);
    expect((await logIn(app.visitor(), person.username, NEW_PASSWORD)).status).toBe(200);
  });

  it('works once, even for 20 concurrent calls', async () => {
    const { username } = await buildPerson(app);
    const handle = await earnReset(app, username);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => doReset(app, handle, `A-new-password-${index}`)),
    );
    const done = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
    expect(done).toHaveLength(1);
    expect(answers.filter(({ status, body }) => status === 422 && body.code === 'RESET_ENDED')).toHaveLength(19);
    expect((await logIn(app.visitor(), username, `A-new-password-${done[0]}`)).status).toBe(200);
  });

  it('is possible for 15 minutes', async () => {
    const [{ username: inTime }, { username: late }] = [await buildPerson(app), await buildPerson(app)];
    const handle = await earnReset(app, inTime);
    app.clock.advance(15 * 60 - 1);
    expect((await doReset(app, handle)).status).toBe(200);
    const other = await earnReset(app, late);
    app.clock.advance(15 * 60);
    expect((await doReset(app, other)).body).toEqual({
      success: false,
      msg: 'This password reset has ended. Please start again',
      code: 'RESET_ENDED',
    });
  });

  it('ends every other open reset of the person', async () => {
    const { username } = await buildPerson(app);
    const first = await earnReset(app, username);
    app.clock.advance(60);
    const second = await earnReset(app, username);
    app.clock.advance(60);
    const third = (await requestReset(app, username)).body.data.tag;
    const code = await newestCode(app, username);
    expect((await doReset(app, first)).status).toBe(200);
    expect((await doReset(app, second)).body.code).toBe('RESET_ENDED');
    expect((await enterResetCode(app, third, code)).body.code).toBe('WRONG_CODE');
  });

  it('refuses a common password and the username, and leaves the handle valid', async () => {
    const email = newEmail();
    await buildPerson(app, { username: email });
    const handle = await earnReset(app, email);
    const common = await doReset(app, handle, 'iloveyou');
    expect(common.status).toBe(422);
    expect(common.body).toMatchObject({ code: 'PASSWORD_COMMON', fields: { newPassword: expect.any(String) } });
    expect((await doReset(app, handle, email)).body.code).toBe('PASSWORD_IS_USERNAME');
    const short = await doReset(app, handle, 'Ab1-xyz');
    expect(short.body.fields).toEqual({ newPassword: 'Password must be at least 8 characters long' });
    expect((await doReset(app, handle)).status).toBe(200);
  });

  it('verifies a Pending person, whose earlier password stops working', async () => {
    const phone = newPhone();
    await register(app, phone);
    const handle = await earnReset(app, phone);
    // The code alone verifies nothing: the person who signed up may not be the owner, and knows the old password.
    expect((await personOf(app, phone))?.status).toBe('Pending');
    expect((await doReset(app, handle)).status).toBe(200);
    expect((await personOf(app, phone))?.status).toBe('Verified');
    expect((await logIn(app.visitor(), phone, PASSWORD)).status).toBe(401);
    expect((await logIn(app.visitor(), phone, NEW_PASSWORD)).status).toBe(200);
  });

  it('keeps an Active person Active', async () => {
    const { username } = await buildPerson(app, { perms: ['KSTAF'] });
    await doReset(app, await earnReset(app, username));
    expect(await personOf(app, username)).toMatchObject({ status: 'Active', permissions: ['KSTAF'] });
  });

  it('is refused if the person was deactivated in the meantime', async () => {
    const { username } = await buildPerson(app);
    const handle = await earnReset(app, username);
    await app.platform.db
      .updateTable('persons')
      .set({ status: 'Deactivated' })
      .where('username', '=', username)
      .execute();
    expect((await doReset(app, handle)).body.code).toBe('RESET_ENDED');
  });

  it('admits nobody who was logging in with the old password at that moment', async () => {
    const { username } = await buildPerson(app);
    const handle = await earnReset(app, username);
    const callers = Array.from({ length: 20 }, () => app.visitor());
    const [reset] = await Promise.all([
      doReset(app, handle),
      ...callers.map((caller) => logIn(caller, username, TEST_PASSWORD)),
    ]);
    expect(reset?.status).toBe(200);
    const sessions = await Promise.all(callers.map((caller) => caller.get('/users/session')));
    expect(sessions.filter(({ status }) => status === 200)).toEqual([]);
  });

  it('is logged without the password', async () => {
    const { username } = await buildPerson(app);
    await doReset(app, await earnReset(app, username));
    expect(await actionsOf(app, username)).toEqual(['account.reset-requested', 'account.password-reset']);
    const events = await app.platform.db.selectFrom('audit_events').selectAll().execute();
    expect(JSON.stringify(events)).not.toContain(NEW_PASSWORD);
    expect(JSON.stringify(events)).not.toContain('argon2');
  });
});
