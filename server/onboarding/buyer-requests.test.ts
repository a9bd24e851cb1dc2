import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time/durations.ts';
import { buildBusiness, buildInvoice, buildSignedIn, uniquePhone } from '#testing/builders.ts';
import { buildCaseClient, buildOfficer, type CaseClient, type Someone } from '#testing/case-builders.ts';
import { appOfFile, type TestCaller } from '#testing/test-app.ts';

const REQUESTS = '/buyer_requests';
const ABSENT = '00000000-0000-4000-8000-000000000000';

const app = appOfFile({ PUBLIC_URL: 'https://kasente.example' });
let officer: Someone;
let client: CaseClient;
beforeAll(async () => {
  officer = await buildOfficer(app);
});
beforeEach(async () => {
  client = await buildCaseClient(app);
});

let made = 0;
function newName(): string {
  made += 1;
  return `Kampala City Traders ${made}`;
}

async function ask(name: string, caller: TestCaller = client.caller): Promise<string> {
  const answer = await caller.post(REQUESTS, { name });
  expect([answer.status, answer.body.success]).toEqual([200, true]);
  return answer.body.data.tag;
}

async function own(caller: TestCaller = client.caller) {
  return (await caller.get(REQUESTS)).body;
}

async function open(): Promise<{ tag: string; match: unknown }[]> {
  return (await officer.caller.post(`${REQUESTS}/paged`, { size: 100 })).body;
}

const newBuyer = (name: string) => ({ name, industryId: 1, districtId: 1 });
const add = (tag: string, body: unknown, by = officer) => by.caller.post(`${REQUESTS}/${tag}/add`, body);
const refuse = (tag: string, reason = 'We do not know this buyer', by = officer) =>
  by.caller.post(`${REQUESTS}/${tag}/refuse`, { reason });

async function messagesTo(username: string): Promise<{ channel: string; subject: string; body: string }[]> {
  const { body } = await app.visitor().get('/dev/messages');
  return body.filter((message: { to: string }) => message.to === username);
}

function eventsOf(action: string, request: string) {
  return app.platform.db
    .selectFrom('audit_events')
    .select(['actor_tag', 'after'])
    .where('action', '=', action)
    .where('after', '@>', JSON.stringify({ request }))
    .execute();
}

describe('asking for a buyer', () => {
  it('is seen by the client and by staff, and logged', async () => {
    const name = newName();
    const tag = await ask(`  ${name.replace(' ', '   ')} `);
    expect(await own()).toEqual([{ tag, name, buyer: null, refusal: null }]);
    const row = (await open()).find((request) => request.tag === tag);
    expect(row).toMatchObject({ name, askedBy: client.person.username, askedAt: expect.any(String), match: null });
    expect((await officer.caller.get('/onboarding/counts')).body.buyers).toBe((await open()).length);
    expect(await eventsOf('buyer.requested', tag)).toMatchObject([{ actor_tag: client.person.tag, after: { name } }]);
  });

  it('is one request for one name, in whatever case, by whichever colleague, also at once', async () => {
    const name = newName();
    const colleague = await buildSignedIn(app, { perms: ['BIDA'], businessId: client.person.businessId });
    const callers = [client.caller, colleague.caller, client.caller, colleague.caller];
    const answers = await Promise.all(
      callers.map((caller, at) => caller.post(REQUESTS, { name: at % 2 === 0 ? name : name.toUpperCase() })),
    );
    expect(new Set(answers.map(({ body }) => body.data.tag)).size).toBe(1);
    expect(await own()).toHaveLength(1);
    // Another business's request for the same buyer is separate.
    const other = await buildCaseClient(app);
    expect(await ask(name, other.caller)).not.toBe(answers[0]?.body.data.tag);
  });

  it('is done once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const name = newName();
    const first = await client.caller.post(REQUESTS, { name }, headers);
    expect((await client.caller.post(REQUESTS, { name }, headers)).body).toEqual(first.body);
    const other = await client.caller.post(REQUESTS, { name: newName() }, headers);
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
  });

  it('ends at five open ones, however they are asked for', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client.caller.post(REQUESTS, { name: newName() })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [409, 'BUYER_REQUESTS_OPEN']),
    );
    const [first] = await own();
    expect((await refuse(first.tag)).status).toBe(200);
    await ask(newName());
  });

  it('is refused where the select has it, and for the own business', async () => {
    const { name } = await buildBusiness(app, { kind: 'buyer' });
    const offered = await client.caller.post(REQUESTS, { name: name.toUpperCase() });
    expect([offered.status, offered.body.code, Object.keys(offered.body.fields)]).toEqual([
      409,
      'BUYER_OFFERED',
      ['name'],
    ]);
    const { name: ownName } = await app.platform.db
      .selectFrom('businesses')
      .select('name')
      .where('id', '=', client.person.businessId)
      .executeTakeFirstOrThrow();
    const seller = await client.caller.post(REQUESTS, { name: ownName });
    expect([seller.status, seller.body.code]).toEqual([422, 'BUYER_IS_SELLER']);
    // A buyer that is closed, or a business that is only a client, is not in the select.
    await ask((await buildBusiness(app, { kind: 'buyer', active: false })).name);
    await ask((await buildBusiness(app)).name);
  });

  it.each(['', 'K', ' K ', 'K'.repeat(121), 'Kampala\u202Esredart', 'Kampala\nTraders', 7])(
    'is refused for the name %j',
    async (name) => {
      const answer = await client.caller.post(REQUESTS, { name });
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ['name']]);
      expect(await own()).toEqual([]);
    },
  );
});

describe('adding the buyer', () => {
  it('makes a business of it, tells who asked where to choose it, and the select finds it', async () => {
    const name = newName();
    const tag = await ask(name);
    expect((await add(tag, { ...newBuyer(name), tin: '100 765 4321' })).body).toEqual({ success: true });
    const options: { id: number; name: string }[] = (await client.caller.get('/profiles/buyers')).body;
    const buyer = options.find((option) => option.name === name);
    expect(await own()).toEqual([{ tag, name, buyer, refusal: null }]);
    expect(await messagesTo(client.person.username)).toMatchObject([
      {
        channel: 'sms',
        body: `${name} is on Kasente now. Choose it as the buyer of your invoice. https://kasente.example/invoice-discounting-application`,
      },
    ]);
    expect((await open()).map((request) => request.tag)).not.toContain(tag);
    expect(await eventsOf('buyer.added', tag)).toMatchObject([{ actor_tag: officer.person.tag, after: { name } }]);
  });

  it('is not announced any more once an invoice names it', async () => {
    const { id: buyerId } = await buildBusiness(app);
    const tag = await ask(newName());
    await add(tag, { businessId: buyerId });
    expect(await own()).toHaveLength(1);
    await buildInvoice(app, client.person, { buyerId });
    expect(await own()).toEqual([]);
  });

  it('is not announced while the business is closed', async () => {
    const buyer = await buildBusiness(app);
    await add(await ask(newName()), { businessId: buyer.id });
    const before = await own();
    await app.platform.db.updateTable('businesses').set({ active: false }).where('id', '=', buyer.id).execute();
    expect(await own()).toHaveLength(before.length - 1);
  });

  it('takes a business that is there, and makes a buyer of it', async () => {
    const existing = await buildBusiness(app);
    const tag = await ask(existing.name.toLowerCase());
    const row = (await open()).find((request) => request.tag === tag);
    expect(row?.match).toEqual({ id: existing.id, active: true, isOwn: false });
    expect((await add(tag, { businessId: String(existing.id) })).status).toBe(200);
    expect((await client.caller.get('/profiles/buyers')).body).toContainEqual({ id: existing.id, name: existing.name });
    expect((await own())[0]).toMatchObject({ buyer: { id: existing.id, name: existing.name } });
    const [message] = await messagesTo(client.person.username);
    expect(message?.body).toContain(`${existing.name} is on Kasente now`);
  });

  it('is told by e-mail if that is the username, and not to a person who has lost their account', async () => {
    const { id: businessId } = await buildBusiness(app);
    const username = `asks-${randomUUID()}@example.ug`;
    const byEmail = await buildSignedIn(app, { perms: ['BIDA'], businessId, username });
    const gone = await buildSignedIn(app, { perms: ['BIDA'], businessId, username: uniquePhone() });
    const [first, second] = [await ask(newName(), byEmail.caller), await ask(newName(), gone.caller)];
    await officer.caller.post('/persons/deactivate', { tag: gone.person.tag });
    for (const tag of [first, second]) expect((await add(tag, newBuyer(newName()))).status).toBe(200);
    const ofBuyers = async (to: string) =>
      (await messagesTo(to)).filter(({ subject }) => / is on Kasente now$/.test(subject ?? ''));
    expect(await ofBuyers(username)).toMatchObject([{ channel: 'email' }]);
    expect(await ofBuyers(gone.person.username)).toEqual([]);
  });

  it('is refused for a taken name or TIN, the client’s own business and one that is closed', async () => {
    const tag = await ask(newName());
    const taken = await buildBusiness(app);
    const closed = await buildBusiness(app, { kind: 'buyer', active: false });
    for (const [body, status, code, field] of [
      [newBuyer(taken.name), 409, 'BUSINESS_NAME_TAKEN', 'name'],
      [{ businessId: client.person.businessId }, 422, 'BUYER_IS_SELLER', 'businessId'],
      [{ businessId: closed.id }, 422, 'UNKNOWN_REFERENCE', 'businessId'],
      [{ ...newBuyer(newName()), industryId: 9999 }, 422, 'UNKNOWN_REFERENCE', 'industryId'],
    ] as const) {
      const answer = await add(tag, body);
      expect([answer.status, answer.body.code, Object.keys(answer.body.fields)]).toEqual([status, code, [field]]);
    }
    expect((await add(tag, {})).status).toBe(400);
    expect(await own()).toMatchObject([{ buyer: null, refusal: null }]);
    expect(await messagesTo(client.person.username)).toEqual([]);
  });
});

describe('refusing', () => {
  it('tells the client why', async () => {
    const name = newName();
    const tag = await ask(name);
    expect((await refuse(tag, 'Give its full name, as on the invoice.')).body).toEqual({ success: true });
    expect(await own()).toEqual([{ tag, name, buyer: null, refusal: 'Give its full name, as on the invoice.' }]);
    const [message] = await messagesTo(client.person.username);
    expect(message?.body).toContain(`we can't add ${name} as a buyer. Give its full name, as on the invoice.`);
    // The name may be requested again.
    expect(await ask(name)).not.toBe(tag);
  });

  it.each(['', 'no', 'x'.repeat(301)])('needs a reason: %j is none', async (reason) => {
    const tag = await ask(newName());
    const answer = await refuse(tag, reason);
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ['reason']]);
  });
});

describe('an answer', () => {
  it('is one: of two officers at once one wins', async () => {
    const colleague = await buildOfficer(app);
    for (let round = 0; round < 5; round += 1) {
      const asking = await buildCaseClient(app);
      const tag = await ask(newName(), asking.caller);
      const answers = await Promise.all([
        add(tag, newBuyer(newName())),
        round % 2 === 0 ? refuse(tag, 'Not known to us', colleague) : add(tag, newBuyer(newName()), colleague),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(answers.find(({ status }) => status === 409)?.body.code).toBe('REQUEST_CLOSED');
      expect(await messagesTo(asking.person.username)).toHaveLength(1);
    }
  });

  it('is nobody’s but staff’s, and needs a request', async () => {
    const tag = await ask(newName());
    for (const { caller } of [client, await buildSignedIn(app, { status: 'Verified' })]) {
      expect((await caller.post(`${REQUESTS}/paged`, {})).status).toBe(403);
      expect((await caller.post(`${REQUESTS}/${tag}/add`, newBuyer('X1'))).status).toBe(403);
      expect((await caller.post(`${REQUESTS}/${tag}/refuse`, { reason: 'Not known to us' })).status).toBe(403);
    }
    expect((await officer.caller.post(REQUESTS, { name: newName() })).status).toBe(403);
    expect((await add(ABSENT, newBuyer(newName()))).status).toBe(404);
    expect((await refuse(ABSENT)).status).toBe(404);
  });

  it('is shown to nobody else, and for two weeks', async () => {
    const tag = await ask(newName());
    const other = await buildCaseClient(app);
    expect(await own(other.caller)).toEqual([]);
    await refuse(tag);
    expect(await own()).toHaveLength(1);
    await app.platform.db
      .updateTable('buyer_requests')
      .set({ closed_at: new Date(app.clock.now().getTime() - 15 * DAY_MS) })
      .where('tag', '=', tag)
      .execute();
    expect(await own()).toEqual([]);
  });
});
