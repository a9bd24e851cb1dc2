import { describe, expect, it, onTestFinished } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import {
  blanked,
  messagesTo,
  newEmail,
  newPhone,
  PASSWORD,
  register,
  requestReset,
} from '#server/accounts/accounts.harness.ts';
import { buildPerson } from '#testing/builders.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';

/** Sign-ups send texts to any number that somebody types. These limits apply to a day, over everybody. */

const app = appOfFile({ SIGN_UP_TEXTS_A_DAY: '3' });

describe('the text messages of sign-ups', () => {
  it('are limited per day, for known and new numbers alike, also for 20 concurrent sign-ups', async () => {
    const { username: known } = await buildPerson(app);
    const { body } = await register(app, newPhone());
    app.clock.advance(60);
    const phones = [known, ...Array.from({ length: 19 }, newPhone)];
    const answers = await Promise.all(phones.map((phone) => register(app, phone)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(18);
    expect(refused[0]?.body).toEqual({
      success: false,
      msg: 'You asked for too many codes. Try again in 24 hours. You can sign up with your email now',
      code: 'CODE_LIMIT',
    });
    expect(refused[0]?.headers['retry-after']).toBe(String(DAY_SECONDS - 60));
    const sent = await app.platform.db.selectFrom('messages').where('channel', '=', 'sms').selectAll().execute();
    expect(sent).toHaveLength(3);
    const resent = await app.visitor().post('/users/resend_pin', { userTag: body.userTag });
    expect([resent.status, resent.body.code]).toEqual([429, 'CODE_LIMIT']);
    expect(blanked(await register(app, known))).toEqual(blanked(await register(app, newPhone())));
  });

  it('do not affect sign-ups by e-mail or resets when they are used up, and restart a day after the first', async () => {
    expect((await register(app, newEmail())).status).toBe(200);
    const { username } = await buildPerson(app);
    expect((await requestReset(app, username)).status).toBe(200);
    expect(await messagesTo(app, username)).toHaveLength(1);
    app.clock.advance(DAY_SECONDS - 61);
    expect((await register(app, newPhone())).status).toBe(429);
    app.clock.advance(1);
    expect((await register(app, newPhone())).status).toBe(200);
  });
});

describe('the text messages of sign-ups from one address', () => {
  it('are at most a tenth of the day’s, and do not affect other addresses or e-mail', async () => {
    const large = await createTestApp({ SIGN_UP_TEXTS_A_DAY: '300' });
    onTestFinished(() => large.close());
    const from = (remoteAddress: string, contact: Record<string, string>) =>
      large.visitor().call({
        method: 'POST',
        url: '/users/register',
        remoteAddress,
        payload: { password: PASSWORD, gender: 'female', industryId: 1, districtId: 1, ...contact },
      });
    const texts = (count: number, remoteAddress: string) =>
      Promise.all(Array.from({ length: count }, () => from(remoteAddress, { phone: newPhone() })));
    const refused = (await texts(40, '2001:db8::1')).filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(10);
    for (const { body, headers } of refused) {
      expect(body.code).toBe('CODE_LIMIT');
      expect(headers['retry-after']).toBe(String(DAY_SECONDS));
    }
    // The rest of its network counts with it; nobody else does.
    expect((await from('2001:db8::2', { phone: newPhone() })).status).toBe(429);
    expect((await from('2001:db8::1', { email: newEmail() })).status).toBe(200);
    expect((await texts(30, '192.0.2.1')).map(({ status }) => status)).not.toContain(429);
    const everybody = large.platform.db.selectFrom('address_limits').where('key', '=', 'day:sign-up-texts');
    expect((await everybody.select('points').executeTakeFirstOrThrow()).points).toBe(60);
    large.clock.advance(DAY_SECONDS);
    expect((await from('2001:db8::1', { phone: newPhone() })).status).toBe(200);
  });

  it('are at least 20, even if the day’s limit is small', async () => {
    const small = await createTestApp({ SIGN_UP_TEXTS_A_DAY: '50' });
    onTestFinished(() => small.close());
    const answers = await Promise.all(Array.from({ length: 25 }, () => register(small, newPhone())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  });
});
