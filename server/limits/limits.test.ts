import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildBusiness } from '#server/testing/builders.ts';
import {
  buildApprovedCase,
  buildCaseClient,
  buildDeclinedCase,
  buildDisbursedCase,
  buildOfficer,
  buildSettledCase,
  buildWithdrawnCase,
  type CaseClient,
  caseRow,
  type Someone,
  succeed,
} from '#server/testing/case-builders.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import {
  buildDraft,
  businessTagOf,
  earnedRaises,
  ownLimit,
  ownLimits,
  setLimit,
  submit,
  UGX,
  USD,
} from './limits.harness.ts';

let app: TestApp;
let officer: Someone;
let client: CaseClient;
let businessTag: string;
beforeAll(async () => {
  app = await createTestApp();
  officer = await buildOfficer(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  client = await buildCaseClient(app);
  businessTag = await businessTagOf(app, client);
});

/** What the settings of tests say of a limit that nobody has set and nothing uses. */
const start = {
  currencyId: UGX,
  currency: 'UGX',
  limit: 50_000_000,
  outstanding: 0,
  submitted: 0,
  available: 50_000_000,
  growth: { settledOnTime: 0, settledNeeded: 3, next: 62_500_000, earned: false },
};

describe('a limit', () => {
  it('is what every client starts with, in each currency, as client and staff see it', async () => {
    const dollars = { ...start, currencyId: USD, currency: 'USD', limit: 15_000, available: 15_000 };
    const limits = [start, { ...dollars, growth: { ...start.growth, next: 18_750 } }];
    expect(await ownLimits(client)).toEqual(limits);
    expect((await officer.caller.get(`/businesses/${businessTag}/limits`)).body).toEqual(limits);
  });

  it('is used by what was applied for and by what is outstanding, and by nothing else', async () => {
    const given = { client, officer };
    await buildDraft(app, client);
    await buildDeclinedCase(app, given);
    await buildWithdrawnCase(app, given);
    await buildSettledCase(app, given);
    expect(await ownLimit(client, UGX)).toMatchObject({ outstanding: 0, submitted: 0, available: 50_000_000 });
    await buildApprovedCase(app, given);
    const part = await buildDisbursedCase(app, given);
    const receipt = { method: 'bank', reference: 'B-2', date: '2026-11-20', amount: 200_000.75, payer: 'buyer' };
    await succeed(officer.caller.post(`/applications/${part.tag}/receipts`, receipt));
    await succeed(submit(client, await buildDraft(app, client)));
    expect(await ownLimit(client, UGX)).toMatchObject({
      outstanding: 699_999.25,
      submitted: 1_800_000,
      available: 47_500_000.75,
    });
  });

  it('is one for each currency: amounts in different ones are never added', async () => {
    await succeed(setLimit(officer, businessTag, { currencyId: USD, limit: 900_000 }));
    await succeed(submit(client, await buildDraft(app, client, USD)));
    expect(await ownLimit(client, USD)).toMatchObject({ submitted: 900_000, available: 0 });
    expect(await ownLimit(client, UGX)).toMatchObject({ submitted: 0, available: 50_000_000 });
    await succeed(submit(client, await buildDraft(app, client, UGX)));
    expect(await ownLimit(client, USD)).toMatchObject({ submitted: 900_000 });
  });

  it('is 0 in a currency without a setting, and grows nowhere', async () => {
    const bare = await createTestApp({ FUNDING_LIMIT_START: 'UGX:1000000', FUNDING_LIMIT_MAXIMUM: 'UGX:1000000' });
    try {
      const somebody = await buildCaseClient(bare);
      expect(await ownLimits(somebody)).toMatchObject([
        { currency: 'UGX', limit: 1_000_000, growth: null },
        { currency: 'USD', limit: 0, available: 0, growth: null },
      ]);
      const answer = await submit(somebody, await buildDraft(bare, somebody, USD));
      expect([answer.status, answer.body.code]).toEqual([422, 'LIMIT_EXCEEDED']);
    } finally {
      await bare.close();
    }
  });

  it('holds sums that no amount can hold', async () => {
    await succeed(setLimit(officer, businessTag, { limit: 9_999_999_999_999.99 }));
    const drafts = await Promise.all(Array.from({ length: 11 }, () => buildDraft(app, client)));
    for (const draft of drafts) await succeed(submit(client, draft));
    const most = { face_value: '9999999999999.99', advance: '8999999999999.99', discount_fee: '0' };
    await app.platform.db
      .updateTable('invoices')
      .set({ ...most, net_proceeds: most.advance })
      .where('business_id', '=', client.person.businessId)
      .execute();
    expect(await ownLimit(client, UGX)).toMatchObject({ submitted: 9_999_999_999_999.99, available: 0 });
  });

  it('is shown to a client of theirs alone, and to staff for clients alone', async () => {
    const buyer = await buildBusiness(app, { kind: 'buyer' });
    const answers = [
      await client.caller.get(`/businesses/${businessTag}/limits`),
      await officer.caller.get('/limits/own'),
      await officer.caller.get(`/businesses/${randomUUID()}/limits`),
      await officer.caller.get(`/businesses/${buyer.tag}/limits`),
      await client.caller.post('/limits/earned', {}),
      await app.visitor().get('/limits/own'),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [403, 'FORBIDDEN'],
      [403, 'FORBIDDEN'],
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
      [403, 'FORBIDDEN'],
      [401, 'NOT_SIGNED_IN'],
    ]);
  });
});

describe('a submission above the limit', () => {
  it('is refused with what is available, and changes nothing', async () => {
    await succeed(setLimit(officer, businessTag, { limit: 1_000_000 }));
    await succeed(submit(client, await buildDraft(app, client)));
    const second = await buildDraft(app, client);
    const before = await caseRow(app, second);
    const answer = await submit(client, second);
    expect([answer.status, answer.body]).toEqual([
      422,
      {
        success: false,
        code: 'LIMIT_EXCEEDED',
        msg: 'This is more than your funding limit leaves',
        fields: {
          'application.amountAppliedFor': 'At most UGX 100,000 is available of your funding limit of UGX 1,000,000',
        },
        available: 100_000,
        limit: 1_000_000,
        currency: 'UGX',
      },
    ]);
    expect(await caseRow(app, second)).toEqual(before);
    expect((await client.caller.get(`/invoices/${second.tag}/validate_submission`)).body).toEqual({
      success: false,
      missing: ['Room below your funding limit (UGX 100,000 of 1,000,000 is available)'],
    });
  });

  it('fits to the shilling', async () => {
    await succeed(setLimit(officer, businessTag, { limit: 1_799_999.99 }));
    await succeed(submit(client, await buildDraft(app, client)));
    const second = await buildDraft(app, client);
    expect((await submit(client, second)).body).toMatchObject({ code: 'LIMIT_EXCEEDED', available: 899_999.99 });
    await succeed(setLimit(officer, businessTag, { limit: 1_800_000 }));
    await succeed(submit(client, second));
    expect(await ownLimit(client, UGX)).toMatchObject({ available: 0, submitted: 1_800_000 });
  });

  it('is accepted again once something is withdrawn or paid back', async () => {
    await succeed(setLimit(officer, businessTag, { limit: 900_000 }));
    const first = await buildDisbursedCase(app, { client, officer });
    const second = await buildDraft(app, client);
    const receive = (amount: number) =>
      succeed(
        officer.caller.post(`/applications/${first.tag}/receipts`, {
          method: 'bank',
          reference: `B-${amount}`,
          date: '2026-11-20',
          payer: 'client',
          amount,
        }),
      );
    await receive(899_999.99);
    expect((await submit(client, second)).body).toMatchObject({ code: 'LIMIT_EXCEEDED', available: 899_999.99 });
    await receive(0.01);
    await succeed(submit(client, second));
    const third = await buildDraft(app, client);
    expect((await submit(client, third)).body).toMatchObject({ code: 'LIMIT_EXCEEDED', available: 0 });
    await succeed(client.caller.post(`/applications/${second.tag}/withdraw`));
    await succeed(submit(client, third));
  });
});

describe('setting a limit', () => {
  it('is on record with what it was and why', async () => {
    await succeed(setLimit(officer, businessTag, { limit: 62_500_000.5, reason: '  Three settled on time ' }));
    expect(await ownLimit(client, UGX)).toMatchObject({ limit: 62_500_000.5, available: 62_500_000.5 });
    const events = app.platform.db
      .selectFrom('audit_events')
      .select(['action', 'actor_tag', 'subject_type', 'before', 'after'])
      .where('subject_tag', '=', businessTag);
    expect(await events.execute()).toEqual([
      {
        action: 'limit.set',
        actor_tag: officer.person.tag,
        subject_type: 'business',
        before: { currency: 'UGX', limit: 5_000_000_000 },
        after: { currency: 'UGX', limit: 6_250_000_050, reason: 'Three settled on time' },
      },
    ]);
  });

  it('may go below what is used: then nothing is available, and nothing else changes', async () => {
    await succeed(submit(client, await buildDraft(app, client)));
    await succeed(setLimit(officer, businessTag, { limit: 500_000 }));
    expect(await ownLimit(client, UGX)).toMatchObject({ limit: 500_000, submitted: 900_000, available: 0 });
    await succeed(setLimit(officer, businessTag, { limit: 0 }));
    expect(await ownLimit(client, UGX)).toMatchObject({ limit: 0, growth: null });
  });

  it('is refused where it changes nothing, or names what there is not', async () => {
    const refused = async (change: Record<string, unknown>, tag = businessTag) => {
      const { status, body } = await setLimit(officer, tag, { limit: 1, ...change });
      return [status, body.code, body.fields ?? null];
    };
    const msg = 'The limit is this already';
    expect(await refused({ limit: 50_000_000 })).toEqual([409, 'LIMIT_CHANGED', { limit: msg }]);
    await succeed(setLimit(officer, businessTag, { limit: 1 }));
    expect(await refused({})).toEqual([409, 'LIMIT_CHANGED', { limit: msg }]);
    const option = 'Choose one of the options offered';
    expect(await refused({ currencyId: 99 })).toEqual([422, 'UNKNOWN_REFERENCE', { currencyId: option }]);
    expect(await refused({ reason: ' x ' })).toEqual([400, 'BAD_REQUEST', { reason: 'Say why the limit changes' }]);
    expect(await refused({ limit: -1 })).toEqual([400, 'BAD_REQUEST', { limit: 'Give the limit' }]);
    expect(await refused({}, randomUUID())).toEqual([404, 'NOT_FOUND', null]);
    expect(await refused({}, (await buildBusiness(app, { kind: 'buyer' })).tag)).toEqual([404, 'NOT_FOUND', null]);
  });

  it('is for officers, and never of their own business', async () => {
    const relative = await buildOfficer(app, { businessId: client.person.businessId });
    const attempts = [relative, client];
    const answers = await Promise.all(attempts.map((who) => setLimit(who, businessTag, { limit: 1 })));
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [403, 'OWN_BUSINESS'],
      [403, 'FORBIDDEN'],
    ]);
    expect(await ownLimit(client, UGX)).toEqual(start);
  });

  it('by many at once is one change after the other: each knows what it replaces', async () => {
    const same = await Promise.all(Array.from({ length: 20 }, () => setLimit(officer, businessTag, { limit: 5 })));
    expect(same.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    const different = Array.from({ length: 20 }, (_, index) => setLimit(officer, businessTag, { limit: 100 + index }));
    expect((await Promise.all(different)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    const events = await app.platform.db
      .selectFrom('audit_events')
      .select(['before', 'after'])
      .where('subject_tag', '=', businessTag)
      .orderBy('id')
      .execute();
    const limitIn = (told: unknown) => (told as { limit: number }).limit; // what recordEvent was given
    const chain = [5_000_000_000, ...events.map(({ after }) => limitIn(after))];
    expect(events.map(({ before }) => limitIn(before))).toEqual(chain.slice(0, -1));
    expect(chain).toHaveLength(22);
    expect((await ownLimit(client, UGX)).limit * 100).toBe(chain.at(-1));
  });

  it('from an older dialog is refused where somebody has set it since', async () => {
    await succeed(setLimit(officer, businessTag, { limit: 0, seenLimit: 50_000_000 }));
    const answer = await setLimit(officer, businessTag, { limit: 62_500_000, seenLimit: 50_000_000 });
    expect([answer.status, answer.body]).toEqual([
      409,
      {
        success: false,
        code: 'STALE_VERSION',
        msg: 'This was changed elsewhere in the meantime. Load it again to see the latest',
      },
    ]);
    expect((await ownLimit(client, UGX)).limit).toBe(0);
    await succeed(setLimit(officer, businessTag, { limit: 62_500_000, seenLimit: 0 }));
    const raises = Array.from({ length: 10 }, (_, index) => ({ limit: index, seenLimit: 62_500_000 }));
    const answers = await Promise.all(raises.map((raise) => setLimit(officer, businessTag, raise)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
  });

  it('repeated under the same Idempotency-Key gets the first answer', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const change = { limit: 7, seenLimit: 50_000_000 };
    for (let time = 0; time < 2; time += 1)
      expect((await setLimit(officer, businessTag, change, headers)).body).toEqual({ success: true });
  });
});

describe('growth', () => {
  /** The page on which the client stands, if they do. */
  async function raiseOf() {
    const raises = await earnedRaises(officer, { size: 100 });
    return raises.find((raise) => raise.businessTag === businessTag);
  }

  it('is earned by so many settlements on time since the limit was last set', async () => {
    const given = { client, officer };
    for (let settled = 1; settled <= 3; settled += 1) {
      expect(await raiseOf()).toBeUndefined();
      await buildSettledCase(app, given);
    }
    expect(await ownLimit(client, UGX)).toMatchObject({ growth: { settledOnTime: 3, next: 62_500_000, earned: true } });
    expect(await raiseOf()).toMatchObject({
      businessTag,
      currencyId: UGX,
      currency: 'UGX',
      limit: 50_000_000,
      next: 62_500_000,
      settledOnTime: 3,
    });
    app.clock.advance(1);
    await succeed(setLimit(officer, businessTag, { limit: 62_500_000 }));
    expect(await raiseOf()).toBeUndefined();
    app.clock.advance(1);
    await buildSettledCase(app, given);
    expect(await ownLimit(client, UGX)).toMatchObject({
      limit: 62_500_000,
      growth: { settledOnTime: 1, next: 78_125_000, earned: false },
    });
  });

  it('is not earned late, nor by another currency, nor at the maximum', async () => {
    const given = { client, officer };
    const cases = [await buildSettledCase(app, given), await buildSettledCase(app, given)];
    const third = await buildSettledCase(app, given);
    const change = (values: Record<string, unknown>) =>
      app.platform.db.updateTable('invoices').set(values).where('id', '=', third.id).execute();
    expect(await raiseOf()).toBeDefined();
    await change({ settled_on: '2026-12-21' });
    expect(await raiseOf()).toBeUndefined();
    await change({ settled_on: '2026-12-20' });
    expect(await raiseOf()).toBeDefined();
    await change({ currency_id: USD });
    expect(await raiseOf()).toBeUndefined();
    expect(await ownLimit(client, USD)).toMatchObject({ growth: { settledOnTime: 1 } });
    await change({ currency_id: UGX });
    expect(cases).toHaveLength(2);
    // Set long ago: the three count since then, and only the maximum stands in the way.
    const limit = {
      business_id: client.person.businessId,
      currency_id: UGX,
      amount: '500000000',
      set_at: new Date(0),
      set_by: officer.person.id,
    };
    await app.platform.db.insertInto('funding_limits').values(limit).execute();
    expect(await raiseOf()).toBeUndefined();
    expect(await ownLimit(client, UGX)).toMatchObject({ growth: null });
    const lower = app.platform.db.updateTable('funding_limits').where('business_id', '=', limit.business_id);
    await lower.set({ amount: '499999999.99' }).execute();
    expect(await raiseOf()).toMatchObject({ limit: 499_999_999.99, next: 500_000_000 });
    await lower.set({ amount: '0.03' }).execute();
    expect(await raiseOf()).toBeUndefined();
  });

  it('is listed by name in pages, with the total on the first row', async () => {
    const own = await createTestApp({ FUNDING_LIMIT_GROWTH_AFTER: '1' });
    try {
      const clerk = await buildOfficer(own);
      for (let client_ = 0; client_ < 3; client_ += 1) await buildSettledCase(own, { officer: clerk });
      const all = await earnedRaises(clerk);
      const names = all.map(({ business }) => business);
      expect(names).toEqual(names.toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)));
      expect(all.map(({ total }) => total)).toEqual([3, undefined, undefined]);
      const second = await earnedRaises(clerk, { page: 2, size: 2 });
      expect(second).toEqual([{ ...all[2], total: 3 }]);
      expect(await earnedRaises(clerk, { page: 3, size: 2 })).toEqual([]);
      await own.platform.db
        .updateTable('businesses')
        .set({ active: false })
        .where('name', '=', names[0] ?? '')
        .execute();
      expect(await earnedRaises(clerk)).toHaveLength(2);
    } finally {
      await own.close();
    }
  });
});
