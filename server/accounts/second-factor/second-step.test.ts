import { describe, expect, it } from 'vitest';
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '#contract/time/durations.ts';
import { actionsOf, doReset, earnReset, logIn, messagesTo, NEW_PASSWORD } from '#server/accounts/accounts.harness.ts';
import {
  buildEnrolled,
  codeOf,
  firstStep,
  nextStep,
  secondStep,
  wrongCode,
} from '#server/accounts/own-account.harness.ts';
import { sweepAccounts } from '#server/accounts/sweep.service.ts';
import { newToken, tokenHash } from '#server/secrets/tokens.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { appOfFile } from '#testing/test-app.ts';

const app = appOfFile();

/** The pending second steps of logins with the right password. */
async function openSteps(personId: number, count: number): Promise<string[]> {
  const handles = Array.from({ length: count }, newToken);
  const expires_at = new Date(app.clock.now().getTime() + 10 * MINUTE_SECONDS * 1000);
  const rows = handles.map((handle) => ({
    token_hash: tokenHash(handle),
    person_id: personId,
    device_hash: null,
    expires_at,
  }));
  await app.platform.db.insertInto('second_steps').values(rows).execute();
  return handles;
}

describe('a login with a second factor', () => {
  it('returns a handle for the right password, and the login reply for the code', async () => {
    const { person, secret } = await buildEnrolled(app);
    const visitor = app.visitor();
    const first = await logIn(visitor, person.username, TEST_PASSWORD);
    expect([first.status, first.body]).toEqual([
      403,
      {
        success: false,
        code: 'SECOND_FACTOR',
        msg: 'Enter the code from your authenticator app to finish logging in',
        handle: expect.stringMatching(/^[\w-]{43}$/),
      },
    ]);
    expect([...visitor.cookies.keys()]).toEqual([]);
    const answer = await secondStep(visitor, first.body.handle, codeOf(app, secret));
    expect(answer.status).toBe(200);
    expect([...visitor.cookies.keys()].sort()).toEqual(['kasente_device', 'kasente_session']);
    const session = await visitor.get('/users/session');
    expect([session.status, session.body]).toEqual([200, answer.body]);
    expect(Object.keys(answer.body.user)).toHaveLength(10);
    expect(await actionsOf(app, person.username)).toEqual([
      'account.logged-in',
      'account.second-factor-set-up',
      'account.second-factor-asked',
      'account.logged-in',
    ]);
  });

  it('reveals nothing more about a wrong password', async () => {
    const { person } = await buildEnrolled(app);
    const answer = await logIn(app.visitor(), person.username, 'not the password');
    expect([answer.status, answer.body.code]).toEqual([401, 'LOGIN_FAILED']);
  });

  it('keeps the previous session until the code is right, then ends it', async () => {
    const { person, caller, secret } = await buildEnrolled(app);
    const token = caller.cookies.get('kasente_session') ?? '';
    const handle = await firstStep(caller, person.username);
    expect((await caller.get('/users/session')).status).toBe(200);
    expect((await secondStep(caller, handle, codeOf(app, secret))).status).toBe(200);
    const old = app.visitor();
    old.cookies.set('kasente_session', token);
    expect((await old.get('/users/session')).status).toBe(401);
    expect((await caller.get('/users/session')).status).toBe(200);
  });

  it.each([
    [-2, 422],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 422],
  ])('takes the code of a clock that is off by %i steps of 30 s: %i', async (steps, status) => {
    const { person, secret } = await buildEnrolled(app);
    nextStep(app); // the previous code was used to set it up
    const handle = await firstStep(app.visitor(), person.username);
    expect((await secondStep(app.visitor(), handle, codeOf(app, secret, steps))).status).toBe(status);
  });

  it('accepts each code once, and none that is older than a used one', async () => {
    const { person, secret } = await buildEnrolled(app);
    const earlier = codeOf(app, secret);
    const later = codeOf(app, secret, 1);
    const [one, two] = [
      await firstStep(app.visitor(), person.username),
      await firstStep(app.visitor(), person.username),
    ];
    expect((await secondStep(app.visitor(), one, later)).status).toBe(200);
    for (const code of [later, earlier]) {
      expect((await secondStep(app.visitor(), two, code)).body.code).toBe('SECOND_FACTOR_WRONG');
    }
    nextStep(app);
    expect((await secondStep(app.visitor(), two, later)).body.code).toBe('SECOND_FACTOR_WRONG');
    expect((await secondStep(app.visitor(), two, codeOf(app, secret, 1))).status).toBe(200);
  });

  it('admits one of 50 concurrent calls with the same handle and code', async () => {
    const { person, secret } = await buildEnrolled(app);
    const handle = await firstStep(app.visitor(), person.username);
    const code = codeOf(app, secret);
    const answers = await Promise.all(Array.from({ length: 50 }, () => secondStep(app.visitor(), handle, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'SECOND_FACTOR_ENDED')).toHaveLength(49);
  });

  it.each([['app’s'], ['recovery']])('admits one of 50 concurrent logins with the same %s code', async (kind) => {
    const { person, secret, recoveryCodes } = await buildEnrolled(app);
    const code = kind === 'recovery' ? (recoveryCodes[0] ?? '') : codeOf(app, secret);
    const handles = await openSteps(person.id, 50);
    const answers = await Promise.all(handles.map((handle) => secondStep(app.visitor(), handle, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'SECOND_FACTOR_WRONG')).toHaveLength(49);
    const used = await app.platform.db
      .selectFrom('recovery_codes')
      .where('person_id', '=', person.id)
      .where('used_at', 'is not', null)
      .selectAll()
      .execute();
    expect(used).toHaveLength(kind === 'recovery' ? 1 : 0);
  });
});

describe('the handle of a second step', () => {
  const ended = [422, 'SECOND_FACTOR_ENDED'];

  it('expires after ten minutes, is then swept, and works once', async () => {
    const { person, secret } = await buildEnrolled(app);
    const [used, late] = [
      await firstStep(app.visitor(), person.username),
      await firstStep(app.visitor(), person.username),
    ];
    await secondStep(app.visitor(), used, codeOf(app, secret));
    nextStep(app);
    const again = await secondStep(app.visitor(), used, codeOf(app, secret));
    expect([again.status, again.body.code]).toEqual(ended);
    app.clock.advance(10 * MINUTE_SECONDS - 31);
    await sweepAccounts(app.platform);
    expect((await secondStep(app.visitor(), late, wrongCode(app, secret))).body.code).toBe('SECOND_FACTOR_WRONG');
    app.clock.advance(1);
    const expired = await secondStep(app.visitor(), late, codeOf(app, secret));
    expect([expired.status, expired.body.code]).toEqual(ended);
    await sweepAccounts(app.platform);
    const rows = app.platform.db.selectFrom('second_steps').where('person_id', '=', person.id).selectAll();
    expect(await rows.execute()).toEqual([]);
  });

  it('works only for its purpose and its person', async () => {
    const [one, other] = await Promise.all([buildEnrolled(app), buildEnrolled(app)]);
    const handle = await firstStep(app.visitor(), one.person.username);
    for (const path of ['/users/verify_username', '/reset_password/otp']) {
      expect((await app.visitor().post(path, { userTag: handle, pin: '12345' })).status).toBe(422);
    }
    const reset = await app.visitor().post('/reset_password/do', { otpTag: handle, newPassword: NEW_PASSWORD });
    expect(reset.body.code).toBe('RESET_ENDED');
    const wrong = await secondStep(app.visitor(), handle, codeOf(app, other.secret));
    expect(wrong.body.code).toBe('SECOND_FACTOR_WRONG');
  });

  it('becomes invalid with the password and the account; a password reset does not replace the second factor', async () => {
    const { person, secret } = await buildEnrolled(app);
    const before = await firstStep(app.visitor(), person.username);
    expect((await doReset(app, await earnReset(app, person.username))).status).toBe(200);
    const answer = await secondStep(app.visitor(), before, codeOf(app, secret));
    expect([answer.status, answer.body.code]).toEqual(ended);
    const after = await firstStep(app.visitor(), person.username, NEW_PASSWORD);
    await app.platform.db
      .updateTable('persons')
      .set({ status: 'Deactivated', permissions: [] })
      .where('id', '=', person.id)
      .execute();
    const barred = await secondStep(app.visitor(), after, codeOf(app, secret));
    expect([barred.status, barred.body.code]).toEqual([403, 'ACCOUNT_DEACTIVATED']);
  });

  it.each([['12345'], ['1234567'], [''], ['12345a'], ['ABCDE-FGHJ'], ['ABCDE-FGHJU'], [undefined], [123456]])(
    'refuses a code such as %j',
    async (code) => {
      const answer = await app.visitor().post('/users/second_factor', { handle: 'x'.repeat(43), code });
      expect([answer.status, answer.body.fields]).toEqual([
        400,
        { code: 'Enter the 6 digits that your app shows, or a recovery code' },
      ]);
    },
  );
});

describe('a known device', () => {
  it('is known again after the second step, so that other people’s guesses do not delay it', async () => {
    const { person, secret } = await buildEnrolled(app);
    const own = app.visitor();
    await secondStep(own, await firstStep(own, person.username), codeOf(app, secret));
    nextStep(app);
    for (let wrong = 0; wrong < 11; wrong += 1) await logIn(app.visitor(), person.username, 'not the password');
    expect((await logIn(app.visitor(), person.username, TEST_PASSWORD)).body.code).toBe('LOGIN_THROTTLED');
    const token = own.cookies.get('kasente_device');
    expect((await secondStep(own, await firstStep(own, person.username), codeOf(app, secret))).status).toBe(200);
    expect(own.cookies.get('kasente_device')).not.toBe(token);
  });
});

describe('a recovery code', () => {
  it('opens a session once, with a message and an audit event', async () => {
    const { person, recoveryCodes } = await buildEnrolled(app);
    const [first = '', second = ''] = recoveryCodes;
    const handle = await firstStep(app.visitor(), person.username);
    expect((await secondStep(app.visitor(), handle, first.toLowerCase())).status).toBe(200);
    const told = (await messagesTo(app, person.username)).at(-1);
    expect(told?.subject).toBe('A Kasente recovery code was used');
    expect(told?.body).toContain('9 recovery codes are left');
    expect((await actionsOf(app, person.username)).slice(-2)).toEqual([
      'account.recovery-code-used',
      'account.logged-in',
    ]);
    const next = await firstStep(app.visitor(), person.username);
    expect((await secondStep(app.visitor(), next, first)).body.code).toBe('SECOND_FACTOR_WRONG');
    expect((await secondStep(app.visitor(), next, second.replace('-', ' '))).status).toBe(200);
  });
});

describe('wrong codes in a row', () => {
  async function guess(username: string, secret: string, times: number): Promise<string[]> {
    const codes = [];
    for (let time = 0; time < times; time += 1) {
      // A new login, and so a new handle, for every guess.
      const handle = await firstStep(app.visitor(), username);
      codes.push((await secondStep(app.visitor(), handle, wrongCode(app, secret, time))).body.code);
    }
    return codes;
  }

  it('lead to 429 with growing delays after ten, over any number of handles, for the right code, too', async () => {
    const { person, secret } = await buildEnrolled(app);
    expect(await guess(person.username, secret, 10)).toEqual(Array(10).fill('SECOND_FACTOR_WRONG'));
    const waits = [];
    for (let round = 0; round < 8; round += 1) {
      const handle = await firstStep(app.visitor(), person.username);
      const answer = await secondStep(app.visitor(), handle, codeOf(app, secret));
      expect([answer.status, answer.body.code]).toEqual([429, 'SECOND_FACTOR_THROTTLED']);
      waits.push(Number(answer.headers['retry-after']) / MINUTE_SECONDS);
      app.clock.advance(Number(answer.headers['retry-after']));
      expect(await guess(person.username, secret, 1)).toEqual(['SECOND_FACTOR_WRONG']);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    app.clock.advance(HOUR_SECONDS);
    const handle = await firstStep(app.visitor(), person.username);
    expect((await secondStep(app.visitor(), handle, codeOf(app, secret))).status).toBe(200);
    expect(await guess(person.username, secret, 1)).toEqual(['SECOND_FACTOR_WRONG']);
  });

  it('are compared 38 times on the first day, however many are tried', async () => {
    const { person, secret } = await buildEnrolled(app);
    const end = app.clock.now().getTime() + DAY_SECONDS * 1000;
    let evaluated = 0;
    for (let tried = 0; app.clock.now().getTime() < end; tried += 1) {
      const [handle = ''] = await openSteps(person.id, 1);
      const { status, headers } = await secondStep(app.visitor(), handle, wrongCode(app, secret, tried % 90));
      if (status === 422) evaluated += 1;
      else app.clock.advance(Number(headers['retry-after']));
    }
    expect(evaluated).toBe(38);
  });

  it('warn the owner once, because somebody has the password', async () => {
    const { person, secret } = await buildEnrolled(app);
    await guess(person.username, secret, 9);
    const warnings = async () =>
      (await messagesTo(app, person.username)).filter(
        ({ subject }) => subject === 'Wrong codes for your Kasente account',
      );
    expect(await warnings()).toHaveLength(0);
    await guess(person.username, secret, 1);
    app.clock.advance(MINUTE_SECONDS);
    await guess(person.username, secret, 1);
    expect(await warnings()).toHaveLength(1);
  });

  it('are counted exactly for 50 concurrent tries', async () => {
    const { person, secret } = await buildEnrolled(app);
    const handle = await firstStep(app.visitor(), person.username);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, nth) => secondStep(app.visitor(), handle, wrongCode(app, secret, nth))),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
  });

  it('are not reset by setting up a new second factor, and a used code is not counted', async () => {
    const { person, caller, secret } = await buildEnrolled(app);
    await guess(person.username, secret, 9);
    const used = codeOf(app, secret, -1);
    const handle = await firstStep(app.visitor(), person.username);
    for (let time = 0; time < 3; time += 1) await secondStep(app.visitor(), handle, used);
    const body = { password: TEST_PASSWORD, code: wrongCode(app, secret) };
    expect((await caller.post('/users/second_factor/begin', body)).body.code).toBe('SECOND_FACTOR_WRONG');
    expect((await caller.post('/users/second_factor/begin', body)).body.code).toBe('SECOND_FACTOR_THROTTLED');
  });
});
