import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PermissionCode } from '#contract/permissions.ts';
import { changePermission, createUser, type Operator } from '#server/people/operator.service.ts';
import {
  type BuiltBusiness,
  type BuiltPerson,
  buildBusiness,
  buildPerson,
  buildSignedIn,
  type SignedIn,
  uniquePhone,
} from '#testing/builders.ts';
import { messagesTo, succeed } from '#testing/case-builders.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';

/**
 * We record who let a person act for a business and when a person became an officer, and tell others
 * (docs/decisions/0033).
 */

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });
let admin: SignedIn;
let otherAdmin: BuiltPerson;
let staff: SignedIn;
beforeAll(async () => {
  admin = await buildSignedIn(app, { perms: ['KADMIN'] });
  otherAdmin = await buildPerson(app, { perms: ['KADMIN'], username: 'other.admin@kasente.test' });
  staff = await buildSignedIn(app, { perms: ['KSTAF'] });
});

let business: BuiltBusiness;
let colleague: BuiltPerson;
beforeEach(async () => {
  business = await buildBusiness(app);
  colleague = await buildPerson(app, { perms: ['BIDA'], businessId: business.id });
});

function update(officer: SignedIn, person: BuiltPerson, businessId = business.id) {
  const form = { firstName: 'Sarah', lastName: 'Nabirye', businessId, tag: person.tag };
  return succeed(officer.caller.post('/persons/update_minimal_business', form));
}

function setRoles(person: BuiltPerson, perms: readonly PermissionCode[]) {
  return succeed(admin.caller.post('/persons/roles', { tag: person.tag, perms }));
}

function stored({ id }: { readonly id: number }) {
  return app.platform.db
    .selectFrom('persons')
    .select(['placed_by', 'placed_at', 'officer_since', 'first_officer'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

async function newsTo(person: BuiltPerson): Promise<string[]> {
  return (await messagesTo(app, { person })).map(({ body }) => body);
}

describe('everybody active in a business', () => {
  const unknown = "If you don't know them, tell us at once: +256 700 000000.";

  it('hears of who is activated into it, once, and who did it is kept', async () => {
    const gone = await buildPerson(app, { status: 'Deactivated', businessId: business.id });
    const elsewhere = await buildPerson(app, { perms: ['BIDA'] });
    const newcomer = await buildPerson(app, { status: 'Verified' });
    await update(staff, newcomer);
    const told = `Kasente: Sarah Nabirye (${newcomer.username}) can now act for ${business.name}. ${unknown}`;
    expect(await newsTo(colleague)).toEqual([told]);
    expect([await newsTo(gone), await newsTo(elsewhere)]).toEqual([[], []]);
    expect(await newsTo(newcomer)).toEqual([expect.stringContaining('your account is active')]);
    expect(await stored(newcomer)).toMatchObject({ placed_by: staff.person.id, placed_at: app.clock.now() });
    // A form that changes neither role nor business sends no messages.
    await update(admin, newcomer);
    expect(await newsTo(colleague)).toEqual([told]);
    expect(await stored(newcomer)).toMatchObject({ placed_by: staff.person.id });
  });

  it('hears of who is moved to it, and so do they and everybody where they were before', async () => {
    const { id: businessId, name } = await buildBusiness(app);
    const mover = await buildPerson(app, { perms: ['BIDA'], businessId, firstName: 'Sarah', lastName: 'Nabirye' });
    const left = await buildPerson(app, { perms: ['BIDA'], businessId });
    await update(staff, mover);
    expect(await newsTo(colleague)).toHaveLength(1);
    const atOnce = 'If this is not right, tell us at once: +256 700 000000.';
    expect(await newsTo(mover)).toEqual([`Kasente: you can no longer act for ${name}. ${atOnce}`]);
    expect(await newsTo(left)).toEqual([
      `Kasente: Sarah Nabirye (${mover.username}) can no longer act for ${name}. ${atOnce}`,
    ]);
    expect(await stored(mover)).toMatchObject({ placed_by: staff.person.id });
  });

  it('hears of who is brought back, and of who gets the permission there', async () => {
    const back = await buildPerson(app, { status: 'Deactivated', businessId: business.id });
    const idle = await buildPerson(app, { perms: [], businessId: business.id });
    await update(staff, back);
    await setRoles(idle, ['BIDA']);
    expect(await newsTo(colleague)).toHaveLength(2);
    expect(await stored(idle)).toMatchObject({ placed_by: admin.person.id, placed_at: app.clock.now() });
  });

  it('hears nothing of a move that is refused', async () => {
    const { id } = await buildBusiness(app, { kind: 'buyer' });
    const buyersOwn = await buildPerson(app, { businessId: id });
    const newcomer = await buildPerson(app, { status: 'Verified' });
    const form = { firstName: 'Sarah', lastName: 'Nabirye', businessId: id, tag: newcomer.tag };
    expect((await staff.caller.post('/persons/update_minimal_business', form)).status).toBe(422);
    expect(await newsTo(buyersOwn)).toEqual([]);
    expect(await stored(newcomer)).toMatchObject({ placed_by: null, placed_at: null });
  });
});

describe('a new officer', () => {
  it('is named to every other active administrator at once, and since when they are one is kept', async () => {
    const gone = await buildPerson(app, { status: 'Deactivated', username: 'gone.admin@kasente.test' });
    const person = await buildPerson(app, { perms: [], firstName: 'Musa', lastName: 'Okello' });
    const [before, staffBefore] = [await newsTo(otherAdmin), await newsTo(staff.person)];
    await setRoles(person, ['KSTAF']);
    const told = `Kasente: Musa Okello (${person.username}) is now an officer. If this is not right, remove the role under Users.`;
    expect(await newsTo(otherAdmin)).toEqual([...before, told]);
    expect((await newsTo(admin.person)).at(-1)).toBe(told);
    expect([await newsTo(gone), await newsTo(staff.person), await newsTo(person)]).toEqual([[], staffBefore, []]);
    const { officer_since: since } = await stored(person);
    expect(since).toEqual(app.clock.now());
    app.clock.advance(60);
    // An officer since then, who becomes an administrator, which everybody is told.
    await setRoles(person, ['KSTAF', 'KADMIN']);
    expect((await newsTo(otherAdmin)).at(-1)).toContain('is now an administrator.');
    expect((await stored(person)).officer_since).toEqual(since);
    await setRoles(person, []);
    await setRoles(person, ['KSTAF']);
    expect((await stored(person)).officer_since).toEqual(app.clock.now());
  });

  it('is one by the command line too, and counts as the first only while there is no other', async () => {
    const empty = await createTestApp();
    const operator: Operator = {
      person: null,
      now: empty.clock.now(),
      ip: 'command line',
      requestId: 'a test',
      idempotencyKey: undefined,
    };
    const create = async (perms: readonly PermissionCode[]) => {
      const value = uniquePhone();
      const username = { kind: 'phone', value } as const;
      const user = { username, password: 'Boda-boda 2026 Kampala', perms, firstName: null, lastName: null };
      await createUser(empty.platform, operator, user);
      const people = empty.platform.db.selectFrom('persons').selectAll().where('username', '=', value);
      return people.executeTakeFirstOrThrow();
    };
    try {
      const [first, second] = [await create(['KADMIN']), await create([])];
      expect([first.first_officer, first.officer_since]).toEqual([true, operator.now]);
      expect([second.first_officer, second.officer_since]).toEqual([false, null]);
      await changePermission(empty.platform, operator, second.username, { grant: true, perm: 'KSTAF' });
      const people = empty.platform.db.selectFrom('persons').select(['first_officer', 'officer_since']);
      expect(await people.where('id', '=', second.id).executeTakeFirst()).toEqual({
        first_officer: false,
        officer_since: operator.now,
      });
      const told = await messagesTo(empty, { person: first });
      expect(told.map(({ subject }) => subject)).toEqual([`${second.username} is now an officer`]);
    } finally {
      await empty.close();
    }
  });
});
