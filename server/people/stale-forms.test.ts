import { beforeAll, describe, expect, it } from 'vitest';
import {
  type BuiltBusiness,
  type BuiltPerson,
  buildBusiness,
  buildPerson,
  buildSignedIn,
  type SignedIn,
} from '#testing/builders.ts';
import { appOfFile } from '#testing/test-app.ts';

/** Two people have the same form open: saving an older form does not undo the other's changes (docs/decisions/0008). */

const UPDATE = '/persons/update_minimal_business';
const DEACTIVATE = '/persons/deactivate';
const ROLES = '/persons/roles';
const stale = {
  success: false,
  code: 'STALE_VERSION',
  msg: 'Somebody changed this elsewhere. Load it again to see the latest',
};

const app = appOfFile();
let admin: SignedIn;
let staff: SignedIn;
let business: BuiltBusiness;

beforeAll(async () => {
  admin = await buildSignedIn(app, { perms: ['KADMIN'] });
  staff = await buildSignedIn(app, { perms: ['KSTAF'] });
  business = await buildBusiness(app);
});

function client(): Promise<BuiltPerson> {
  return buildPerson(app, { perms: ['BIDA'], businessId: business.id });
}

/** The Update Person form filled in for that person. */
function form({ tag }: BuiltPerson, seen: object = {}) {
  return { firstName: 'Sarah', lastName: 'Nabirye', businessId: business.id, tag, ...seen };
}

function stored({ id }: BuiltPerson) {
  return app.platform.db
    .selectFrom('persons')
    .select(['status', 'permissions', 'first_name'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

describe('an update', () => {
  it('does not bring back a person who was deactivated after the form was opened', async () => {
    const person = await client();
    expect((await admin.caller.post(DEACTIVATE, { tag: person.tag })).status).toBe(200);
    const answer = await staff.caller.post(UPDATE, form(person, { seenStatus: 'Active' }));
    expect([answer.status, answer.body]).toEqual([409, stale]);
    expect(await stored(person)).toEqual({ status: 'Deactivated', permissions: [], first_name: null });
  });

  it('is stored if it saw the present state', async () => {
    const person = await client();
    expect((await staff.caller.post(UPDATE, form(person, { seenStatus: 'Active' }))).status).toBe(200);
    expect((await admin.caller.post(DEACTIVATE, { tag: person.tag })).status).toBe(200);
    expect((await staff.caller.post(UPDATE, form(person, { seenStatus: 'Deactivated' }))).status).toBe(200);
    expect(await stored(person)).toMatchObject({ status: 'Active', first_name: 'Sarah' });
  });

  it.each([[{}], [{ seenStatus: '' }], [{ seenStatus: null }]])(
    'is not compared if it says nothing of the state: %j',
    async (seen) => {
      const person = await client();
      expect((await admin.caller.post(DEACTIVATE, { tag: person.tag })).status).toBe(200);
      expect((await staff.caller.post(UPDATE, form(person, seen))).status).toBe(200);
      expect((await stored(person)).status).toBe('Active');
    },
  );

  it('never outlives a concurrent deactivation, in either order', async () => {
    for (let round = 0; round < 8; round += 1) {
      const person = await client();
      const [updated, deactivated] = await Promise.all([
        staff.caller.post(UPDATE, form(person, { seenStatus: 'Active' })),
        admin.caller.post(DEACTIVATE, { tag: person.tag }),
      ]);
      expect([200, 409]).toContain(updated.status);
      expect(deactivated.status).toBe(200);
      expect(await stored(person)).toMatchObject({ status: 'Deactivated', permissions: [] });
    }
  });
});

describe('a list of roles', () => {
  it('does not restore what another administrator revoked after the dialog was opened', async () => {
    const person = await buildPerson(app, { perms: ['BIDA', 'KSTAF'], businessId: business.id });
    expect((await admin.caller.post(ROLES, { tag: person.tag, perms: [] })).status).toBe(200);
    const older = { tag: person.tag, perms: ['BIDA', 'KADMIN', 'KSTAF'], seenPerms: ['BIDA', 'KSTAF'] };
    const answer = await admin.caller.post(ROLES, older);
    expect([answer.status, answer.body]).toEqual([409, stale]);
    expect((await stored(person)).permissions).toEqual([]);
  });

  it('is stored if it saw the present roles, in whatever order it names them', async () => {
    const person = await buildPerson(app, { perms: ['BIDA', 'KSTAF'], businessId: business.id });
    const fewer = { tag: person.tag, perms: ['KSTAF'], seenPerms: ['KSTAF', 'BIDA', 'KSTAF'] };
    expect((await admin.caller.post(ROLES, fewer)).status).toBe(200);
    expect((await stored(person)).permissions).toEqual(['KSTAF']);
    const none = { tag: person.tag, perms: ['KSTAF', 'KADMIN'], seenPerms: [] };
    expect((await admin.caller.post(ROLES, none)).body.code).toBe('STALE_VERSION');
    expect((await stored(person)).permissions).toEqual(['KSTAF']);
  });

  it('is stored for one of many who saw the same', async () => {
    const person = await client();
    const wanted = [['BIDA', 'KSTAF'], ['KSTAF'], [], ['KADMIN'], ['KADMIN', 'KSTAF']];
    const sent = wanted.map((perms) => admin.caller.post(ROLES, { tag: person.tag, perms, seenPerms: ['BIDA'] }));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409, 409]);
    expect((await stored(person)).permissions).toEqual(wanted[statuses.indexOf(200)]);
  });
});
