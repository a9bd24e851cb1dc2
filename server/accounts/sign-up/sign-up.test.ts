import { describe, expect, it, vi } from 'vitest';
import {
  actionsOf,
  blanked,
  enterPin,
  logIn,
  messagesTo,
  newEmail,
  newestCode,
  newPhone,
  otherThan,
  PASSWORD,
  personOf,
  register,
  signUp,
  untoldCode,
} from '#server/accounts/accounts.harness.ts';
import { createPasswords } from '#server/secrets/passwords.ts';
import { buildPerson } from '#testing/builders.ts';
import { appOfFile } from '#testing/test-app.ts';

const app = appOfFile({ PUBLIC_URL: 'http://kasente.test' }, { passwords: await createPasswords() });

describe('registering', () => {
  it('returns the specified reply and adds a Pending person with the given data', async () => {
    const phone = newPhone();
    const answer = await register(app, phone, { gender: 'male', industryId: 3, districtId: '4' });
    expect(answer.status).toBe(200);
    const { userTag, ...rest } = answer.body;
    expect(userTag).toMatch(/^[\w-]{43}$/);
    expect(rest).toEqual({ success: true, message: rest.msg, msg: expect.stringContaining('PIN'), mode: 'other' });
    const person = await personOf(app, phone);
    expect(person).toMatchObject({ status: 'Pending', phone, email: null, gender: 'male', first_name: null });
    expect(person).toMatchObject({ industry_id: 3, district_id: 4, permissions: [], business_id: null });
    expect(person?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('sends the PIN only to the username, as the only group of five digits', async () => {
    for (const [username, channel] of [
      [newPhone(), 'sms'],
      [newEmail(), 'email'],
    ] as const) {
      await register(app, username);
      const messages = await messagesTo(app, username);
      expect(messages).toHaveLength(1);
      expect(messages[0]).toMatchObject({ channel, to: username });
      expect(messages[0]?.body.match(/\d{5}/g)).toHaveLength(1);
      expect(messages[0]?.body).toMatch(/(?<!\d)\d{5}(?!\d)/);
      expect(messages[0]?.subject).not.toMatch(/\d/);
    }
  });

  it.each([
    ['+256 and spaces', (phone: string) => `+256 ${phone.slice(1, 4)} ${phone.slice(4)}`],
    ['256', (phone: string) => `256${phone.slice(1)}`],
    ['spaces', (phone: string) => ` ${phone.slice(0, 4)} ${phone.slice(4)} `],
    ['direction marks', (phone: string) => `\u202a+256 ${phone.slice(1)}\u202c`],
    ['dashes', (phone: string) => `${phone.slice(0, 4)}\u2011${phone.slice(4)}`],
    ['(0)', (phone: string) => `+256 (0) ${phone.slice(1)}`],
    ['00256', (phone: string) => `00256${phone.slice(1)}`],
    ['no 0', (phone: string) => phone.slice(1)],
  ])('keeps a phone number written with %s as 07 and 8 digits', async (_, write) => {
    const phone = newPhone();
    expect((await register(app, phone, { phone: write(phone) })).status).toBe(200);
    expect(await personOf(app, phone)).toMatchObject({ username: phone, phone });
  });

  it.each([
    ['a text message', newPhone(), 'Enter it within 1 minute.'],
    ['an e-mail', newEmail(), 'Enter it within 5 minutes.'],
  ])('gives the same time in %s as the screen counts down', async (_, username, text) => {
    await register(app, username);
    expect((await messagesTo(app, username)).at(-1)?.body).toContain(text);
  });

  it('creates one account for two spellings of the same number or e-mail', async () => {
    const phone = newPhone();
    const email = newEmail();
    for (const [username, again] of [
      [phone, `+256 (0) ${phone.slice(1, 4)}.${phone.slice(4)}\u200b`],
      [email, `\u2068${email.toUpperCase()}\u2069`],
    ] as const) {
      await register(app, username);
      expect((await register(app, again)).status).toBe(200);
      const people = app.platform.db.selectFrom('persons').select(['username', 'status']);
      expect(await people.where('username', 'like', `%${username.slice(1)}%`).execute()).toEqual([
        { username, status: 'Pending' },
      ]);
    }
  });

  it('stores an e-mail in lower case and returns mode email', async () => {
    const email = newEmail();
    const answer = await register(app, email.toUpperCase());
    expect(answer.body.mode).toBe('email');
    expect(await personOf(app, email)).toMatchObject({ status: 'Pending', username_kind: 'email', email, phone: null });
  });

  it('stores neither PIN nor handle in plain text', async () => {
    const phone = newPhone();
    const { body } = await register(app, phone);
    const pin = await newestCode(app, phone);
    const rows = await Promise.all([
      app.platform.db.selectFrom('code_attempts').where('recipient', '=', phone).selectAll().execute(),
      app.platform.db.selectFrom('code_handles').select('token_hash').execute(),
      app.platform.db.selectFrom('audit_events').select(['action', 'before', 'after']).execute(),
      app.platform.db.selectFrom('messages').where('recipient', '=', phone).selectAll().execute(),
    ]);
    const stored = JSON.stringify(rows, (_key, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    );
    expect(stored).not.toContain(body.userTag);
    expect(stored).not.toMatch(new RegExp(`(?<!\\d)${pin}(?!\\d)`));
    expect(stored).not.toContain(PASSWORD);
  });

  it.each([
    [
      'both contacts',
      { email: 'a@b.ug', phone: '0770000000' },
      { phoneOrEmail: 'Enter a valid email or phone number' },
    ],
    ['no contact', { phone: '' }, { phoneOrEmail: 'Enter a valid email or phone number' }],
    ['a landline', { phone: '0414123456' }, { phone: 'Enter a valid email or phone number' }],
    ['a short password', { password: 'Ab1-xyz' }, { password: 'Password must be at least 8 characters' }],
    ['no sector', { industryId: null }, { industryId: 'Please select your business sector' }],
    ['no gender', { gender: '' }, { gender: 'Please select your gender' }],
    ['no district', { districtId: undefined }, { districtId: 'Please select your district' }],
    ['an unknown key', { status: 'Active' }, { status: 'This field is not known' }],
  ])('refuses %s', async (_what, given, fields) => {
    const answer = await register(app, newPhone(), given);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ success: false, msg: expect.any(String), code: 'BAD_REQUEST', fields });
  });

  it('accepts a password of up to 256 characters', async () => {
    expect((await register(app, newPhone(), { password: 'x'.repeat(256) })).status).toBe(200);
    const answer = await register(app, newPhone(), { password: 'x'.repeat(257) });
    expect(answer.body.fields).toEqual({ password: 'Password must be at most 256 characters' });
  });

  it('refuses a sector and a district that do not exist', async () => {
    const answer = await register(app, newPhone(), { industryId: 999_999, districtId: 999_999 });
    expect(answer.status).toBe(422);
    expect(answer.body.code).toBe('UNKNOWN_REFERENCE');
    expect(Object.keys(answer.body.fields)).toEqual(['industryId', 'districtId']);
  });

  it.each(['password', '12345678', 'qwertyuiop', 'Password1', 'ILOVEYOU'])(
    'refuses %s as a password, because it is among the most common',
    async (password) => {
      const phone = newPhone();
      const answer = await register(app, phone, { password });
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ code: 'PASSWORD_COMMON', fields: { password: expect.any(String) } });
      expect(await personOf(app, phone)).toBeUndefined();
    },
  );

  it('refuses the username as a password, however it is written', async () => {
    const phone = newPhone();
    for (const password of [phone, `+256${phone.slice(1)}`, `256 ${phone.slice(1)}`]) {
      const answer = await register(app, phone, { password });
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ code: 'PASSWORD_IS_USERNAME', fields: { password: expect.any(String) } });
    }
    const email = newEmail();
    const answer = await register(app, email, { password: email.toUpperCase() });
    expect(answer.body.code).toBe('PASSWORD_IS_USERNAME');
  });

  it('has no rule about the kinds of characters in a password', async () => {
    expect((await register(app, newPhone(), { password: 'nsimbinsimbi' })).status).toBe(200);
  });
});

describe('the PIN', () => {
  it('makes the person Verified, who may then log in', async () => {
    const phone = newPhone();
    const { body } = await register(app, phone);
    const answer = await enterPin(app, body.userTag, await newestCode(app, phone));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, msg: expect.any(String) });
    expect((await personOf(app, phone))?.status).toBe('Verified');
    expect((await logIn(app.visitor(), phone)).status).toBe(200);
    expect(await actionsOf(app, phone)).toEqual(['account.registered', 'account.verified', 'account.logged-in']);
  });

  it('is refused with 422 if it is wrong', async () => {
    const phone = newPhone();
    const { body } = await register(app, phone);
    const answer = await enterPin(app, body.userTag, otherThan(await newestCode(app, phone)));
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      success: false,
      msg: expect.stringContaining('That code is wrong'),
      code: 'WRONG_PIN',
    });
    expect((await personOf(app, phone))?.status).toBe('Pending');
  });

  it('gets the same refusal if it is used, expired, or its handle is unknown or a person’s tag', async () => {
    const phone = newPhone();
    const { body } = await register(app, phone);
    const pin = await newestCode(app, phone);
    const wrong = await enterPin(app, body.userTag, otherThan(pin));
    await enterPin(app, body.userTag, pin);
    const spent = await enterPin(app, body.userTag, pin);
    const unknown = await enterPin(app, 'x'.repeat(43), pin);
    const person = await enterPin(app, (await personOf(app, phone))?.tag ?? '', pin);
    for (const answer of [spent, unknown, person]) expect(blanked(answer)).toEqual(blanked(wrong));
  });

  it('is accepted until 300 s have passed, in both modes', async () => {
    for (const username of [newPhone(), newEmail()]) {
      const { body } = await register(app, username);
      app.clock.advance(299);
      expect((await enterPin(app, body.userTag, await newestCode(app, username))).status).toBe(200);
      const late = username.includes('@') ? newEmail() : newPhone();
      const other = await register(app, late);
      app.clock.advance(300);
      expect((await enterPin(app, other.body.userTag, await newestCode(app, late))).status).toBe(422);
    }
  });

  it.each(['1234', '123456', '12a45', '１２３４５', 12345])('must be five digits: %s', async (pin) => {
    const answer = await app.visitor().post('/users/verify_username', { userTag: 'x', pin });
    expect(answer.status).toBe(400);
  });

  it('succeeds once when it is entered 50 times concurrently', async () => {
    const phone = newPhone();
    const { body } = await register(app, phone);
    const pin = await newestCode(app, phone);
    const answers = await Promise.all(Array.from({ length: 50 }, () => enterPin(app, body.userTag, pin)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status, body: { code } }) => status === 422 && code === 'WRONG_PIN')).toHaveLength(49);
    expect((await actionsOf(app, phone)).filter((action) => action === 'account.verified')).toHaveLength(1);
    // Entering the right PIN twice doesn't count as guessing, so the next code is not blocked.
    expect((await messagesTo(app, phone)).filter((message) => message.body.includes('/reset-password'))).toEqual([]);
  });
});

describe('registering again over a Pending account', () => {
  it('replaces the earlier data and ends the earlier attempt', async () => {
    const phone = newPhone();
    const first = await register(app, phone);
    const firstPin = await newestCode(app, phone);
    const second = await register(app, phone, {
      password: 'Another-one-2026',
      gender: 'male',
      industryId: 5,
      districtId: 6,
    });
    expect(second.status).toBe(200);
    const secondPin = await newestCode(app, phone);
    expect(await personOf(app, phone)).toMatchObject({
      gender: 'male',
      industry_id: 5,
      district_id: 6,
      status: 'Pending',
    });
    // The first handle accepts neither PIN, and the second not the first PIN (unless equal by chance).
    expect((await enterPin(app, first.body.userTag, firstPin)).status).toBe(422);
    expect((await enterPin(app, first.body.userTag, secondPin)).status).toBe(422);
    if (firstPin !== secondPin) expect((await enterPin(app, second.body.userTag, firstPin)).status).toBe(422);
    expect((await app.visitor().post('/users/resend_pin', { userTag: first.body.userTag })).body.code).toBe(
      'WRONG_PIN',
    );
    expect((await enterPin(app, second.body.userTag, secondPin)).status).toBe(200);
    expect((await logIn(app.visitor(), phone, PASSWORD)).status).toBe(401);
    expect((await logIn(app.visitor(), phone, 'Another-one-2026')).status).toBe(200);
  });

  it('leaves one person after 20 concurrent sign-ups, with the last PIN valid', async () => {
    const phone = newPhone();
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(app, phone)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status, body }) => status === 429 && body.code === 'CODE_LIMIT')).toHaveLength(15);
    const tags = answers.filter(({ status }) => status === 200).map(({ body }) => body.userTag);
    const pin = await newestCode(app, phone);
    const outcomes = [];
    for (const userTag of tags) outcomes.push((await enterPin(app, userTag, pin)).status);
    expect(outcomes.filter((status) => status === 200)).toHaveLength(1);
  });
});

describe('registering a username that is taken', () => {
  it.each(['Verified', 'Active', 'Deactivated'] as const)(
    'gets the same reply as a new one if it is %s',
    async (status) => {
      const taken = await buildPerson(app, { username: newEmail(), status });
      const before = await personOf(app, taken.username);
      const onTaken = await register(app, taken.username);
      const onNew = await register(app, newEmail());
      expect(blanked(onTaken)).toEqual(blanked(onNew));
      expect(await personOf(app, taken.username)).toEqual(before);
      const messages = await messagesTo(app, taken.username);
      expect(messages).toHaveLength(1);
      expect(messages[0]?.body).toContain('somebody tried to sign up');
      expect(messages[0]?.body).toContain('http://kasente.test/login');
      expect(messages[0]?.body).toContain('http://kasente.test/forgot-password');
      expect(messages[0]?.body).not.toMatch(/\d{5}/);
      expect(await actionsOf(app, taken.username)).toEqual(['account.registration-refused']);
    },
  );

  it('does the same work: the password is hashed', async () => {
    const { username } = await buildPerson(app);
    const hash = vi.spyOn(app.platform.passwords, 'hash');
    await register(app, username);
    await register(app, newPhone());
    expect(hash.mock.calls).toEqual([[PASSWORD], [PASSWORD]]);
    hash.mockRestore();
  });

  it('continues the same: wrong PINs, resends, cooldown and limits', async () => {
    const { username: taken } = await buildPerson(app, { username: newPhone() });
    const fresh = newPhone();
    const steps = async (username: string): Promise<unknown[]> => {
      const answers = [await register(app, username)];
      const userTag = answers[0]?.body.userTag;
      answers.push(await app.visitor().post('/users/resend_pin', { userTag }));
      app.clock.advance(60);
      answers.push(await app.visitor().post('/users/resend_pin', { userTag }));
      const wrong = username === fresh ? otherThan(await newestCode(app, username)) : '00000';
      for (let index = 0; index < 12; index += 1) answers.push(await enterPin(app, userTag, wrong));
      for (let index = 0; index < 4; index += 1) answers.push(await register(app, username));
      return answers.map(blanked);
    };
    expect(await steps(taken)).toEqual(await steps(fresh));
    expect((await messagesTo(app, taken)).filter(({ body }) => /PIN|\d{5}/.test(body))).toEqual([]);
  });

  it('never verifies or changes anything with the returned handle', async () => {
    const username = await signUp(app);
    const { body } = await register(app, username, { password: 'Somebody-else-1' });
    // Not even with the PIN of the owner's own sign-up.
    expect((await enterPin(app, body.userTag, await newestCode(app, username))).status).toBe(422);
    // Not even with the attempt's code, which was sent to nobody.
    expect((await enterPin(app, body.userTag, await untoldCode(app, username))).status).toBe(422);
    expect((await personOf(app, username))?.status).toBe('Verified');
    expect((await logIn(app.visitor(), username)).status).toBe(200);
    expect((await logIn(app.visitor(), username, 'Somebody-else-1')).status).toBe(401);
  });
});
