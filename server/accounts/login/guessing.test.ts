import { describe, expect, it } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import {
  actionsOf,
  blanked,
  doReset,
  enterPin,
  enterResetCode,
  logIn,
  messagesTo,
  NEW_PASSWORD,
  newEmail,
  newestCode,
  newestLink,
  newPhone,
  otherThan,
  personOf,
  register,
  requestReset,
  signUp,
} from '#server/accounts/accounts.harness.ts';
import { buildPerson } from '#testing/builders.ts';
import { appOfFile } from '#testing/test-app.ts';

const app = appOfFile({ PUBLIC_URL: 'https://kasente.test' });

/** Enters wrong PINs one after another, and returns the result of each. */
async function guessPins(userTag: string, right: string, times: number): Promise<string[]> {
  const codes = [];
  for (let guess = 1; guess <= times; guess += 1) {
    codes.push((await enterPin(app, userTag, otherThan(right, guess))).body.code);
  }
  return codes;
}

/** A recipient who is blocked after ten wrong PINs for a sign-up. */
async function block(username: string): Promise<string> {
  const { body } = await register(app, username);
  await guessPins(body.userTag, await newestCode(app, username), 10);
  return body.userTag;
}

describe('wrong codes', () => {
  it('invalidate a code at the fifth: then the right one is refused, too', async () => {
    const phone = newPhone();
    const { body } = await register(app, phone);
    const pin = await newestCode(app, phone);
    expect(await guessPins(body.userTag, pin, 5)).toEqual(Array(5).fill('WRONG_PIN'));
    expect((await enterPin(app, body.userTag, pin)).body.code).toBe('WRONG_PIN');
    expect((await personOf(app, phone))?.status).toBe('Pending');
  });

  it('leave a code valid at the fourth', async () => {
    const phone = newPhone();
    const { body } = await register(app, phone);
    const pin = await newestCode(app, phone);
    await guessPins(body.userTag, pin, 4);
    expect((await enterPin(app, body.userTag, pin)).status).toBe(200);
  });

  it('are limited to five for each code: a new code has its own five', async () => {
    const phone = newPhone();
    const { body } = await register(app, phone);
    await guessPins(body.userTag, await newestCode(app, phone), 3);
    app.clock.advance(60);
    await app.visitor().post('/users/resend_pin', { userTag: body.userTag });
    const pin = await newestCode(app, phone);
    await guessPins(body.userTag, pin, 4);
    expect((await enterPin(app, body.userTag, pin)).status).toBe(200);
  });

  it('block the recipient at the tenth, over two codes: a new code does not reset the count', async () => {
    const phone = newPhone();
    const { body } = await register(app, phone);
    await guessPins(body.userTag, await newestCode(app, phone), 5);
    app.clock.advance(60);
    await app.visitor().post('/users/resend_pin', { userTag: body.userTag });
    expect(await guessPins(body.userTag, await newestCode(app, phone), 6)).toEqual([
      ...Array(5).fill('WRONG_PIN'),
      'CODE_BLOCKED',
    ]);
    app.clock.advance(60);
    await app.visitor().post('/users/resend_pin', { userTag: body.userTag });
    const answer = await enterPin(app, body.userTag, await newestCode(app, phone));
    expect([answer.status, answer.body.code]).toEqual([429, 'CODE_BLOCKED']);
    expect(answer.headers['retry-after']).toBe(String(DAY_SECONDS - 60));
  });

  it('are counted over both flows', async () => {
    const phone = await signUp(app);
    app.clock.advance(60);
    const reset = await requestReset(app, phone);
    const code = await newestCode(app, phone);
    for (let guess = 1; guess <= 9; guess += 1) await enterResetCode(app, reset.body.data.tag, otherThan(code, guess));
    const { body } = await register(app, phone);
    expect((await enterPin(app, body.userTag, '00000')).body.code).toBe('WRONG_PIN');
    expect((await enterResetCode(app, reset.body.data.tag, code)).body.code).toBe('CODE_BLOCKED');
  });

  it('are reset by a right one', async () => {
    const phone = newPhone();
    const first = await register(app, phone);
    await guessPins(first.body.userTag, await newestCode(app, phone), 9);
    const second = await register(app, phone);
    expect((await enterPin(app, second.body.userTag, await newestCode(app, phone))).status).toBe(200);
    const reset = await requestReset(app, phone);
    const code = await newestCode(app, phone);
    for (let guess = 1; guess <= 4; guess += 1) {
      expect((await enterResetCode(app, reset.body.data.tag, otherThan(code, guess))).body.code).toBe('WRONG_CODE');
    }
    expect((await enterResetCode(app, reset.body.data.tag, code)).status).toBe(200);
  });

  it('only count within a day', async () => {
    const phone = newPhone();
    const { body } = await register(app, phone);
    const pin = await newestCode(app, phone);
    await guessPins(body.userTag, pin, 5);
    app.clock.advance(DAY_SECONDS - 1);
    await guessPins(body.userTag, pin, 4);
    app.clock.advance(1);
    // The first five are a day old now; five more make nine.
    expect(await guessPins(body.userTag, pin, 5)).toEqual(Array(5).fill('WRONG_PIN'));
    expect(await guessPins(body.userTag, pin, 2)).toEqual(['WRONG_PIN', 'CODE_BLOCKED']);
  });

  it('are counted exactly for 50 concurrent tries, and one link is sent', async () => {
    const email = newEmail();
    const { body } = await register(app, email);
    const pin = await newestCode(app, email);
    const guesses = Array.from({ length: 50 }, (_, index) => enterPin(app, body.userTag, otherThan(pin, index + 1)));
    const answers = await Promise.all(guesses);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
    expect(answers.filter(({ status, body: { code } }) => status === 429 && code === 'CODE_BLOCKED')).toHaveLength(40);
    expect((await messagesTo(app, email)).filter((message) => message.body.includes('#'))).toHaveLength(1);
    const budget = await app.platform.db
      .selectFrom('code_budgets')
      .where('recipient', '=', email)
      .selectAll()
      .execute();
    expect(budget[0]?.wrong_at).toHaveLength(10);
  });

  it('do not block another recipient', async () => {
    await block(newPhone());
    const phone = newPhone();
    const { body } = await register(app, phone);
    expect((await enterPin(app, body.userTag, await newestCode(app, phone))).status).toBe(200);
  });
});

describe('a blocked recipient', () => {
  it('can use codes again after a day', async () => {
    const phone = newPhone();
    await block(phone);
    app.clock.advance(DAY_SECONDS - 1);
    const { body } = await register(app, phone);
    const pin = await newestCode(app, phone);
    const answer = await enterPin(app, body.userTag, pin);
    expect([answer.body.code, answer.headers['retry-after']]).toEqual(['CODE_BLOCKED', '1']);
    app.clock.advance(1);
    expect((await enterPin(app, body.userTag, pin)).status).toBe(200);
  });

  it('is sent a link that sets a password, verifies the person, and makes codes work again', async () => {
    const phone = newPhone();
    await block(phone);
    const message = (await messagesTo(app, phone)).at(-1);
    expect(message?.body).toMatch(/https:\/\/kasente\.test\/reset-password#[\w-]{43} /);
    const answer = await doReset(app, await newestLink(app, phone));
    expect(answer.status).toBe(200);
    expect((await personOf(app, phone))?.status).toBe('Verified');
    expect((await logIn(app.visitor(), phone, NEW_PASSWORD)).status).toBe(200);
    app.clock.advance(60);
    const reset = await requestReset(app, phone);
    expect((await enterResetCode(app, reset.body.data.tag, await newestCode(app, phone))).status).toBe(200);
    expect(await actionsOf(app, phone)).toEqual([
      'account.registered',
      'account.codes-blocked',
      'account.password-reset',
      'account.logged-in',
      'account.reset-requested',
    ]);
  });

  it('has a link that works once, and for 24 hours', async () => {
    const [used, late] = [newPhone(), newPhone()];
    await block(used);
    await block(late);
    app.clock.advance(DAY_SECONDS - 1);
    const link = await newestLink(app, used);
    expect((await doReset(app, link)).status).toBe(200);
    expect((await doReset(app, link)).body.code).toBe('RESET_ENDED');
    app.clock.advance(1);
    expect((await doReset(app, await newestLink(app, late))).body.code).toBe('RESET_ENDED');
  });

  it('ends their open sign-up by using the link', async () => {
    const phone = newPhone();
    const userTag = await block(phone);
    const pin = await newestCode(app, phone);
    await doReset(app, await newestLink(app, phone));
    expect((await enterPin(app, userTag, pin)).body.code).toBe('WRONG_PIN');
  });

  it('without an owner gets the same replies, and nothing is sent', async () => {
    const [known, unknown] = [await signUp(app), newPhone()];
    app.clock.advance(60);
    const guess = async (username: string): Promise<unknown[]> => {
      const { body } = await requestReset(app, username);
      const right = username === known ? await newestCode(app, username) : '00000';
      const answers = [];
      for (let index = 1; index <= 11; index += 1) {
        answers.push(await enterResetCode(app, body.data.tag, otherThan(right, index)));
      }
      return answers.map(blanked);
    };
    expect(await guess(unknown)).toEqual(await guess(known));
    expect(await messagesTo(app, unknown)).toEqual([]);
    expect(await newestLink(app, known)).toHaveLength(43);
  });

  it('who signs up only then gets the link with the PIN, once', async () => {
    const phone = newPhone();
    const reset = await requestReset(app, phone);
    for (let guess = 0; guess < 10; guess += 1) await enterResetCode(app, reset.body.data.tag, '00000');
    await register(app, phone);
    await register(app, phone);
    const messages = await messagesTo(app, phone);
    expect(messages.filter(({ body }) => body.includes('#'))).toHaveLength(1);
    expect(messages.filter(({ body }) => body.includes('PIN'))).toHaveLength(2);
    expect((await doReset(app, await newestLink(app, phone))).status).toBe(200);
  });

  it('who is deactivated gets no link', async () => {
    const { username } = await buildPerson(app, { status: 'Deactivated' });
    const { body } = await register(app, username);
    for (let guess = 0; guess < 10; guess += 1) await enterPin(app, body.userTag, '00000');
    expect((await messagesTo(app, username)).filter((message) => message.body.includes('#'))).toEqual([]);
  });
});
