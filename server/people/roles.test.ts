import { beforeAll, describe, expect, it } from 'vitest';
import { type BuiltPerson, buildBusiness, buildPerson, buildSignedIn, type SignedIn } from '#testing/builders.ts';
import { appOfFile } from '#testing/test-app.ts';

const ROLES = '/persons/roles';

const app = appOfFile();
let admin: SignedIn;

beforeAll(async () => {
  admin = await buildSignedIn(app, { perms: ['KADMIN'] });
});

async function stored(person: BuiltPerson): Promise<{ status: string; permissions: string[] }> {
  return app.platform.db
    .selectFrom('persons')
    .select(['status', 'permissions'])
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow();
}

function eventsOf(person: BuiltPerson) {
  return app.platform.db
    .selectFrom('audit_events')
    .select(['actor_tag', 'before', 'after'])
    .where('subject_tag', '=', person.tag)
    .where('action', '=', 'person.roles-set')
    .orderBy('id')
    .execute();
}

async function messagesTo(username: string): Promise<{ subject: string }[]> {
  const { body } = await app.visitor().get('/dev/messages');
  return body.filter((message: { to: string }) => message.to === username);
}

describe('setting roles', () => {
  it('replaces the whole list; a gain takes effect on the next call of the same session', async () => {
    const person = await buildSignedIn(app);
    const answer = await admin.caller.post(ROLES, { tag: person.person.tag, perms: ['KSTAF', 'KADMIN', 'KSTAF'] });
    expect([answer.status, answer.body.success]).toEqual([200, true]);
    const { user } = (await person.caller.get('/users/session')).body;
    expect([user.perms, user.roles]).toEqual([
      ['KADMIN', 'KSTAF'],
      ['Administrator', 'Staff'],
    ]);
    expect((await person.caller.post('/persons', {})).status).toBe(200);
    expect(await eventsOf(person.person)).toMatchObject([
      { actor_tag: admin.person.tag, before: { perms: [] }, after: { perms: ['KADMIN', 'KSTAF'], status: 'Active' } },
    ]);
  });

  it('ends the sessions of who loses any, also when another is gained', async () => {
    for (const perms of [['KSTAF'], ['BIDA', 'KSTAF'], []] as const) {
      const person = await buildSignedIn(app, { perms: ['BIDA', 'KADMIN'] });
      expect((await admin.caller.post(ROLES, { tag: person.person.tag, perms })).status).toBe(200);
      expect((await person.caller.get('/users/session')).status).toBe(401);
      expect(await stored(person.person)).toEqual({ status: 'Active', permissions: perms });
    }
  });

  it('changes nothing where nothing changes', async () => {
    const person = await buildSignedIn(app, { perms: ['BIDA', 'KSTAF'] });
    expect((await admin.caller.post(ROLES, { tag: person.person.tag, perms: ['KSTAF', 'BIDA'] })).status).toBe(200);
    expect((await person.caller.get('/users/session')).status).toBe(200);
    expect(await eventsOf(person.person)).toEqual([]);
  });

  it('activates a verified person who is given one, and tells them once', async () => {
    const person = await buildPerson(app, { status: 'Verified' });
    expect((await admin.caller.post(ROLES, { tag: person.tag, perms: [] })).status).toBe(200);
    expect(await stored(person)).toEqual({ status: 'Verified', permissions: [] });
    expect((await admin.caller.post(ROLES, { tag: person.tag, perms: ['KSTAF'] })).status).toBe(200);
    expect((await admin.caller.post(ROLES, { tag: person.tag, perms: ['KADMIN', 'KSTAF'] })).status).toBe(200);
    expect(await stored(person)).toEqual({ status: 'Active', permissions: ['KADMIN', 'KSTAF'] });
    expect(await messagesTo(person.username)).toMatchObject([{ subject: 'Your Kasente account is active' }]);
  });

  it.each([
    ['Pending', 'PERSON_PENDING'],
    ['Deactivated', 'PERSON_DEACTIVATED'],
  ] as const)('is refused for a %s person', async (status, code) => {
    const person = await buildPerson(app, { status });
    const answer = await admin.caller.post(ROLES, { tag: person.tag, perms: ['KSTAF'] });
    expect([answer.status, answer.body.code]).toEqual([409, code]);
    expect(await stored(person)).toEqual({ status, permissions: [] });
  });

  it('makes a client only of somebody with an active business to act for', async () => {
    const none = await buildPerson(app);
    const ofClosed = await buildPerson(app, { businessId: (await buildBusiness(app, { active: false })).id });
    for (const person of [none, ofClosed]) {
      const answer = await admin.caller.post(ROLES, { tag: person.tag, perms: ['BIDA'] });
      expect([answer.status, answer.body.code, answer.body.fields]).toEqual([
        422,
        'CLIENT_NEEDS_BUSINESS',
        { perms: 'A business client needs a business' },
      ]);
      expect((await stored(person)).permissions).toEqual([]);
    }
    const ofBuyer = await buildPerson(app, { businessId: (await buildBusiness(app, { kind: 'buyer' })).id });
    const refused = await admin.caller.post(ROLES, { tag: ofBuyer.tag, perms: ['BIDA'] });
    expect([refused.status, refused.body.code, Object.keys(refused.body.fields)]).toEqual([
      422,
      'NOT_A_CLIENT',
      ['perms'],
    ]);
    expect((await stored(ofBuyer)).permissions).toEqual([]);
    const ofClient = await buildPerson(app, { businessId: (await buildBusiness(app)).id });
    expect((await admin.caller.post(ROLES, { tag: ofClient.tag, perms: ['BIDA'] })).status).toBe(200);
    expect((await stored(ofClient)).permissions).toEqual(['BIDA']);
  });
});

describe('who may set roles', () => {
  it('is an administrator alone', async () => {
    const person = await buildPerson(app);
    const others = await Promise.all([
      buildSignedIn(app, { perms: ['KSTAF'] }),
      buildSignedIn(app, { perms: ['BIDA'] }),
      buildSignedIn(app, { status: 'Verified' }),
    ]);
    for (const { caller, person: self } of others) {
      for (const tag of [person.tag, self.tag]) {
        const answer = await caller.post(ROLES, { tag, perms: ['KADMIN'] });
        expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
      }
    }
    expect((await app.visitor().post(ROLES, { tag: person.tag, perms: ['KADMIN'] })).status).toBe(401);
    expect((await stored(person)).permissions).toEqual([]);
  });

  it('is nobody over their own', async () => {
    for (const perms of [[], ['KADMIN', 'KSTAF']]) {
      const answer = await admin.caller.post(ROLES, { tag: admin.person.tag, perms });
      expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
    }
    expect((await stored(admin.person)).permissions).toEqual(['KADMIN']);
  });

  it('leaves an administrator when any number demote each other at once', async () => {
    const circle = await Promise.all(Array.from({ length: 4 }, () => buildSignedIn(app, { perms: ['KADMIN'] })));
    const demotions = circle.flatMap((one) =>
      circle
        .filter((other) => other !== one)
        .map((other) => one.caller.post(ROLES, { tag: other.person.tag, perms: ['KSTAF'] })),
    );
    const answers = await Promise.all(demotions);
    expect(answers.every(({ status }) => [200, 401, 403].includes(status))).toBe(true);
    const left = await Promise.all(circle.map(({ person }) => stored(person)));
    expect(left.filter(({ permissions }) => permissions.includes('KADMIN'))).toHaveLength(1);
  });
});

describe('what it takes', () => {
  it('is a tag of an existing person and codes that exist', async () => {
    const absent = await admin.caller.post(ROLES, { tag: '00000000-0000-4000-8000-000000000000', perms: [] });
    expect([absent.status, absent.body.code]).toEqual([404, 'NOT_FOUND']);
    const { tag } = await buildPerson(app);
    for (const body of [
      { tag },
      { perms: [] },
      { tag, perms: ['ADMIN'] },
      { tag, perms: 'KADMIN' },
      { tag, perms: [], x: 1 },
    ]) {
      const answer = await admin.caller.post(ROLES, body);
      expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST']);
    }
  });
});
