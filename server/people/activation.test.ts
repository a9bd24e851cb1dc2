import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type BuiltBusiness,
  type BuiltPerson,
  buildBusiness,
  buildPerson,
  buildSignedIn,
  type SignedIn,
  TEST_PASSWORD,
  uniquePhone,
} from '#testing/builders.ts';
import { eventsOf } from '#testing/case-builders.ts';
import { appOfFile, createTestApp, type TestCaller } from '#testing/test-app.ts';

const UPDATE = '/persons/update_minimal_business';

const app = appOfFile();
let admin: SignedIn;
let staff: SignedIn;
let business: BuiltBusiness;

beforeAll(async () => {
  admin = await buildSignedIn(app, { perms: ['KADMIN'] });
  staff = await buildSignedIn(app, { perms: ['KSTAF'] });
  business = await buildBusiness(app);
});

/** The Update Person form filled in for that person. */
function form(person: { readonly tag: string }, given: Record<string, unknown> = {}) {
  return { firstName: 'Sarah', lastName: 'Nabirye', businessId: business.id, tag: person.tag, ...given };
}

async function stored(person: BuiltPerson) {
  return app.platform.db.selectFrom('persons').selectAll().where('id', '=', person.id).executeTakeFirstOrThrow();
}

async function messagesTo(username: string): Promise<{ to: string; subject: string; body: string; channel: string }[]> {
  const { body } = await app.visitor().get('/dev/messages');
  return body.filter((message: { to: string }) => message.to === username);
}

/** Resolves once a statement waits for a row that another transaction has locked. */
async function untilSomebodyWaits(): Promise<void> {
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting.execute(app.platform.db)).rows.length).toBe(1);
}

async function permsOf(caller: TestCaller): Promise<string[]> {
  return (await caller.get('/users/session')).body.user.perms;
}

describe('activation', () => {
  it('lets a verified person in as a client from their next call on, and tells them', async () => {
    const person = await buildSignedIn(app, { username: '0755000001', status: 'Verified' });
    expect(await permsOf(person.caller)).toEqual([]);
    expect((await person.caller.post('/invoices/paged', {})).status).toBe(403);

    const answer = await staff.caller.post(UPDATE, form(person.person, { designation: 'Director' }));
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, msg: 'Updates to this business person have been successful' },
    ]);

    const { user } = (await person.caller.get('/users/session')).body;
    expect(user).toMatchObject({
      firstName: 'Sarah',
      lastName: 'Nabirye',
      bizName: business.name,
      bizTag: business.tag,
      perms: ['BIDA'],
      roles: ['Business client'],
    });
    expect((await person.caller.post('/invoices/paged', {})).body).toEqual([]);
    expect(await messagesTo('0755000001')).toMatchObject([
      { channel: 'sms', subject: 'Your Kasente account is active', body: expect.stringContaining('account is active') },
    ]);
    expect(await eventsOf(app, person.person, 'person.%')).toMatchObject([
      {
        action: 'person.activated',
        actor_tag: staff.person.tag,
        before: { status: 'Verified', perms: [], firstName: null, businessId: null },
        after: { status: 'Active', perms: ['BIDA'], firstName: 'Sarah', businessId: business.id },
      },
    ]);
  });

  it('brings a deactivated person back, who is told by e-mail where that is the username', async () => {
    const person = await buildPerson(app, { username: 'back@example.ug', status: 'Deactivated' });
    expect((await staff.caller.post(UPDATE, form(person))).status).toBe(200);
    expect(await stored(person)).toMatchObject({ status: 'Active', permissions: ['BIDA'], email: 'back@example.ug' });
    expect(await messagesTo('back@example.ug')).toMatchObject([{ channel: 'email' }]);
    const visitor = app.visitor();
    const login = await visitor.post('/users/login', { username: 'back@example.ug', password: TEST_PASSWORD });
    expect(login.body.user.perms).toEqual(['BIDA']);
  });

  it('says where to log in when the address is known', async () => {
    const known = await createTestApp({ PUBLIC_URL: 'https://kasente.example' });
    const { caller } = await buildSignedIn(known, { perms: ['KSTAF'] });
    const person = await buildPerson(known, { status: 'Verified' });
    const { id } = await buildBusiness(known);
    expect((await caller.post(UPDATE, form(person, { businessId: id }))).status).toBe(200);
    const [message] = (await known.visitor().get('/dev/messages')).body;
    expect(message.body).toContain('https://kasente.example/login');
    await known.close();
  });

  it('happens once when many activate at the same time', async () => {
    const person = await buildPerson(app, { status: 'Verified' });
    const callers = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? admin : staff).caller);
    const answers = await Promise.all(callers.map((caller) => caller.post(UPDATE, form(person))));
    expect(answers.map(({ status }) => status)).toEqual(callers.map(() => 200));
    expect(await messagesTo(person.username)).toHaveLength(1);
    const actions = (await eventsOf(app, person, 'person.%')).map(({ action }) => action);
    expect(actions.filter((action) => action === 'person.activated')).toHaveLength(1);
  });

  it('is refused while the username is not confirmed', async () => {
    const person = await buildPerson(app, { status: 'Pending' });
    const answer = await staff.caller.post(UPDATE, form(person));
    expect([answer.status, answer.body]).toEqual([
      409,
      { success: false, code: 'PERSON_PENDING', msg: 'This person has not confirmed their phone or email yet' },
    ]);
    expect(await stored(person)).toMatchObject({ status: 'Pending', first_name: null });
    expect(await messagesTo(person.username)).toEqual([]);
  });

  it('needs a client: a business that is only a buyer is refused at its field, for staff members too', async () => {
    const buyer = await buildBusiness(app, { kind: 'buyer' });
    const waiting = await buildPerson(app, { status: 'Verified' });
    const client = await buildPerson(app, { perms: ['BIDA'], businessId: business.id });
    const colleague = await buildPerson(app, { perms: ['KSTAF'] });
    for (const person of [waiting, client, colleague]) {
      const answer = await admin.caller.post(UPDATE, form(person, { businessId: buyer.id }));
      expect([answer.status, answer.body.code, answer.body.fields]).toEqual([
        422,
        'NOT_A_CLIENT',
        { businessId: 'This business is only a buyer. Make it a client under Businesses first' },
      ]);
      expect((await stored(person)).first_name).toBeNull();
    }
    expect(await messagesTo(waiting.username)).toEqual([]);
  });

  it('needs an active business, even where the person belonged to it before', async () => {
    const closed = await buildBusiness(app, { active: false });
    const person = await buildPerson(app, { status: 'Deactivated', businessId: closed.id });
    for (const businessId of [closed.id, 2_000_000_000]) {
      const answer = await staff.caller.post(UPDATE, form(person, { businessId }));
      expect([answer.status, answer.body.code, answer.body.fields]).toEqual([
        422,
        'UNKNOWN_REFERENCE',
        { businessId: 'Choose one of the options offered' },
      ]);
    }
    expect((await stored(person)).status).toBe('Deactivated');
  });
});

describe('an update of an active person', () => {
  it('changes what the form says and no permission, and tells nobody', async () => {
    const person = await buildSignedIn(app, { perms: ['BIDA'], businessId: business.id });
    const given = { designation: 'Owner', email: 'Sarah@Example.UG', phone: person.person.username };
    expect((await staff.caller.post(UPDATE, form(person.person, given))).status).toBe(200);
    expect(await stored(person.person)).toMatchObject({
      first_name: 'Sarah',
      last_name: 'Nabirye',
      designation: 'Owner',
      email: 'sarah@example.ug',
      phone: person.person.username,
      status: 'Active',
      permissions: ['BIDA'],
    });
    expect(await permsOf(person.caller)).toEqual(['BIDA']);
    expect(await messagesTo(person.person.username)).toEqual([]);
  });

  it('empties what the form leaves out, but never the username', async () => {
    const person = await buildPerson(app, { perms: ['BIDA'], businessId: business.id });
    const full = form(person, { designation: 'Owner', email: 'owner@example.ug' });
    expect((await staff.caller.post(UPDATE, full)).status).toBe(200);
    expect((await staff.caller.post(UPDATE, form(person, { designation: '', email: '', phone: '' }))).status).toBe(200);
    expect(await stored(person)).toMatchObject({ designation: null, email: null, phone: person.username });
  });

  it('does not make a client of a staff member', async () => {
    const colleague = await buildPerson(app, { perms: ['KSTAF'] });
    expect((await admin.caller.post(UPDATE, form(colleague))).status).toBe(200);
    expect(await stored(colleague)).toMatchObject({ permissions: ['KSTAF'], business_id: business.id });
  });

  it('keeps a business that has closed since, but does not move anybody into one', async () => {
    const closed = await buildBusiness(app, { active: false });
    const person = await buildPerson(app, { perms: ['BIDA'], businessId: closed.id });
    expect((await staff.caller.post(UPDATE, form(person, { businessId: closed.id }))).status).toBe(200);
    const other = await buildPerson(app, { perms: ['BIDA'], businessId: business.id });
    expect((await staff.caller.post(UPDATE, form(other, { businessId: closed.id }))).body.code).toBe(
      'UNKNOWN_REFERENCE',
    );
    expect((await stored(other)).first_name).toBeNull();
  });

  it('ends their sessions when they leave a business, and only then', async () => {
    const person = await buildSignedIn(app, { perms: ['BIDA'], businessId: business.id });
    expect((await staff.caller.post(UPDATE, form(person.person))).status).toBe(200);
    expect((await person.caller.get('/users/session')).status).toBe(200);
    const { id } = await buildBusiness(app);
    expect((await staff.caller.post(UPDATE, form(person.person, { businessId: id }))).status).toBe(200);
    expect((await person.caller.get('/users/session')).status).toBe(401);
  });
});

describe('who may update whom', () => {
  it('is no client and nobody without a permission', async () => {
    const person = await buildPerson(app, { status: 'Verified' });
    const client = await buildSignedIn(app, { perms: ['BIDA'] });
    const waiting = await buildSignedIn(app, { status: 'Verified' });
    for (const { caller } of [client, waiting]) {
      expect((await caller.post(UPDATE, form(person))).body.code).toBe('FORBIDDEN');
    }
    expect((await waiting.caller.post(UPDATE, form(waiting.person))).body.code).toBe('FORBIDDEN');
    expect((await app.visitor().post(UPDATE, form(person))).body.code).toBe('NOT_SIGNED_IN');
    expect((await stored(person)).status).toBe('Verified');
  });

  it.each([[['KSTAF']], [['KADMIN']], [['BIDA', 'KSTAF']]] as const)(
    'is no staff member over one with %j, not even over themselves',
    async (perms) => {
      const colleague = await buildPerson(app, { perms: [...perms] });
      const answer = await staff.caller.post(UPDATE, form(colleague));
      expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
      expect((await staff.caller.post(UPDATE, form(staff.person))).body.code).toBe('FORBIDDEN');
      expect((await admin.caller.post(UPDATE, form(colleague))).status).toBe(200);
    },
  );

  it('is no administrator over their own business, which another one changes', async () => {
    const self = await buildSignedIn(app, { perms: ['KADMIN'], businessId: business.id });
    const none = await buildSignedIn(app, { perms: ['KADMIN'] });
    const { id } = await buildBusiness(app);
    for (const { caller, person } of [self, none]) {
      const answer = await caller.post(UPDATE, form(person, { businessId: id }));
      expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
    }
    expect(await stored(self.person)).toMatchObject({ business_id: business.id, first_name: null });
    expect(await stored(none.person)).toMatchObject({ business_id: null });
    expect((await self.caller.post(UPDATE, form(self.person, { designation: 'Director' }))).status).toBe(200);
    expect(await stored(self.person)).toMatchObject({ business_id: business.id, designation: 'Director' });
    expect((await admin.caller.post(UPDATE, form(self.person, { businessId: id }))).status).toBe(200);
    expect(await stored(self.person)).toMatchObject({ business_id: id });
  });

  it('ends with the permission: a demoted administrator cannot, however late the demotion comes', async () => {
    const demoted = await buildSignedIn(app, { perms: ['KADMIN'] });
    const colleague = await buildPerson(app, { perms: ['KSTAF'] });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let locked = (): void => undefined;
    const isLocked = new Promise<void>((resolve) => {
      locked = resolve;
    });
    const demotion = app.platform.db.inTransaction(async (change) => {
      await change
        .updateTable('persons')
        .set({ permissions: ['KSTAF'] })
        .where('id', '=', demoted.person.id)
        .execute();
      locked();
      await held;
    });
    await isLocked;
    const update = demoted.caller.post(UPDATE, form(colleague));
    await untilSomebodyWaits();
    release();
    await demotion;
    expect((await update).body.code).toBe('FORBIDDEN');
  });

  it('is nobody over a person who does not exist', async () => {
    const answer = await admin.caller.post(UPDATE, form({ tag: '00000000-0000-4000-8000-000000000000' }));
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('the username', () => {
  it('stays what the person logs in with: a phone number', async () => {
    const username = uniquePhone();
    const person = await buildPerson(app, { username, status: 'Verified' });
    const other = await staff.caller.post(UPDATE, form(person, { phone: uniquePhone() }));
    expect([other.status, other.body.code, Object.keys(other.body.fields)]).toEqual([422, 'USERNAME_FIXED', ['phone']]);
    expect((await stored(person)).status).toBe('Verified');
    expect((await staff.caller.post(UPDATE, form(person, { phone: ` ${username} ` }))).status).toBe(200);
    expect((await stored(person)).phone).toBe(username);
  });

  it('stays what the person logs in with: an e-mail address', async () => {
    const person = await buildPerson(app, { username: 'fixed@example.ug', status: 'Verified' });
    const other = await staff.caller.post(UPDATE, form(person, { email: 'other@example.ug' }));
    expect([other.status, other.body.code, Object.keys(other.body.fields)]).toEqual([422, 'USERNAME_FIXED', ['email']]);
    const same = form(person, { email: 'Fixed@Example.UG\u200b', phone: '+256 (0)414-000.001' });
    expect((await staff.caller.post(UPDATE, same)).status).toBe(200);
    expect(await stored(person)).toMatchObject({ email: 'fixed@example.ug', phone: '0414000001' });
  });
});

describe('the form', () => {
  it.each([
    [{ firstName: 'S' }, 'firstName', 'First name should have at least 2 letters'],
    [{ firstName: '12' }, 'firstName', 'First name should have at least 2 letters'],
    [{ lastName: ' N ' }, 'lastName', 'Last name should have at least 2 letters'],
    [{ phone: '+254700000001' }, 'phone', 'Give a valid Ugandan number'],
    [{ phone: '07OO000001' }, 'phone', 'Give a valid Ugandan number'],
    [{ phone: '070000000' }, 'phone', 'Give a valid Ugandan number'],
    [{ phone: '+25670000000' }, 'phone', 'Give a valid Ugandan number'],
    [{ email: 'sarah@' }, 'email', 'Invalid email'],
    [{ businessId: '' }, 'businessId', 'Business is required'],
    [{ businessId: undefined }, 'businessId', 'Business is required'],
    [{ perms: ['KADMIN'] }, 'perms', 'This field is not known'],
    [{ status: 'Active' }, 'status', 'This field is not known'],
    [{ tag: '7' }, 'tag', 'Not a valid reference'],
  ])('refuses %j', async (wrong, field, message) => {
    const person = await buildPerson(app, { status: 'Verified' });
    const answer = await staff.caller.post(UPDATE, form(person, wrong));
    expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST']);
    expect(answer.body.fields).toEqual({ [field]: message });
    expect((await stored(person)).status).toBe('Verified');
  });

  it('takes ids as decimal strings, tags in capitals and names of every script', async () => {
    const person = await buildPerson(app, { status: 'Verified' });
    const given = { firstName: 'Ö-é', lastName: 'ሰላም', businessId: String(business.id), tag: person.tag.toUpperCase() };
    expect((await staff.caller.post(UPDATE, form(person, given))).status).toBe(200);
    expect(await stored(person)).toMatchObject({ first_name: 'Ö-é', last_name: 'ሰላም', status: 'Active' });
  });
});
