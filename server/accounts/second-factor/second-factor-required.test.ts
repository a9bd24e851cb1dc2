import { describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { codeOf, enrol, firstStep, nextStep, secondStep } from '#server/accounts/own-account.harness.ts';
import { buildPerson, buildSignedIn, type SignedIn, TEST_PASSWORD } from '#testing/builders.ts';
import { canaryFound, proved, rounds } from '#testing/evidence/record.ts';
import { appOfFile, createTestApp, type TestApp } from '#testing/test-app.ts';

/** As in production: staff without a second factor may only set one up. */

const app = appOfFile({ SECOND_FACTOR: 'required' });

/** The calls that such staff may make, listed here independently of the contract. */
const allowed = [
  'GET /users/session',
  'GET /users/second_factor',
  'POST /users/second_factor/begin',
  'POST /users/second_factor/confirm',
];

const NEEDED = { success: false, code: 'SECOND_FACTOR_NEEDED', msg: 'Set up your second factor first' };

async function refusedTo({ caller }: SignedIn): Promise<string[]> {
  const refused: string[] = [];
  for (const { method, path, aliases, needs } of Object.values<Endpoint>(endpoints)) {
    if (needs === 'public') continue;
    for (const way of [{ method, path }, ...(aliases ?? [])]) {
      const { status, body } = await caller.call({ method: way.method, url: way.path.replace(/:\w+/, 'x') });
      if (body.code === 'SECOND_FACTOR_NEEDED') {
        expect([status, body]).toEqual([403, NEEDED]);
        refused.push(`${way.method} ${way.path}`);
      }
    }
  }
  return refused;
}

const protectedWays = Object.values<Endpoint>(endpoints)
  .filter(({ needs }) => needs !== 'public')
  .flatMap((endpoint) => [endpoint, ...(endpoint.aliases ?? [])])
  .map(({ method, path }) => `${method} ${path}`);

describe('if a second factor is required', () => {
  it.each([['KSTAF'], ['KADMIN']] as const)('%s without one may only set it up', async (perm) => {
    const person = await buildSignedIn(app, { perms: [perm] });
    expect(await refusedTo(person)).toEqual(protectedWays.filter((way) => !allowed.includes(way)));
    proved(
      'second-factor',
      `${perm} without a second factor: ${protectedWays.length - allowed.length} of ${protectedWays.length - allowed.length} ways to call refused`,
    );
    expect((await person.caller.get('/users/session')).status).toBe(200);
    expect((await person.caller.get('/users/second_factor')).body).toEqual({
      success: true,
      needed: true,
      setUpAt: null,
      recoveryCodesLeft: 0,
    });
  });

  it('everything is allowed once it is set up, and in sessions opened with it', async () => {
    const enrolled = await enrol(app, await buildSignedIn(app, { perms: ['KSTAF'] }));
    expect((await enrolled.caller.get('/users/second_factor')).body.needed).toBe(false);
    expect((await enrolled.caller.post('/persons', {})).status).toBe(200);
    const visitor = app.visitor();
    const handle = await firstStep(visitor, enrolled.person.username);
    expect((await secondStep(visitor, handle, codeOf(app, enrolled.secret))).status).toBe(200);
    expect((await visitor.post('/persons', {})).status).toBe(200);
  });

  it('clients and people without a permission are not affected', async () => {
    for (const perms of [['BIDA'], []] as const) {
      expect(await refusedTo(await buildSignedIn(app, { perms }))).toEqual([]);
    }
  });

  it('a client who becomes staff needs one from the next call on', async () => {
    const admin = await enrol(app, await buildSignedIn(app, { perms: ['KADMIN'] }));
    const { person, caller } = await buildSignedIn(app);
    expect((await caller.get('/users/sessions')).status).toBe(200);
    const granted = await admin.caller.post('/persons/roles', { tag: person.tag, perms: ['KSTAF'] });
    expect(granted.status).toBe(200);
    const next = await caller.get('/users/sessions');
    expect([next.status, next.body]).toEqual([403, NEEDED]);
  });

  it('a person who reset it must set one up again', async () => {
    const admin = await enrol(app, await buildSignedIn(app, { perms: ['KADMIN'] }));
    const staff = await enrol(app, await buildSignedIn(app, { perms: ['KSTAF'] }));
    await admin.caller.post('/persons/reset_second_factor', { tag: staff.person.tag });
    await staff.caller.post('/users/login', { username: staff.person.username, password: TEST_PASSWORD });
    expect((await staff.caller.post('/persons', {})).body).toEqual(NEEDED);
  });
});

const RACES = rounds(1, 100);
const AT_ONCE = 50;

/** How many of fifty logins with the right password succeed with the same code. */
async function openedBy(target: TestApp, username: string, code: string): Promise<number> {
  const handle = await firstStep(target.visitor(), username);
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => secondStep(target.visitor(), handle, code)));
  return answers.filter(({ status }) => status === 200).length;
}

describe('a code', () => {
  it('opens one session, however many concurrent logins use it, and none later', { timeout: 600_000 }, async () => {
    const { person, secret } = await enrol(app, await buildSignedIn(app, { perms: ['KSTAF'] }));
    for (let race = 0; race < RACES; race += 1) {
      app.clock.advance(DAY_SECONDS);
      const code = codeOf(app, secret);
      expect(await openedBy(app, person.username, code)).toBe(1);
      expect(await openedBy(app, person.username, code)).toBe(0);
    }
    proved(
      'second-factor',
      `${RACES} codes brought by ${AT_ONCE} logins at once, and once more later: each opened one session`,
    );
  });

  it('the test would notice a code that works twice, and staff who need none (canary)', async () => {
    app.clock.advance(DAY_SECONDS);
    const { person, secret } = await enrol(app, await buildSignedIn(app, { perms: ['KSTAF'] }));
    nextStep(app);
    const code = codeOf(app, secret);
    expect(await openedBy(app, person.username, code)).toBe(1);
    await app.platform.db
      .updateTable('second_factors')
      .set({ last_step: 1 })
      .where('person_id', '=', person.id)
      .execute();
    expect(await openedBy(app, person.username, code)).toBe(1);
    const open = await createTestApp();
    expect(await refusedTo(await buildSignedIn(open, { perms: ['KSTAF'] }))).toEqual([]);
    await open.close();
    canaryFound(
      'second-factor',
      'a code whose use was forgotten opened a second session, and a server that needs no second factor refused nothing',
    );
  });
});

describe('if a second factor is not required', () => {
  it('staff work without one, as in the demonstration', async () => {
    const open = await createTestApp();
    const { username } = await buildPerson(open, { perms: ['KADMIN'] });
    const caller = open.visitor();
    expect((await caller.post('/users/login', { username, password: TEST_PASSWORD })).status).toBe(200);
    expect((await caller.post('/persons', {})).status).toBe(200);
    await open.close();
  });
});
