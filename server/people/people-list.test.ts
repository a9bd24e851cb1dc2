import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildBusiness, buildPerson, buildSignedIn, type SignedIn } from '#testing/builders.ts';
import { appOfFile, type TestCaller } from '#testing/test-app.ts';

const app = appOfFile();
let staff: SignedIn;
let caller: TestCaller;

beforeAll(async () => {
  staff = await buildSignedIn(app, {
    username: 'okello@kasente.test',
    perms: ['KSTAF'],
    firstName: 'Peter',
    lastName: 'Okello',
  });
  caller = staff.caller;
});

interface Row {
  readonly username: string;
  readonly total?: number;
}

async function list(asked: Record<string, unknown> = {}): Promise<Row[]> {
  const answer = await caller.post('/persons', asked);
  expect(answer.status).toBe(200);
  return answer.body;
}

async function find(searchPhrase: string): Promise<string[]> {
  return (await list({ searchPhrase, size: 100 })).map((row) => row.username);
}

describe('what the list takes', () => {
  it('is a page, a size, a phrase and a status, all of them optional', async () => {
    expect((await caller.post('/persons')).status).toBe(200);
    const all = { page: 1, size: 100, searchPhrase: '', status: '' };
    expect((await caller.post('/persons', all)).body).toEqual((await caller.post('/persons/all-persons', all)).body);
  });

  it.each([
    [{ page: 0 }, 'page'],
    [{ page: 1.5 }, 'page'],
    [{ page: '1' }, 'page'],
    [{ size: 0 }, 'size'],
    [{ size: 101 }, 'size'],
    [{ status: 'Waiting' }, 'status'],
    [{ sort: 'name' }, 'sort'],
    [{ searchPhrase: 'a'.repeat(101) }, 'searchPhrase'],
    [{ search: 'Sarah' }, 'search'],
  ])('is nothing else: %j', async (body, field) => {
    const answer = await caller.post('/persons', body);
    expect([answer.status, answer.body.code, Object.keys(answer.body.fields)]).toEqual([400, 'BAD_REQUEST', [field]]);
  });
});

describe('the list', () => {
  const own = appOfFile();
  let reader: TestCaller;
  const usernames: string[] = [];

  beforeAll(async () => {
    reader = (await buildSignedIn(own, { username: '0711000000', perms: ['KADMIN'] })).caller;
    usernames.push('0711000000');
    for (const [index, status] of (
      ['Verified', 'Active', 'Pending', 'Verified', 'Deactivated', 'Active'] as const
    ).entries()) {
      own.clock.advance(60);
      const person = await buildPerson(own, { username: `071100000${index + 1}`, status });
      usernames.push(person.username);
    }
  });

  const read = async (asked: Record<string, unknown>): Promise<Row[]> => (await reader.post('/persons', asked)).body;

  it('has those who wait for activation first, then the newest', async () => {
    const rows = await read({});
    expect(rows.map((row) => row.username)).toEqual([
      '0711000004',
      '0711000001',
      '0711000006',
      '0711000005',
      '0711000003',
      '0711000002',
      '0711000000',
    ]);
  });

  it('is sorted by when people joined, either way, ignoring who waits', async () => {
    const joined = (rows: readonly Row[]): string[] => rows.map(({ username }) => username);
    expect(joined(await read({ sort: 'joined' }))).toEqual(usernames);
    expect(joined(await read({ sort: '-joined' }))).toEqual(usernames.toReversed());
    expect(joined(await read({ sort: 'joined', status: 'Active' }))).toEqual([
      '0711000000',
      '0711000002',
      '0711000006',
    ]);
    expect(joined(await read({ sort: 'joined', searchPhrase: '071100000', size: 3 }))).toEqual(usernames.slice(0, 3));
  });

  it('orders people of the same moment by who came last', async () => {
    const early = await buildPerson(own, { username: '0711000008' });
    const late = await buildPerson(own, { username: '0711000009' });
    const rows = await read({ searchPhrase: '071100000', status: 'Active' });
    const places = [late, early].map(({ username }) => rows.findIndex((row) => row.username === username));
    expect(places).toEqual([0, 1]);
    await own.platform.db.deleteFrom('persons').where('id', 'in', [early.id, late.id]).execute();
  });

  it('is 10 a page unless asked otherwise, counted from 1, with the total on the first row alone', async () => {
    const first = await read({ page: 1, size: 3 });
    const second = await read({ page: 2, size: 3 });
    const third = await read({ page: 3, size: 3 });
    expect([first, second, third].map((rows) => rows.map((row) => row.total))).toEqual([
      [7, undefined, undefined],
      [7, undefined, undefined],
      [7],
    ]);
    const seen = [...first, ...second, ...third].map((row) => row.username);
    expect([...seen].sort()).toEqual([...usernames].sort());
    expect('total' in (first[1] ?? {})).toBe(false);
    const ten = await Promise.all(Array.from({ length: 5 }, () => buildPerson(own)));
    expect(await read({})).toHaveLength(10);
    await own.platform.db
      .deleteFrom('persons')
      .where(
        'id',
        'in',
        ten.map(({ id }) => id),
      )
      .execute();
  });

  it('is empty past its last page', async () => {
    expect(await read({ page: 4, size: 3 })).toEqual([]);
    expect(await read({ page: 10_000_000, size: 100 })).toEqual([]);
    expect(await read({ page: 2, searchPhrase: '0711000004' })).toEqual([]);
    expect(await read({ page: 10_000_000, searchPhrase: '0711000004' })).toEqual([]);
  });

  it('has one status where asked, newest first, with its own total', async () => {
    const waiting = await read({ status: 'Verified' });
    expect(waiting.map((row) => [row.username, row.total])).toEqual([
      ['0711000004', 2],
      ['0711000001', undefined],
    ]);
    expect((await read({ status: 'Active', size: 1 }))[0]).toMatchObject({ username: '0711000006', total: 3 });
  });

  it('finds within a status only', async () => {
    expect((await read({ status: 'Pending', searchPhrase: '0711' })).map((row) => row.username)).toEqual([
      '0711000003',
    ]);
    expect(await read({ status: 'Pending', searchPhrase: '0711000001' })).toEqual([]);
  });
});

describe('a row', () => {
  it('carries what the table and the Update Person modal show, and no secret', async () => {
    const business = await buildBusiness(app, { name: 'Rows and Sons Ltd' });
    const person = await buildPerson(app, {
      username: '0722000001',
      perms: ['BIDA'],
      businessId: business.id,
      firstName: 'Ritah',
      lastName: 'Atim',
    });
    const [row] = await list({ searchPhrase: '0722000001' });
    const districts: { id: number; name: string }[] = (await caller.get('/districts')).body;
    expect(row).toEqual({
      tag: person.tag,
      first_name: 'Ritah',
      last_name: 'Atim',
      designation: null,
      status: 'Active',
      gender: 'female',
      phone: '0722000001',
      email: null,
      business: 'Rows and Sons Ltd',
      business_tag: business.tag,
      business_id: business.id,
      district: districts.find(({ id }) => id === 1)?.name,
      username: '0722000001',
      perms: ['BIDA'],
      created_at: '2026-11-20T09:00:00.000Z',
      last_login_at: null,
      stated: null,
      total: 1,
    });
  });

  it("is the caller's own in the profile", async () => {
    const waiting = await buildSignedIn(app, { username: '0722000002', status: 'Verified' });
    const profile = await waiting.caller.get('/persons/profile');
    expect(profile.status).toBe(200);
    expect(profile.body).toMatchObject({
      tag: waiting.person.tag,
      username: '0722000002',
      status: 'Verified',
      perms: [],
      last_login_at: '2026-11-20T09:00:00.000Z',
    });
    expect('total' in profile.body).toBe(false);
    expect((await app.visitor().get('/persons/profile')).status).toBe(401);
  });
});

describe('a search', () => {
  beforeAll(async () => {
    const jinja = await buildBusiness(app, { name: 'Jinja Agro Supplies Ltd' });
    const percent = await buildBusiness(app, { name: '100% Pure_Water' });
    await buildPerson(app, {
      username: '0700000001',
      firstName: 'Sarah',
      lastName: 'Nabirye',
      perms: ['BIDA'],
      businessId: jinja.id,
    });
    await buildPerson(app, { username: '0700000002', firstName: 'Moses', lastName: 'Waiswa', businessId: percent.id });
    await buildPerson(app, { username: 'doreen_kato@example.ug', firstName: 'Doreen', lastName: 'Kató' });
    await buildPerson(app, { username: 'doreenxkato@example.ug', firstName: 'Back\\slash', lastName: 'Öpio' });
    const cafe = await buildBusiness(app, { name: 'Katónga-café' });
    const named = { firstName: 'Henry O’Brien', lastName: 'Okello-Odongo' };
    await buildPerson(app, { username: '0779999999', ...named, businessId: cafe.id });
  });

  it.each([
    ['first name', 'sarah', ['0700000001']],
    ['any case', 'SARAH', ['0700000001']],
    ['part of a name', 'abiry', ['0700000001']],
    ['first and last name', 'sarah nabirye', ['0700000001']],
    ['last name first', 'Nabirye Sarah', ['0700000001']],
    ['last name first, with a comma', 'NABIRYE, SARAH', ['0700000001']],
    ['parts of both', 'nab sar', ['0700000001']],
    ['last name with an accent', 'KATÓ dor', ['doreenxkato@example.ug', 'doreen_kato@example.ug']],
    ['a name without its accent', 'opio', ['doreenxkato@example.ug']],
    ['a double name', 'okello-odongo', ['0779999999']],
    ['a double name as two words', 'odongo  okello', ['0779999999']],
    ['a name without its apostrophe', 'obrien', ['0779999999']],
    ['a name with another apostrophe', 'O’Brien', ['0779999999']],
    ['name and phone', 'nabirye 0700-000-001', ['0700000001']],
    ['business with an accent and a dash', 'Katonga cafe', ['0779999999']],
    ['phone', '0700000001', ['0700000001']],
    ['phone with spaces', '0700 000 001', ['0700000001']],
    ['phone in the international form', '+256700000001', ['0700000001']],
    ['the same with spaces', ' +256 700 000 002 ', ['0700000002']],
    ['the same with (0) and dots', '+256 (0)700.000.002', ['0700000002']],
    ['phone with direction marks', '\u202a00256 700000001\u202c', ['0700000001']],
    ['phone without its 0', '700000002', ['0700000002']],
    ['part of a phone', '77999', ['0779999999']],
    ['e-mail', 'Doreen_Kato@Example.UG', ['doreen_kato@example.ug']],
    ['business', 'agro supp', ['0700000001']],
    ['two letters', 'sw', ['0700000002']],
    ['one letter', 'j', ['0700000001']],
    ['nothing', 'nobody of this name', []],
    ['nothing in two letters', 'qq', []],
  ])('finds by %s: %j', async (_what, phrase, expected) => {
    expect(await find(phrase)).toEqual(expected);
  });

  it.each([
    ['dor_enq', []],
    ['%oreen kato', ['doreenxkato@example.ug', 'doreen_kato@example.ug']],
    ['100% pure_w', ['0700000002']],
    ['back\\slash', ['doreenxkato@example.ug']],
  ])('has no wildcards: %j', async (phrase, expected) => {
    expect(await find(phrase)).toEqual(expected);
  });

  it('does not find what two fields would only say together', async () => {
    expect(await find('nabirye0700000001')).toEqual([]);
  });

  it('finds a person once who matches by name and by business, and counts them once', async () => {
    const gulu = await buildBusiness(app, { name: 'Harriet Holdings' });
    await buildPerson(app, { username: '0733000001', firstName: 'Harriet', lastName: 'Auma', businessId: gulu.id });
    await buildPerson(app, { username: '0733000002', firstName: 'Ivan', lastName: 'Auma', businessId: gulu.id });
    await buildPerson(app, { username: '0733000003', firstName: 'Harriet', lastName: 'Opio' });
    const rows = await list({ searchPhrase: 'harriet', size: 2 });
    expect(rows.map((row) => [row.username, row.total])).toEqual([
      ['0733000003', 3],
      ['0733000002', undefined],
    ]);
    const rest = await list({ searchPhrase: 'harriet', size: 2, page: 2 });
    expect(rest.map((row) => [row.username, row.total])).toEqual([['0733000001', 3]]);
  });

  it('finds what has just been changed', async () => {
    const business = await buildBusiness(app);
    const person = await buildPerson(app, { username: '0733000009', status: 'Verified' });
    const body = { firstName: 'Zuleikha', lastName: 'Nansubuga', businessId: business.id, tag: person.tag };
    expect((await caller.post('/persons/update_minimal_business', body)).status).toBe(200);
    expect(await find('zuleikha nan')).toEqual(['0733000009']);
  });
});

describe('people of a business', () => {
  it('are all of them, those who wait first, and nobody else', async () => {
    const business = await buildBusiness(app);
    await buildPerson(app, { username: '0744000001', businessId: business.id, status: 'Verified' });
    await buildPerson(app, { username: '0744000002', businessId: business.id, perms: ['BIDA'] });
    await buildPerson(app, { username: '0744000003', businessId: business.id, status: 'Deactivated' });
    const answer = await caller.get(`/businesses/persons?tag=${business.tag}`);
    expect(answer.status).toBe(200);
    expect(answer.body.map((row: Row) => row.username)).toEqual(['0744000001', '0744000003', '0744000002']);
    expect(answer.body[0]).toMatchObject({ business: business.name, business_id: business.id });
  });

  it('are none where there are none, and 404 where there is no such business', async () => {
    const business = await buildBusiness(app);
    expect((await caller.get(`/businesses/persons?tag=${business.tag}`)).body).toEqual([]);
    const absent = await caller.get('/businesses/persons?tag=00000000-0000-4000-8000-000000000000');
    expect([absent.status, absent.body.code]).toEqual([404, 'NOT_FOUND']);
  });

  it.each(['', '?tag=', '?tag=7', `?tag=00000000-0000-4000-8000-000000000000&page=1`])(
    'are asked for by tag and nothing else: %j',
    async (query) => {
      const answer = await caller.get(`/businesses/persons${query}`);
      expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST']);
    },
  );
});

describe('a list of very many', () => {
  const crowd = appOfFile();
  let reader: TestCaller;
  const many = 10_050;

  beforeAll(async () => {
    reader = (await buildSignedIn(crowd, { username: 'admin@kasente.test', perms: ['KADMIN'] })).caller;
    const { id } = await buildBusiness(crowd, { name: 'Crowded House Ltd' });
    await sql`insert into persons (username, username_kind, password_hash, status, first_name, phone, business_id, created_at)
      select phone, 'phone', 'none', case when i = 5 then 'Verified' else 'Active' end, 'Common', phone, ${id}::int,
        timestamptz '2026-01-01' + i * interval '1 minute'
      from (select i, '07' || lpad(i::text, 8, '0') as phone from generate_series(1, ${sql.lit(many)}) as i) as made`.execute(
      crowd.platform.db,
    );
  });

  const read = async (asked: Record<string, unknown>): Promise<Row[]> => (await reader.post('/persons', asked)).body;

  it('counts everybody without a search, to the last page', async () => {
    expect((await read({ size: 1 }))[0]?.total).toBe(many + 1);
    const last = await read({ page: 1006 });
    expect(last.map((row) => row.username)).toEqual(['0700000001']);
    expect(last[0]?.total).toBe(many + 1);
  });

  it.each(['common', 'COMM', 'crowded house', '07', 'o'])(
    'finds the first 10,000 of %j in order and counts no further',
    async (searchPhrase) => {
      const first = await read({ searchPhrase, size: 3 });
      const usernames = first.map((row) => row.username).filter((username) => username !== 'admin@kasente.test');
      expect(usernames.slice(0, 2)).toEqual(['0700000005', '0700010050']);
      expect(first.map((row) => row.total)).toEqual([10_000, undefined, undefined]);
      const last = await read({ searchPhrase, page: 1000 });
      expect(last).toHaveLength(10);
      expect(last[0]?.total).toBe(10_000);
      expect(await read({ searchPhrase, page: 1001 })).toEqual([]);
    },
  );

  it('counts a status no further either', async () => {
    const first = await read({ status: 'Active', size: 2 });
    expect(first.map((row) => row.total)).toEqual([10_000, undefined]);
    expect(await read({ status: 'Active', page: 1001 })).toEqual([]);
  });

  it('keeps its total exact through additions and deletions by many at once', async () => {
    const added = await Promise.all(Array.from({ length: 40 }, () => buildPerson(crowd)));
    expect((await read({ size: 1 }))[0]?.total).toBe(many + 41);
    await Promise.all(
      added.slice(0, 15).map(({ id }) => crowd.platform.db.deleteFrom('persons').where('id', '=', id).execute()),
    );
    expect((await read({ size: 1 }))[0]?.total).toBe(many + 26);
    await expect(
      crowd.platform.db.inTransaction(async (change) => {
        await change
          .deleteFrom('persons')
          .where('id', 'in', [added[20]?.id ?? 0])
          .execute();
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect((await read({ size: 1 }))[0]?.total).toBe(many + 26);
  });
});
