import { beforeAll, describe, expect, it } from 'vitest';
import { buildBusiness, buildInvoice, buildPerson, buildSignedIn, type SignedIn } from '#testing/builders.ts';
import { eventsOf } from '#testing/case-builders.ts';
import { type Answer, appOfFile, type TestCaller } from '#testing/test-app.ts';

const ABSENT = '00000000-0000-4000-8000-000000000000';

const app = appOfFile();
let staff: SignedIn;
let caller: TestCaller;

beforeAll(async () => {
  staff = await buildSignedIn(app, { perms: ['KSTAF'] });
  caller = staff.caller;
});

/** The Businesses form filled in. */
function form(given: Record<string, unknown> = {}) {
  return { name: 'Mbarara Millers Ltd', industryId: 2, districtId: 3, isClient: true, isBuyer: false, ...given };
}

function edit(by: TestCaller, tag: string, body: unknown): Promise<Answer> {
  return by.call({
    method: 'PUT',
    url: `/businesses/${tag}`,
    payload: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
}

function stored(tag: string) {
  return app.platform.db.selectFrom('businesses').selectAll().where('tag', '=', tag).executeTakeFirst();
}

/** A buyer whose terms are unknown. */
const noTerms = { usualTermsDays: null, withholdsTax: false, withholdsVat: false };

describe('who may see and change businesses', () => {
  it('is staff: no client, nobody without a permission, nobody without a session', async () => {
    const client = await buildSignedIn(app, { perms: ['BIDA'] });
    const waiting = await buildSignedIn(app, { status: 'Verified' });
    const { tag, name } = await buildBusiness(app);
    for (const [by, status] of [
      [client.caller, 403],
      [waiting.caller, 403],
      [app.visitor(), 401],
    ] as const) {
      const answers = await Promise.all([
        by.post('/businesses/paged', {}),
        by.post('/businesses', form()),
        edit(by, tag, form()),
        by.get('/profiles/all'),
        by.get('/profiles/ida_clients'),
        by.get(`/businesses/${tag}`),
        by.get(`/businesses/persons?tag=${tag}`),
        by.get(`/businesses/${tag}/limits`),
        by.get(`/businesses/${tag}/payout_accounts`),
      ]);
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status));
    }
    expect((await stored(tag))?.name).toBe(name);
  });

  it('is administrators too', async () => {
    const admin = await buildSignedIn(app, { perms: ['KADMIN'] });
    expect((await admin.caller.post('/businesses/paged', {})).status).toBe(200);
    expect((await admin.caller.post('/businesses', form({ name: 'Added by an administrator' }))).status).toBe(200);
  });
});

describe('the list', () => {
  const own = appOfFile();
  let reader: TestCaller;

  beforeAll(async () => {
    reader = (await buildSignedIn(own, { perms: ['KSTAF'] })).caller;
    const zebra = await buildBusiness(own, { name: 'zebra Builders' });
    await buildBusiness(own, { name: 'Arua Traders', active: false });
    await buildBusiness(own, { name: 'Umeme', kind: 'buyer' });
    await buildBusiness(own, { name: '100% Traders_East', kind: 'buyer' });
    const owner = await buildPerson(own, { perms: ['BIDA'], businessId: zebra.id });
    await buildPerson(own, { status: 'Deactivated', businessId: zebra.id });
    const invoices = await Promise.all(
      ['A-1', 'A-2', 'A-3'].map((invoiceNumber) =>
        buildInvoice(own, { id: owner.id, businessId: zebra.id }, { invoiceNumber, buyerId: zebra.id + 2 }),
      ),
    );
    await own.platform.db
      .deleteFrom('invoices')
      .where('id', '=', invoices[0]?.id ?? 0)
      .execute();
  });

  const read = async (asked?: Record<string, unknown>): Promise<{ name: string; total?: number }[]> => {
    const answer = await reader.post('/businesses/paged', asked);
    expect(answer.status).toBe(200);
    return answer.body;
  };

  it('is by name without regard to case, active or not, with the total on the first row', async () => {
    const rows = await read();
    expect(rows.map(({ name, total }) => [name, total])).toEqual([
      ['100% Traders_East', 4],
      ['Arua Traders', undefined],
      ['Umeme', undefined],
      ['zebra Builders', undefined],
    ]);
  });

  it('is sorted by name or by how many applications there are, either way', async () => {
    const names = ['100% Traders_East', 'Arua Traders', 'Umeme', 'zebra Builders'];
    const sortedBy = async (sort: string) => (await read({ sort })).map(({ name }) => name);
    expect(await sortedBy('name')).toEqual(names);
    expect(await sortedBy('-name')).toEqual(names.toReversed());
    expect((await sortedBy('-applications'))[0]).toBe('zebra Builders');
    expect((await sortedBy('applications'))[3]).toBe('zebra Builders');
    expect((await read({ sort: '-name', page: 2, size: 3 })).map(({ name }) => name)).toEqual(['100% Traders_East']);
    expect((await reader.post('/businesses/paged', { sort: 'sector' })).status).toBe(400);
  });

  it('shows kind, sector, district, people and applications of each', async () => {
    const sectors: { id: number; name: string }[] = (await reader.get('/sectors')).body;
    const districts: { id: number; name: string }[] = (await reader.get('/districts')).body;
    const [row] = await read({ searchPhrase: 'zebra' });
    expect(row).toEqual({
      tag: expect.any(String),
      id: expect.any(Number),
      name: 'zebra Builders',
      industryId: 1,
      sector: sectors.find(({ id }) => id === 1)?.name,
      districtId: 1,
      district: districts.find(({ id }) => id === 1)?.name,
      tin: null,
      ...noTerms,
      isClient: true,
      isBuyer: false,
      active: true,
      people: 2,
      applications: 2,
      total: 1,
    });
    const [none] = await read({ searchPhrase: 'arua' });
    expect(none).toMatchObject({ people: 0, applications: 0, active: false });
  });

  it('is searched by part of the name and filtered by kind', async () => {
    const names = async (asked: Record<string, unknown>) => (await read(asked)).map(({ name }) => name);
    expect(await names({ searchPhrase: 'TRADERS' })).toEqual(['100% Traders_East', 'Arua Traders']);
    expect(await names({ searchPhrase: 'traders', kind: 'client' })).toEqual(['Arua Traders']);
    expect(await names({ kind: 'buyer' })).toEqual(['100% Traders_East', 'Umeme']);
    expect(await names({ searchPhrase: '100%' })).toEqual(['100% Traders_East']);
    expect(await names({ searchPhrase: 'east traders' })).toEqual(['100% Traders_East']);
    expect(await names({ searchPhrase: 'TRADERS/éast' })).toEqual(['100% Traders_East']);
    expect((await read({ kind: 'buyer', size: 1 }))[0]?.total).toBe(2);
  });

  it('comes in pages counted from 1, empty past the last', async () => {
    const second = await read({ page: 2, size: 3 });
    expect(second.map(({ name, total }) => [name, total])).toEqual([['zebra Builders', 4]]);
    expect(await read({ page: 3, size: 3 })).toEqual([]);
    expect(await read({ page: 10_000_000 })).toEqual([]);
  });

  it.each([{ page: 0 }, { size: 0 }, { size: 101 }, { kind: 'supplier' }, { name: 'zebra' }])(
    'takes nothing else: %j',
    async (asked) => {
      const answer = await reader.post('/businesses/paged', asked);
      expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST']);
    },
  );
});

describe('adding', () => {
  it('counts the characters of a name, not the units that they are written in', async () => {
    const add = async (name: string) => (await caller.post('/businesses', form({ name }))).status;
    expect([await add('😀'), await add('😀😀'), await add('😀'.repeat(120))]).toEqual([400, 200, 200]);
  });

  it('stores the form, answers tag and id, and is logged', async () => {
    const answer = await caller.post(
      '/businesses',
      form({ name: '  Gulu   Grains Ltd ', industryId: '2', isBuyer: true }),
    );
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, data: { tag: expect.any(String), id: expect.any(Number) } },
    ]);
    const { tag, id } = answer.body.data;
    expect(await stored(tag)).toEqual({
      id,
      tag,
      name: 'Gulu Grains Ltd',
      search_form: 'gulu grains ltd',
      industry_id: 2,
      district_id: 3,
      is_client: true,
      is_buyer: true,
      tin: null,
      usual_terms_days: null,
      withholds_tax: false,
      withholds_vat: false,
      ever_buyer: true,
      active: true,
      created_at: app.clock.now(),
    });
    expect(await eventsOf(app, { tag })).toEqual([
      {
        action: 'business.added',
        actor_tag: staff.person.tag,
        before: null,
        after: {
          name: 'Gulu Grains Ltd',
          industryId: 2,
          districtId: 3,
          tin: null,
          ...noTerms,
          isClient: true,
          isBuyer: true,
          active: true,
        },
      },
    ]);
  });

  it('happens once for an Idempotency-Key', async () => {
    const body = form({ name: 'Once Only Ltd' });
    const key = { 'idempotency-key': 'add-once' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => caller.post('/businesses', body, key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map((answer) => answer.body.data.tag)).size).toBe(1);
    const other = await caller.post('/businesses', form({ name: 'Another Ltd' }), key);
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
  });

  it.each(['Taken Name Ltd', 'TAKEN name ltd', ' Taken  Name Ltd'])(
    'refuses a name that is taken: %j',
    async (name) => {
      await caller.post('/businesses', form({ name: 'Taken Name Ltd' }));
      const answer = await caller.post('/businesses', form({ name }));
      expect([answer.status, answer.body]).toEqual([
        409,
        {
          success: false,
          code: 'BUSINESS_NAME_TAKEN',
          msg: 'There is already a business with this name',
          fields: { name: 'There is already a business with this name' },
        },
      ]);
    },
  );

  it('gives a name to one of many who ask for it at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => caller.post('/businesses', form({ name: 'Wanted Ltd' }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    expect(new Set(answers.filter(({ status }) => status === 409).map(({ body }) => body.code))).toEqual(
      new Set(['BUSINESS_NAME_TAKEN']),
    );
  });

  it.each([
    [{ isClient: false, isBuyer: false }, 'BUSINESS_KIND', 'isClient', 'A business must be a client, a buyer, or both'],
    [{ industryId: 9999 }, 'UNKNOWN_REFERENCE', 'industryId', 'Choose one of the options offered'],
    [{ districtId: 9999 }, 'UNKNOWN_REFERENCE', 'districtId', 'Choose one of the options offered'],
  ])('refuses %j', async (given, code, field, message) => {
    const answer = await caller.post('/businesses', form({ name: 'Never Added Ltd', ...given }));
    expect([answer.status, answer.body.code, answer.body.fields]).toEqual([422, code, { [field]: message }]);
    const added = (await caller.post('/businesses/paged', { searchPhrase: 'never added' })).body;
    expect(added).toEqual([]);
  });

  it.each([
    [{ name: 'A' }, 'name', 'Give the name of the business'],
    [{ name: 'A'.repeat(121) }, 'name', 'Use at most 120 characters'],
    [{ industryId: '' }, 'industryId', 'Please select your business sector'],
    [{ districtId: 0 }, 'districtId', 'Please select your district'],
    [{ id: 7 }, 'id', 'This field is not known'],
  ])('takes only what the form takes: not %j', async (given, field, message) => {
    const answer = await caller.post('/businesses', form(given));
    expect([answer.status, answer.body.code, answer.body.fields]).toEqual([400, 'BAD_REQUEST', { [field]: message }]);
  });
});

describe('editing', () => {
  it('stores the form and logs before and after', async () => {
    const { tag, id, name } = await buildBusiness(app);
    const answer = await edit(caller, tag, form({ name: 'Renamed Ltd', isBuyer: true, active: false }));
    expect([answer.status, answer.body]).toEqual([200, { success: true, data: { tag, id } }]);
    expect(await stored(tag)).toMatchObject({ name: 'Renamed Ltd', is_buyer: true, active: false, industry_id: 2 });
    expect(await eventsOf(app, { tag })).toMatchObject([
      {
        action: 'business.edited',
        actor_tag: staff.person.tag,
        before: {
          ...noTerms,
          name,
          industryId: 1,
          districtId: 1,
          tin: null,
          isClient: true,
          isBuyer: false,
          active: true,
        },
        after: {
          name: 'Renamed Ltd',
          industryId: 2,
          districtId: 3,
          tin: null,
          ...noTerms,
          isClient: true,
          isBuyer: true,
          active: false,
        },
      },
    ]);
  });

  it('may change the case of a name, but not take the name of another', async () => {
    const first = await buildBusiness(app, { name: 'Kitgum Coffee' });
    const second = await buildBusiness(app, { name: 'Kitgum Cotton' });
    expect((await edit(caller, first.tag, form({ name: 'KITGUM COFFEE' }))).status).toBe(200);
    const answer = await edit(caller, second.tag, form({ name: 'kitgum coffee' }));
    expect([answer.status, answer.body.code]).toEqual([409, 'BUSINESS_NAME_TAKEN']);
    expect((await stored(second.tag))?.name).toBe('Kitgum Cotton');
  });

  it('leaves a client a client while anybody active belongs to it', async () => {
    const business = await buildBusiness(app);
    await buildPerson(app, { status: 'Deactivated', businessId: business.id });
    const person = await buildPerson(app, { perms: ['BIDA'], businessId: business.id });
    const body = form({ name: business.name, isClient: false, isBuyer: true });
    const refused = await edit(caller, business.tag, body);
    expect([refused.status, refused.body.code, Object.keys(refused.body.fields)]).toEqual([
      409,
      'BUSINESS_HAS_PEOPLE',
      ['isClient'],
    ]);
    expect(await stored(business.tag)).toMatchObject({ is_client: true, is_buyer: false });
    expect((await caller.post('/persons/deactivate', { tag: person.tag })).status).toBe(200);
    expect((await edit(caller, business.tag, body)).status).toBe(200);
    expect(await stored(business.tag)).toMatchObject({ is_client: false, is_buyer: true });
  });

  it('never leaves an active client in a business that is none, in either order', async () => {
    for (let round = 0; round < 8; round += 1) {
      const business = await buildBusiness(app);
      const person = await buildPerson(app, { status: 'Verified' });
      const activate = { firstName: 'Sarah', lastName: 'Nabirye', businessId: business.id, tag: person.tag };
      const [edited, activated] = await Promise.all([
        edit(caller, business.tag, form({ name: business.name, isClient: false, isBuyer: true })),
        caller.post('/persons/update_minimal_business', activate),
      ]);
      // If the edit came first, nobody can act for the business; if the activation came first, it must stay a client.
      expect([
        [200, 422],
        [409, 200],
      ]).toContainEqual([edited.status, activated.status]);
      expect(await stored(business.tag)).toMatchObject({ is_client: activated.status === 200 });
    }
  });

  it.each([
    [{ isClient: false }, 422, 'BUSINESS_KIND'],
    [{ industryId: 9999 }, 422, 'UNKNOWN_REFERENCE'],
    [{ districtId: 9999 }, 422, 'UNKNOWN_REFERENCE'],
    [{ tag: ABSENT }, 400, 'BAD_REQUEST'],
  ])('refuses %j', async (given, status, code) => {
    const { tag, name } = await buildBusiness(app);
    const answer = await edit(caller, tag, form({ name, ...given }));
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it.each([ABSENT, '7', '%20'])('is 404 for an unknown one: %s', async (tag) => {
    const answer = await edit(caller, tag, form());
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
  });
});
