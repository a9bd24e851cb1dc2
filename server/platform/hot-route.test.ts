import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { hotStatement } from '#server/platform/hot-session.ts';
import { Routes } from '#server/platform/http.ts';
import { buildSignedIn, TEST_PASSWORD } from '#server/testing/builders.ts';
import { createTestApp, type TestApp, type TestCaller } from '#server/testing/test-app.ts';

/** A hot route's session is found by its own statement, and its refusals come in the order of every other route's. */

const body = z.strictObject({ number: z.number() });
const reply = z.strictObject({ way: z.string() });
const probes = {
  own: endpoint({ method: 'POST', path: '/probe/own', summary: 'A client’s', body, reply, needs: 'invoices.edit' }),
  all: endpoint({ method: 'POST', path: '/probe/all', summary: 'Anybody’s', body, reply, needs: 'invoices.view' }),
};
type Probe = keyof typeof probes;

const statement = hotStatement(
  'answer as (select $7::integer as number) select person_tag, number from session, answer',
);

async function openApp(env: Record<string, string> = {}): Promise<TestApp> {
  const app = await createTestApp(env);
  const routes = new Routes(app.server, app.platform);
  for (const probe of Object.values(probes)) {
    routes.hot(probe, {
      fast: async ({ body: { number }, send }) => {
        const [found] = await send<{ person_tag: string; number: number }>(statement, [number]);
        return found && found.number > 0 ? { reply: { way: 'fast' }, personTag: found.person_tag } : undefined;
      },
      handler: async () => ({ way: 'general' }),
    });
  }
  return app;
}

let app: TestApp;
/** The same with a second factor for staff. */
let strict: TestApp;
beforeAll(async () => {
  [app, strict] = await Promise.all([openApp(), openApp({ SECOND_FACTOR: 'required' })]);
});
afterAll(() => Promise.all([app.close(), strict.close()]));

/** The way that a call took, or why it was refused. */
async function ask(caller: TestCaller, probe: Probe, sent: unknown = { number: 1 }, headers?: Record<string, string>) {
  const { status, body: answered } = await caller.post(`/probe/${probe}`, sent, headers);
  return status === 200 ? answered.way : `${status} ${answered.code}`;
}

/** Bodies that are refused, once somebody is let in. */
const wrong = [
  ['{"number":', 'application/json', '400 MALFORMED'],
  ['{"number":"one"}', 'application/json', '400 BAD_REQUEST'],
  ['number=1', 'application/x-www-form-urlencoded', '415 MEDIA_TYPE'],
  [JSON.stringify({ number: 1, text: 'x'.repeat(70_000) }), 'application/json', '413 BODY_TOO_LARGE'],
] as const;

async function askWrongly(caller: TestCaller, probe: Probe): Promise<string[]> {
  const answers: string[] = [];
  for (const [payload, type] of wrong) {
    const headers = { 'content-type': type };
    const answer = await caller.call({ method: 'POST', url: `/probe/${probe}`, payload, headers });
    answers.push(`${answer.status} ${answer.body.code}`);
  }
  return answers;
}

const NO_SESSION = '401 NOT_SIGNED_IN';

function withToken(given: TestApp, token: string): TestCaller {
  const caller = given.visitor();
  caller.cookies.set('kasente_session', token);
  return caller;
}

describe('who is let in', () => {
  it('gets the fast way, and the general one for what is out of the ordinary', async () => {
    const { caller: client } = await buildSignedIn(app, { perms: ['BIDA'] });
    const { caller: staff } = await buildSignedIn(app, { perms: ['KSTAF'] });
    expect(await ask(client, 'own')).toBe('fast');
    expect(await ask(client, 'own', { number: 0 })).toBe('general');
    expect(await ask(client, 'all')).toBe('fast');
    expect(await ask(staff, 'all')).toBe('fast');
  });

  it('is told what is wrong with a body', async () => {
    const { caller } = await buildSignedIn(app, { perms: ['BIDA'] });
    expect(await askWrongly(caller, 'own')).toEqual(wrong.map(([, , refusal]) => refusal));
    expect(await ask(caller, 'own', { number: 1 }, { 'idempotency-key': 'k'.repeat(201) })).toBe('400 BAD_REQUEST');
  });
});

describe('is refused before the body is judged:', () => {
  const refused = async (caller: TestCaller, probe: Probe, refusal: string, headers?: Record<string, string>) => {
    expect(await ask(caller, probe, { number: 1 }, headers)).toBe(refusal);
    expect(await askWrongly(caller, probe)).toEqual(wrong.map(() => refusal));
  };

  it('who has no session, or one that never was', async () => {
    await refused(app.visitor(), 'own', NO_SESSION);
    await refused(withToken(app, 'p'.repeat(43)), 'own', NO_SESSION);
  });

  it('whose session has ended, and who may not log in any more', async () => {
    const { caller, person } = await buildSignedIn(app, { perms: ['BIDA'] });
    const left = withToken(app, caller.cookies.get('kasente_session') ?? '');
    await caller.post('/users/logout');
    await refused(left, 'own', NO_SESSION);
    const again = app.visitor();
    await again.post('/users/login', { username: person.username, password: TEST_PASSWORD });
    expect(await ask(again, 'own')).toBe('fast');
    await app.platform.db
      .updateTable('persons')
      .set({ status: 'Deactivated', permissions: [] })
      .where('id', '=', person.id)
      .execute();
    await refused(again, 'own', NO_SESSION);
  });

  it('who lacks the permission: staff where a client’s is needed, and who has none', async () => {
    const { caller: staff } = await buildSignedIn(app, { perms: ['KSTAF'] });
    const { caller: both } = await buildSignedIn(app, { perms: ['BIDA', 'KADMIN'] });
    const { caller: nobody } = await buildSignedIn(app, { status: 'Verified' });
    await refused(staff, 'own', '403 FORBIDDEN');
    await refused(both, 'own', '403 FORBIDDEN');
    expect(await ask(both, 'all')).toBe('fast');
    await refused(nobody, 'own', '403 FORBIDDEN');
    await refused(nobody, 'all', '403 FORBIDDEN');
  });

  it('staff without the second factor that the settings ask for, before the permission', async () => {
    const { caller: staff, person } = await buildSignedIn(strict, { perms: ['KSTAF'] });
    await refused(staff, 'all', '403 SECOND_FACTOR_NEEDED');
    await refused(staff, 'own', '403 SECOND_FACTOR_NEEDED');
    await strict.platform.db
      .updateTable('sessions')
      .set({ second_factor: true })
      .where('person_id', '=', person.id)
      .execute();
    expect(await ask(staff, 'all')).toBe('fast');
    await refused(staff, 'own', '403 FORBIDDEN');
    const { caller: client } = await buildSignedIn(strict, { perms: ['BIDA'] });
    expect(await ask(client, 'own')).toBe('fast');
  });

  it('another site, before anything else', async () => {
    const { caller } = await buildSignedIn(app, { perms: ['BIDA'] });
    const foreign = { 'sec-fetch-site': 'cross-site' };
    for (const from of [caller, app.visitor(), withToken(app, 'p'.repeat(43))]) {
      expect(await ask(from, 'own', { number: 1 }, foreign)).toBe('403 CROSS_SITE');
      expect(await ask(from, 'own', 'nonsense', foreign)).toBe('403 CROSS_SITE');
    }
  });
});

describe('a session on a hot route', () => {
  const MINUTE = 60;
  const HOUR = 60 * MINUTE;

  async function lastActive(id: number): Promise<number> {
    const { last_active_at: at } = await app.platform.db
      .selectFrom('sessions')
      .select('last_active_at')
      .where('person_id', '=', id)
      .executeTakeFirstOrThrow();
    return app.clock.now().getTime() - at.getTime();
  }

  it('is extended once a second by a call, whichever way it goes, and not by one in the background', async () => {
    const { caller, person } = await buildSignedIn(app, { perms: ['BIDA'] });
    for (const number of [1, 0]) {
      app.clock.advance(0.999);
      expect(await ask(caller, 'own', { number })).toMatch(/fast|general/);
      expect(await lastActive(person.id)).toBe(999);
      app.clock.advance(0.001);
      await ask(caller, 'own', { number }, { 'x-background': '1' });
      expect(await lastActive(person.id)).toBe(1000);
      await ask(caller, 'own', { number });
      expect(await lastActive(person.id)).toBe(0);
    }
    app.clock.advance(2);
    await askWrongly(caller, 'own');
    expect(await lastActive(person.id)).toBe(0);
  });

  it('ends after 15 minutes without a call, to the second', async () => {
    const { caller } = await buildSignedIn(app, { perms: ['BIDA'] });
    app.clock.advance(15 * MINUTE - 1);
    expect(await ask(caller, 'own')).toBe('fast');
    app.clock.advance(15 * MINUTE - 1);
    expect(await ask(caller, 'own', { number: 1 }, { 'x-background': '1' })).toBe('fast');
    app.clock.advance(1);
    expect(await ask(caller, 'own')).toBe(NO_SESSION);
  });

  it('ends after 12 hours however busy it is, to the second', async () => {
    const { caller } = await buildSignedIn(app, { perms: ['BIDA'] });
    for (let elapsed = 10 * MINUTE; elapsed < 12 * HOUR; elapsed += 10 * MINUTE) {
      app.clock.advance(10 * MINUTE);
      expect(await ask(caller, 'own')).toBe('fast');
    }
    app.clock.advance(10 * MINUTE - 1);
    expect(await ask(caller, 'own')).toBe('fast');
    app.clock.advance(1);
    expect(await ask(caller, 'own')).toBe(NO_SESSION);
  });
});

it('is one round trip', async () => {
  const { caller } = await buildSignedIn(app, { perms: ['BIDA'] });
  app.platform.pool.options.max = 1;
  await ask(caller, 'own');
  const client = await app.platform.pool.connect();
  client.release();
  let trips = 0;
  const ready = () => {
    trips += 1;
  };
  client.connection.on('readyForQuery', ready);
  app.clock.advance(2); // also where it extends the session
  expect(await ask(caller, 'own')).toBe('fast');
  client.connection.off('readyForQuery', ready);
  expect(trips).toBe(1);
});
