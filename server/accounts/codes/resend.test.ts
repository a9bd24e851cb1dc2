import { describe, expect, it } from 'vitest';
import { DAY_SECONDS, HOUR_SECONDS } from '#contract/time/durations.ts';
import {
  enterPin,
  logIn,
  messagesTo,
  newEmail,
  newestCode,
  newPhone,
  register,
  requestReset,
} from '#server/accounts/accounts.harness.ts';
import { appOfFile } from '#testing/test-app.ts';

const app = appOfFile();

const resend = (userTag: string) => app.visitor().post('/users/resend_pin', { userTag });

describe('resending a PIN', () => {
  it('sends a new one; the old one stops working, the handle stays valid', async () => {
    const phone = newPhone();
    const { body } = await register(app, phone);
    const old = await newestCode(app, phone);
    app.clock.advance(60);
    const answer = await resend(body.userTag);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, msg: 'A new verification code has been sent.' });
    expect(await messagesTo(app, phone)).toHaveLength(2);
    const pin = await newestCode(app, phone);
    if (old !== pin) expect((await enterPin(app, body.userTag, old)).status).toBe(422);
    expect((await enterPin(app, body.userTag, pin)).status).toBe(200);
  });

  it('is refused within 60 s of the sign-up or the last PIN', async () => {
    const { body } = await register(app, newEmail());
    for (const _round of ['after the sign-up', 'after the last one']) {
      app.clock.advance(59);
      const early = await resend(body.userTag);
      expect(early.status).toBe(429);
      expect(early.body.code).toBe('CODE_COOLDOWN');
      expect(early.headers['retry-after']).toBe('1');
      app.clock.advance(1);
      expect((await resend(body.userTag)).status).toBe(200);
    }
  });

  it('starts a new period of 300 s', async () => {
    const phone = newPhone();
    const { body } = await register(app, phone);
    app.clock.advance(400);
    await resend(body.userTag);
    app.clock.advance(299);
    expect((await enterPin(app, body.userTag, await newestCode(app, phone))).status).toBe(200);
  });

  it('works with a handle that is days old, but not with an unknown one', async () => {
    const { body } = await register(app, newPhone());
    app.clock.advance(3 * DAY_SECONDS);
    expect((await resend(body.userTag)).status).toBe(200);
    app.clock.advance(5 * DAY_SECONDS);
    expect((await resend(body.userTag)).body.code).toBe('WRONG_PIN');
    expect((await resend('y'.repeat(43))).body.code).toBe('WRONG_PIN');
  });

  it('is refused once the sign-up is confirmed', async () => {
    const phone = newPhone();
    const { body } = await register(app, phone);
    await enterPin(app, body.userTag, await newestCode(app, phone));
    app.clock.advance(60);
    const answer = await resend(body.userTag);
    expect([answer.status, answer.body.code]).toEqual([422, 'WRONG_PIN']);
    expect(await messagesTo(app, phone)).toHaveLength(1);
  });

  it('sends one PIN for 20 concurrent requests', async () => {
    const phone = newPhone();
    const { body } = await register(app, phone);
    app.clock.advance(60);
    const answers = await Promise.all(Array.from({ length: 20 }, () => resend(body.userTag)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body: { code } }) => code === 'CODE_COOLDOWN')).toHaveLength(19);
    expect(await messagesTo(app, phone)).toHaveLength(2);
  });
});

describe('a recipient’s limits', () => {
  it('are 5 codes an hour and 10 a day, over both flows', async () => {
    const email = newEmail();
    const askInTurn = async (): Promise<number[]> => {
      const statuses = [];
      for (const ask of [register, requestReset, register, requestReset, register, requestReset]) {
        statuses.push((await ask(app, email)).status);
        app.clock.advance(60);
      }
      return statuses;
    };
    expect(await askInTurn()).toEqual([200, 200, 200, 200, 200, 429]);
    const limited = await register(app, email);
    expect(limited.body.code).toBe('CODE_LIMIT');
    // The first was sent 360 s ago, so another is allowed in 3240 s.
    expect(limited.headers['retry-after']).toBe('3240');
    app.clock.advance(3239);
    expect((await register(app, email)).status).toBe(429);
    app.clock.advance(1);
    expect((await register(app, email)).status).toBe(200);
    app.clock.advance(HOUR_SECONDS);
    const rest = await askInTurn();
    expect(rest).toEqual([200, 200, 200, 200, 429, 429]);
    const untilTomorrow = Number((await register(app, email)).headers['retry-after']);
    expect(untilTomorrow).toBeGreaterThan(20 * HOUR_SECONDS);
    app.clock.advance(untilTomorrow - 1);
    expect((await register(app, email)).body.code).toBe('CODE_LIMIT');
    app.clock.advance(1);
    expect((await register(app, email)).status).toBe(200);
  });

  it('apply to resending, with Retry-After', async () => {
    const { body } = await register(app, newPhone());
    for (let sent = 1; sent < 5; sent += 1) {
      app.clock.advance(60);
      expect((await resend(body.userTag)).status).toBe(200);
    }
    app.clock.advance(60);
    const answer = await resend(body.userTag);
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([429, 'CODE_LIMIT', '3300']);
  });

  it('allow correcting a sign-up, because the cooldown does not apply to it', async () => {
    const phone = newPhone();
    expect((await register(app, phone)).status).toBe(200);
    expect((await register(app, phone)).status).toBe(200);
  });

  it('do not affect other recipients', async () => {
    const [one, other] = [newPhone(), newPhone()];
    for (let sent = 0; sent < 6; sent += 1) await register(app, one);
    expect((await register(app, one)).status).toBe(429);
    expect((await register(app, other)).status).toBe(200);
  });
});

describe('logging in before the PIN was entered', () => {
  it('returns a person to the PIN step with a handle of their own, and sends nothing', async () => {
    const phone = newPhone();
    const { body } = await register(app, phone);
    const visitor = app.visitor();
    const answer = await logIn(visitor, phone);
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({
      success: false,
      msg: 'Enter the code we sent you to finish signing up',
      code: 'PIN_PENDING',
      userTag: expect.stringMatching(/^[\w-]{43}$/),
      mode: 'other',
      resendAfterSeconds: 60,
      worksSeconds: 300,
    });
    expect(answer.body.userTag).not.toBe(body.userTag);
    expect(visitor.cookies.size).toBe(0);
    expect(await messagesTo(app, phone)).toHaveLength(1);
    expect((await enterPin(app, answer.body.userTag, await newestCode(app, phone))).status).toBe(200);
  });

  it('says how long the sent code still works, and nothing about an expired one', async () => {
    const phone = newPhone();
    await register(app, phone);
    app.clock.advance(100);
    const during = await logIn(app.visitor(), phone);
    expect([during.body.worksSeconds, during.body.resendAfterSeconds]).toEqual([200, 0]);
    app.clock.advance(300);
    expect((await logIn(app.visitor(), phone)).body.worksSeconds).toBe(0);
  });

  it('leaves earlier handles valid', async () => {
    const email = newEmail();
    const { body } = await register(app, email);
    expect((await logIn(app.visitor(), email)).body.mode).toBe('email');
    await logIn(app.visitor(), email);
    expect((await enterPin(app, body.userTag, await newestCode(app, email))).status).toBe(200);
  });

  it('reveals nothing to a wrong password', async () => {
    const phone = newPhone();
    await register(app, phone);
    expect((await logIn(app.visitor(), phone, 'Not-the-password-1')).body).toEqual({
      success: false,
      msg: 'Wrong phone/email and/or password',
      code: 'LOGIN_FAILED',
    });
  });

  it('allows requesting a PIN if there is no sign-up attempt any more', async () => {
    const phone = newPhone();
    await register(app, phone);
    app.clock.advance(60);
    await app.platform.db.deleteFrom('code_attempts').where('recipient', '=', phone).execute();
    const { body } = await logIn(app.visitor(), phone);
    expect((await enterPin(app, body.userTag, await newestCode(app, phone))).status).toBe(422);
    expect((await resend(body.userTag)).status).toBe(200);
    expect((await enterPin(app, body.userTag, await newestCode(app, phone))).status).toBe(200);
  });
});
