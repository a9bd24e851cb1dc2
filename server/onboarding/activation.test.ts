import { beforeAll, describe, expect, it } from 'vitest';
import { buildBusiness, buildSignedIn, type SignedIn } from '#testing/builders.ts';
import { appOfFile } from '#testing/test-app.ts';

const ACTIVATION = '/users/activation';

const app = appOfFile({ ACTIVATION_TARGET_HOURS: '3' });
let staff: SignedIn;
beforeAll(async () => {
  staff = await buildSignedIn(app, { perms: ['KSTAF'] });
});

let made = 0;
function details(given: Record<string, unknown> = {}) {
  made += 1;
  return { firstName: 'Amina', lastName: 'Kato', businessName: `Kato Traders ${made}`, tin: '', ...given };
}

const newcomer = () => buildSignedIn(app, { status: 'Verified' });

async function statedOf({ person }: SignedIn) {
  const { body } = await staff.caller.post('/persons', { searchPhrase: person.username });
  return body[0].stated;
}

describe('what a newcomer says of their business', () => {
  it('is kept, shown to them and to staff, and can be changed until they are active', async () => {
    const somebody = await buildSignedIn(app, { status: 'Verified', username: '0772100001' });
    const given = { firstName: null, lastName: null, businessName: null, tin: null };
    const wallet = expect.objectContaining({ holderName: null });
    const nothing = { waiting: true, usualHours: 3, ...given, wallet };
    expect((await somebody.caller.get(ACTIVATION)).body).toEqual(nothing);
    expect(await statedOf(somebody)).toBeNull();

    const first = details({ businessName: '  Kampala   City Traders ', tin: '100 123 4567' });
    expect((await somebody.caller.post(ACTIVATION, first)).body).toEqual({ success: true });
    expect((await somebody.caller.get(ACTIVATION)).body).toEqual({
      ...nothing,
      firstName: 'Amina',
      lastName: 'Kato',
      businessName: 'Kampala City Traders',
      tin: '1001234567',
    });
    expect(await statedOf(somebody)).toEqual({
      business: 'Kampala City Traders',
      tin: '1001234567',
      industryId: 1,
      districtId: 1,
      match: null,
    });
    expect((await somebody.caller.get('/users/session')).body.user).toMatchObject({ firstName: 'Amina', perms: [] });

    expect((await somebody.caller.post(ACTIVATION, details({ businessName: 'Kampala Traders' }))).status).toBe(200);
    expect(await statedOf(somebody)).toMatchObject({ business: 'Kampala Traders', tin: null });
    const events = app.platform.db
      .selectFrom('audit_events')
      .select(['action', 'actor_tag', 'before', 'after'])
      .where('subject_tag', '=', somebody.person.tag)
      .where('action', '=', 'person.details-stated')
      .orderBy('id');
    expect(await events.execute()).toMatchObject([
      { actor_tag: somebody.person.tag, before: { businessName: null }, after: { tin: '1001234567' } },
      { before: { businessName: 'Kampala City Traders' }, after: { businessName: 'Kampala Traders', tin: null } },
    ]);
  });

  it('comes with the business that has the TIN, else the name', async () => {
    const named = await buildBusiness(app, { name: 'Mukono Millers' });
    const buyer = await buildBusiness(app, { name: 'Mukono Mills', kind: 'buyer' });
    await app.platform.db.updateTable('businesses').set({ tin: '1009999999' }).where('id', '=', buyer.id).execute();
    const somebody = await newcomer();
    await somebody.caller.post(ACTIVATION, details({ businessName: 'MUKONO millers' }));
    expect((await statedOf(somebody)).match).toMatchObject({ id: named.id, tag: named.tag, isActiveClient: true });
    await somebody.caller.post(ACTIVATION, details({ businessName: 'MUKONO millers', tin: '1009999999' }));
    expect((await statedOf(somebody)).match).toMatchObject({ id: buyer.id, tag: buyer.tag, isActiveClient: false });
  });

  it.each([
    [{ firstName: 'A' }, 'firstName'],
    [{ lastName: '' }, 'lastName'],
    [{ businessName: 'K' }, 'businessName'],
    [{ businessName: 'K'.repeat(121) }, 'businessName'],
    [{ businessName: 'Kato \u202Esredart' }, 'businessName'],
    [{ firstName: 'Ami\u200Bna' }, 'firstName'],
    [{ tin: '123456789' }, 'tin'],
    [{ tin: '12345678901' }, 'tin'],
    [{ tin: '100123456X' }, 'tin'],
  ])('is refused for %j at its field', async (given, field) => {
    const somebody = await newcomer();
    const answer = await somebody.caller.post(ACTIVATION, details(given));
    expect([answer.status, answer.body.code, Object.keys(answer.body.fields)]).toEqual([400, 'BAD_REQUEST', [field]]);
    expect(await statedOf(somebody)).toBeNull();
  });

  it('is refused to everybody who does not wait for activation', async () => {
    const client = await buildSignedIn(app, { perms: ['BIDA'] });
    const without = await buildSignedIn(app);
    for (const { caller } of [client, without, staff]) {
      const answer = await caller.post(ACTIVATION, details());
      expect([answer.status, answer.body.code]).toEqual([409, 'NOT_WAITING']);
      expect((await caller.get(ACTIVATION)).body).toMatchObject({ waiting: false, businessName: null });
    }
    expect((await app.visitor().post(ACTIVATION, details())).status).toBe(401);
  });

  it('is either before the activation or refused, and staff’s names stay', async () => {
    const { id: businessId } = await buildBusiness(app);
    for (let round = 0; round < 5; round += 1) {
      const somebody = await newcomer();
      const { tag } = somebody.person;
      const form = { firstName: 'Sarah', lastName: 'Nabirye', businessId, tag };
      const [said, activated] = await Promise.all([
        somebody.caller.post(ACTIVATION, details()),
        staff.caller.post('/persons/update_minimal_business', form),
      ]);
      expect([200, 409]).toContain(said.status);
      expect(activated.status).toBe(200);
      expect((await somebody.caller.get('/users/session')).body.user.firstName).toBe('Sarah');
      expect(await statedOf(somebody)).toBeNull();
    }
  });
});

describe('a TIN', () => {
  let form = 0;
  const business = (given: Record<string, unknown>) => {
    form += 1;
    return { name: `Tin ${form}`, industryId: 1, districtId: 1, isClient: true, isBuyer: false, ...given };
  };

  it('is one business’s, also of two that are added at once', async () => {
    const add = (tin: string) => staff.caller.post('/businesses', business({ tin }));
    expect((await add('200 000 0001')).status).toBe(200);
    const again = await add('2000000001');
    expect([again.status, again.body.code, Object.keys(again.body.fields)]).toEqual([
      409,
      'BUSINESS_TIN_TAKEN',
      ['tin'],
    ]);
    const both = await Promise.all([add('2000000002'), add('2000000002')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await Promise.all([add(''), add('')])).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('may be a NIN or a registration number, and is one however it is typed', async () => {
    const somebody = await newcomer();
    const find = async (searchPhrase: string) => (await staff.caller.post('/businesses/paged', { searchPhrase })).body;
    for (const [typed, tin] of [
      ['200 000 0009', '2000000009'],
      ['cm 9110 5101 clwq', 'CM91105101CLWQ'],
      ['8002-0001 234567', '80020001234567'],
      ['p/1234', 'P1234'],
    ] as const) {
      await somebody.caller.post(ACTIVATION, details({ tin: typed }));
      expect(await statedOf(somebody)).toMatchObject({ tin });
      expect(await find(tin)).toEqual([]);
      expect((await staff.caller.post('/businesses', business({ tin: typed }))).status).toBe(200);
      expect((await staff.caller.post('/businesses', business({ tin }))).body.code).toBe('BUSINESS_TIN_TAKEN');
      expect(await find(typed)).toMatchObject([{ tin, total: 1 }]);
    }
  });

  it('stays where editing leaves it out, and goes where it is emptied', async () => {
    const added = await staff.caller.post('/businesses', business({ tin: '2000000003' }));
    const { tag } = added.body.data;
    const edit = async (given: Record<string, unknown>) => {
      const payload = JSON.stringify(business(given));
      const headers = { 'content-type': 'application/json' };
      expect((await staff.caller.call({ method: 'PUT', url: `/businesses/${tag}`, payload, headers })).status).toBe(
        200,
      );
      const row = app.platform.db.selectFrom('businesses').select('tin').where('tag', '=', tag);
      return (await row.executeTakeFirstOrThrow()).tin;
    };
    expect(await edit({})).toBe('2000000003');
    expect(await edit({ tin: '2000000003' })).toBe('2000000003');
    expect(await edit({ tin: '' })).toBeNull();
  });
});

it('staff read how many people wait for activation', async () => {
  const before = (await staff.caller.get('/onboarding/counts')).body.activations;
  await newcomer();
  expect((await staff.caller.get('/onboarding/counts')).body).toEqual({ activations: before + 1, buyers: 0 });
});
