import { beforeAll, describe, expect, it } from 'vitest';
import {
  type BuiltPerson,
  buildBusiness,
  buildPerson,
  buildSignedIn,
  type SignedIn,
  TEST_PASSWORD,
} from '#testing/builders.ts';
import { eventsOf } from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';

const DEACTIVATE = '/persons/deactivate';

const app = appOfFile();
let admin: SignedIn;
let staff: SignedIn;

beforeAll(async () => {
  admin = await buildSignedIn(app, { perms: ['KADMIN'] });
  staff = await buildSignedIn(app, { perms: ['KSTAF'] });
});

async function statusOf(person: BuiltPerson): Promise<string> {
  const row = await app.platform.db
    .selectFrom('persons')
    .select('status')
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow();
  return row.status;
}

describe('deactivation', () => {
  it('ends every session at once and bars login', async () => {
    const client = await buildSignedIn(app, { perms: ['BIDA'] });
    const phone = app.visitor();
    await phone.post('/users/login', { username: client.person.username, password: TEST_PASSWORD });
    const answer = await staff.caller.post(DEACTIVATE, { tag: client.person.tag });
    expect([answer.status, answer.body]).toEqual([200, { success: true, msg: 'This person can no longer log in' }]);
    for (const caller of [client.caller, phone]) {
      const next = await caller.get('/users/session');
      expect([next.status, next.body.code]).toEqual([401, 'NOT_SIGNED_IN']);
    }
    const login = await phone.post('/users/login', { username: client.person.username, password: TEST_PASSWORD });
    expect([login.status, login.body.code]).toEqual([403, 'ACCOUNT_DEACTIVATED']);
    expect(await eventsOf(app, client.person, 'person.deactivated')).toMatchObject([
      {
        actor_tag: staff.person.tag,
        before: { status: 'Active', perms: ['BIDA'] },
        after: { status: 'Deactivated', perms: [] },
      },
    ]);
  });

  it('ends sessions for good: activation does not bring them back', async () => {
    const client = await buildSignedIn(app, { perms: ['BIDA'] });
    const { id: businessId } = await buildBusiness(app);
    expect((await staff.caller.post(DEACTIVATE, { tag: client.person.tag })).status).toBe(200);
    const form = { firstName: 'Sarah', lastName: 'Nabirye', businessId, tag: client.person.tag };
    expect((await staff.caller.post('/persons/update_minimal_business', form)).status).toBe(200);
    expect((await client.caller.get('/users/session')).status).toBe(401);
    await client.caller.post('/users/login', { username: client.person.username, password: TEST_PASSWORD });
    expect((await client.caller.get('/users/session')).status).toBe(200);
  });

  it('leaves no session that a login opened at the same moment', async () => {
    const person = await buildPerson(app, { perms: ['BIDA'] });
    const visitors = Array.from({ length: 6 }, () => app.visitor());
    const logins = visitors.map((visitor) =>
      visitor.post('/users/login', { username: person.username, password: TEST_PASSWORD }),
    );
    const deactivated = await staff.caller.post(DEACTIVATE, { tag: person.tag });
    await Promise.all(logins);
    expect(deactivated.status).toBe(200);
    for (const visitor of visitors) expect((await visitor.get('/users/session')).status).toBe(401);
    const open = await app.platform.db
      .selectFrom('sessions')
      .select('person_id')
      .where('person_id', '=', person.id)
      .execute();
    expect(open).toEqual([]);
  });

  it('is done once: again it succeeds and changes nothing', async () => {
    const person = await buildPerson(app, { status: 'Verified' });
    const answers = await Promise.all(
      [staff, admin, staff].map(({ caller }) => caller.post(DEACTIVATE, { tag: person.tag })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await statusOf(person)).toBe('Deactivated');
    expect(await eventsOf(app, person, 'person.deactivated')).toHaveLength(1);
  });

  it('is refused while the username is not confirmed', async () => {
    const person = await buildPerson(app, { status: 'Pending' });
    const answer = await admin.caller.post(DEACTIVATE, { tag: person.tag });
    expect([answer.status, answer.body.code]).toEqual([409, 'PERSON_PENDING']);
    expect(await statusOf(person)).toBe('Pending');
  });
});

describe('who may deactivate whom', () => {
  it('is nobody themselves', async () => {
    for (const self of [admin, staff]) {
      const answer = await self.caller.post(DEACTIVATE, { tag: self.person.tag.toUpperCase() });
      expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
      expect((await self.caller.get('/users/session')).status).toBe(200);
    }
  });

  it('is only an administrator over staff', async () => {
    for (const perms of [['KSTAF'], ['KADMIN']] as const) {
      const colleague = await buildPerson(app, { perms });
      const answer = await staff.caller.post(DEACTIVATE, { tag: colleague.tag });
      expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
      expect(await statusOf(colleague)).toBe('Active');
      expect((await admin.caller.post(DEACTIVATE, { tag: colleague.tag })).status).toBe(200);
      expect(await statusOf(colleague)).toBe('Deactivated');
    }
  });

  it('is no client, nobody without a permission and nobody without a session', async () => {
    const person = await buildPerson(app);
    const client = await buildSignedIn(app, { perms: ['BIDA'] });
    const waiting = await buildSignedIn(app, { status: 'Verified' });
    expect((await client.caller.post(DEACTIVATE, { tag: person.tag })).status).toBe(403);
    expect((await waiting.caller.post(DEACTIVATE, { tag: person.tag })).status).toBe(403);
    expect((await app.visitor().post(DEACTIVATE, { tag: person.tag })).status).toBe(401);
    expect(await statusOf(person)).toBe('Active');
  });

  it('leaves one of two administrators who deactivate each other at once', async () => {
    const [first, second] = await Promise.all([
      buildSignedIn(app, { perms: ['KADMIN'] }),
      buildSignedIn(app, { perms: ['KADMIN'] }),
    ]);
    const answers = await Promise.all([
      first.caller.post(DEACTIVATE, { tag: second.person.tag }),
      second.caller.post(DEACTIVATE, { tag: first.person.tag }),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    const statuses = [await statusOf(first.person), await statusOf(second.person)];
    expect(statuses.sort()).toEqual(['Active', 'Deactivated']);
  });
});

describe('what it takes', () => {
  it('is one tag of an existing person', async () => {
    const absent = await admin.caller.post(DEACTIVATE, { tag: '00000000-0000-4000-8000-000000000000' });
    expect([absent.status, absent.body.code]).toEqual([404, 'NOT_FOUND']);
    for (const body of [undefined, {}, { tag: '' }, { tag: 7 }, { tag: admin.person.tag, reason: 'none' }]) {
      expect((await admin.caller.post(DEACTIVATE, body)).status).toBe(400);
    }
  });
});
