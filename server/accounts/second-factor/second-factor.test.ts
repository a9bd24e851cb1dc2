import { describe, expect, it } from 'vitest';
import { MINUTE_SECONDS } from '#contract/time/durations.ts';
import { actionsOf, logIn, messagesTo } from '#server/accounts/accounts.harness.ts';
import {
  buildEnrolled,
  codeOf,
  enrol,
  firstStep,
  nextStep,
  secondStep,
  wrongCode,
} from '#server/accounts/own-account.harness.ts';
import { sweepAccounts } from '#server/accounts/sweep.service.ts';
import { buildSignedIn, type SignedIn, TEST_PASSWORD } from '#testing/builders.ts';
import { appOfFile } from '#testing/test-app.ts';

const BEGIN = '/users/second_factor/begin';
const CONFIRM = '/users/second_factor/confirm';

const app = appOfFile();

const staff = (): Promise<SignedIn> => buildSignedIn(app, { perms: ['KSTAF'] });

async function begin({ caller }: SignedIn): Promise<string> {
  const { status, body } = await caller.post(BEGIN, { password: TEST_PASSWORD });
  expect(status).toBe(200);
  return body.secret;
}

describe('setting up a second factor', () => {
  it('gives the app a secret of 160 bits, as text and as the URI of a QR code', async () => {
    const { person, caller } = await staff();
    const { status, body, headers } = await caller.post(BEGIN, { password: TEST_PASSWORD });
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toEqual({ success: true, secret: expect.stringMatching(/^[A-Z2-7]{32}$/), uri: expect.any(String) });
    expect(body.uri).toMatch(new RegExp(`^otpauth://totp/Kasente:${person.username}\\?`));
    const uri = new URL(body.uri);
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'Kasente',
      secret: body.secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
    expect((await caller.get('/users/second_factor')).body).toEqual({
      success: true,
      needed: false,
      setUpAt: null,
      recoveryCodesLeft: 0,
    });
  });

  it('takes effect with its first code, which returns ten recovery codes once', async () => {
    const person = await staff();
    const secret = await begin(person);
    expect((await logIn(app.visitor(), person.person.username, TEST_PASSWORD)).status).toBe(200);
    const code = codeOf(app, secret);
    const answer = await person.caller.post(CONFIRM, { code: `${code.slice(0, 3)} ${code.slice(3)}` });
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const { recoveryCodes } = answer.body;
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const one of recoveryCodes) expect(one).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    expect((await person.caller.get('/users/second_factor')).body).toEqual({
      success: true,
      needed: false,
      setUpAt: app.clock.now().toISOString(),
      recoveryCodesLeft: 10,
    });
    const again = await person.caller.post(CONFIRM, { code });
    expect([again.status, again.body.code]).toEqual([422, 'ENROLMENT_ENDED']);
  });

  it('ends the other sessions, notifies the owner and is logged', async () => {
    const person = await staff();
    const elsewhere = app.visitor();
    await logIn(elsewhere, person.person.username, TEST_PASSWORD);
    await enrol(app, person);
    expect((await elsewhere.get('/users/session')).status).toBe(401);
    expect((await person.caller.get('/users/session')).status).toBe(200);
    const [message] = await messagesTo(app, person.person.username);
    expect(message?.subject).toBe('Your Kasente second factor was set up');
    expect(await actionsOf(app, person.person.username)).toContain('account.second-factor-set-up');
  });

  it('needs the password: a stolen session alone is not enough', async () => {
    const { caller } = await staff();
    const answer = await caller.post(BEGIN, { password: 'not the password' });
    expect(answer.body).toEqual({
      success: false,
      code: 'WRONG_PASSWORD',
      msg: 'This is not your current password',
      fields: { password: 'This is not your current password' },
    });
    expect(answer.status).toBe(422);
    expect((await caller.post(CONFIRM, { code: '123456' })).body.code).toBe('ENROLMENT_ENDED');
  });

  it('ends after ten wrong codes, and after 15 minutes', async () => {
    const person = await staff();
    const secret = await begin(person);
    for (let wrong = 0; wrong < 10; wrong += 1) {
      const answer = await person.caller.post(CONFIRM, { code: wrongCode(app, secret, wrong) });
      expect([answer.status, answer.body.code, answer.body.fields]).toEqual([
        422,
        'SECOND_FACTOR_WRONG',
        { code: 'That code is wrong or was used before. Enter a new one' },
      ]);
    }
    expect((await person.caller.post(CONFIRM, { code: codeOf(app, secret) })).body.code).toBe('ENROLMENT_ENDED');

    const late = await begin(person);
    app.clock.advance(15 * MINUTE_SECONDS - 1);
    await person.caller.get('/users/session');
    app.clock.advance(1);
    expect((await person.caller.post(CONFIRM, { code: codeOf(app, late) })).body.code).toBe('ENROLMENT_ENDED');
    await sweepAccounts(app.platform);
    expect(await app.platform.db.selectFrom('second_factor_enrolments').selectAll().execute()).toEqual([]);
  });

  it('is only for staff', async () => {
    for (const perms of [['BIDA'], []] as const) {
      const { caller } = await buildSignedIn(app, { perms });
      expect((await caller.post(BEGIN, { password: TEST_PASSWORD })).status).toBe(403);
      expect((await caller.get('/users/second_factor')).status).toBe(403);
    }
  });

  it('succeeds once for 50 concurrent confirmations', async () => {
    const person = await staff();
    const secret = await begin(person);
    const code = codeOf(app, secret);
    const answers = await Promise.all(Array.from({ length: 50 }, () => person.caller.post(CONFIRM, { code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // The first one gave the session a new token, so the others find the enrolment ended, or have the old token.
    const refused = answers.filter(({ body }) => body.code === 'ENROLMENT_ENDED' || body.code === 'NOT_SIGNED_IN');
    expect(refused).toHaveLength(49);
    const { body } = await person.caller.get('/users/second_factor');
    expect(body.recoveryCodesLeft).toBe(10);
  });
});

describe('replacing a second factor', () => {
  it('needs a code of the current one, which works until the new one is confirmed', async () => {
    const enrolled = await buildEnrolled(app);
    const { caller, person, secret } = enrolled;
    const without = await caller.post(BEGIN, { password: TEST_PASSWORD });
    expect([without.status, without.body.fields]).toEqual([422, { code: 'Enter a code of the app you have now' }]);
    const wrong = await caller.post(BEGIN, { password: TEST_PASSWORD, code: wrongCode(app, secret) });
    expect(wrong.body.code).toBe('SECOND_FACTOR_WRONG');
    const begun = await caller.post(BEGIN, { password: TEST_PASSWORD, code: codeOf(app, secret) });
    expect(begun.status).toBe(200);
    nextStep(app);
    const visitor = app.visitor();
    const entered = await secondStep(visitor, await firstStep(visitor, person.username), codeOf(app, secret));
    expect(entered.status).toBe(200);

    const waiting = await firstStep(app.visitor(), person.username);
    const confirmed = await caller.post(CONFIRM, { code: codeOf(app, begun.body.secret) });
    expect(confirmed.status).toBe(200);
    nextStep(app);
    expect((await visitor.get('/users/session')).status).toBe(401);
    expect((await secondStep(app.visitor(), waiting, codeOf(app, begun.body.secret))).body.code).toBe(
      'SECOND_FACTOR_ENDED',
    );
    const next = await firstStep(app.visitor(), person.username);
    expect((await secondStep(app.visitor(), next, codeOf(app, secret))).body.code).toBe('SECOND_FACTOR_WRONG');
    for (const code of enrolled.recoveryCodes.slice(0, 2)) {
      expect((await secondStep(app.visitor(), next, code)).body.code).toBe('SECOND_FACTOR_WRONG');
    }
    expect((await secondStep(app.visitor(), next, codeOf(app, begun.body.secret))).status).toBe(200);
  });

  it('may be started with a recovery code, which is then used up', async () => {
    const { caller, recoveryCodes } = await buildEnrolled(app);
    const [code] = recoveryCodes;
    const lower = { password: TEST_PASSWORD, code: ` ${code?.toLowerCase().replace('-', '')} ` };
    expect((await caller.post(BEGIN, lower)).status).toBe(200);
    expect((await caller.get('/users/second_factor')).body.recoveryCodesLeft).toBe(9);
    expect((await caller.post(BEGIN, lower)).body.code).toBe('SECOND_FACTOR_WRONG');
  });
});

describe('a stored second factor', () => {
  it('is useless to somebody who reads the database, and appears in neither the audit log nor the messages', async () => {
    const { person, secret, recoveryCodes } = await buildEnrolled(app);
    const visitor = app.visitor();
    const handle = await firstStep(visitor, person.username);
    const [recoveryCode = ''] = recoveryCodes;
    await secondStep(visitor, handle, recoveryCode);
    const { db } = app.platform;
    const [factor] = await db.selectFrom('second_factors').where('person_id', '=', person.id).selectAll().execute();
    expect(factor?.secret.toString('latin1')).not.toContain(secret);
    expect(app.platform.sealer.unseal(factor?.secret ?? Buffer.alloc(0))).toContain(secret);
    const rows = await Promise.all([
      db.selectFrom('audit_events').selectAll().execute(),
      db.selectFrom('recovery_codes').selectAll().execute(),
      db.selectFrom('second_steps').selectAll().execute(),
      db.selectFrom('idempotency_keys').selectAll().execute(),
    ]);
    const stored = JSON.stringify([rows, await messagesTo(app, person.username)]);
    for (const told of [secret, handle, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace('-', ''))]) {
      expect(stored).not.toContain(told);
    }
  });

  it('is useless under another person’s name', async () => {
    const [one, other] = await Promise.all([buildEnrolled(app), buildEnrolled(app)]);
    const { db } = app.platform;
    const mine = await db
      .selectFrom('second_factors')
      .where('person_id', '=', one.person.id)
      .select('secret')
      .execute();
    await db
      .updateTable('second_factors')
      .set({ secret: mine[0]?.secret ?? Buffer.alloc(0) })
      .where('person_id', '=', other.person.id)
      .execute();
    const handle = await firstStep(app.visitor(), other.person.username);
    expect((await secondStep(app.visitor(), handle, codeOf(app, one.secret))).status).toBe(500);
  });
});
