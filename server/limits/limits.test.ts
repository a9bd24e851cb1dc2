import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { buildBusiness } from '#testing/builders.ts';
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
} from '#testing/case-builders.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';
import {
  buildDraft,
  businessLimits,
  businessTagOf,
  ownLimit,
  ownLimits,
  putLimit,
  setLimit,
  submit,
  UGX,
  USD,
} from './limits.harness.ts';

const app = appOfFile();
let officer: Someone;
let client: CaseClient;
let businessTag: string;
beforeAll(async () => {
  officer = await buildOfficer(app);
});
beforeEach(async () => {
  client = await buildCaseClient(app);
  businessTag = await businessTagOf(app, client);
});

/** An unset and unused limit with the tests' settings. */
const start = {
  currencyId: UGX,
  currency: 'UGX',
  limit: 50_000_000,
  outstanding: 0,
  submitted: 0,
  available: 50_000_000,
  growth: { settledOnTime: 0, settledNeeded: 3, next: 62_500_000, earned: false },
};

/** A stored limit of the client. */
function row(currencyId: number) {
  const set = { set_at: app.clock.now(), set_by: officer.person.id };
  return { business_id: client.person.businessId, currency_id: currencyId, ...set };
}

describe('a limit', () => {
  it('is what every client starts with, in each currency, as client and staff see it', async () => {
    const dollars = { ...start, currencyId: USD, currency: 'USD', limit: 15_000, available: 15_000 };
    const limits = [start, { ...dollars, growth: { ...start.growth, next: 18_750 } }];
    expect(await ownLimits(client)).toEqual(limits);
    const forStaff = [
      { highestAlone: 50_000_000, highest: 2_000_000_000, raiseRefusal: null, proposal: null },
      { highestAlone: 15_000, highest: 600_000, raiseRefusal: null, proposal: null },
    ];
    expect(await businessLimits(officer, businessTag)).toEqual(
      limits.map((limit, index) => ({ ...limit, ...forStaff[index] })),
    );
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
    await app.platform.db
      .insertInto('funding_limits')
      .values({ ...row(USD), amount: '600000' })
      .execute();
    const dollars = await buildDraft(app, client, USD);
    await app.platform.db
      .updateTable('invoices')
      .set({ advance: '600000', discount_fee: '66000', net_proceeds: '534000' })
      .where('id', '=', dollars.id)
      .execute();
    await succeed(submit(client, dollars));
    expect(await ownLimit(client, USD)).toMatchObject({ submitted: 600_000, available: 0 });
    expect(await ownLimit(client, UGX)).toMatchObject({ submitted: 0, available: 50_000_000 });
    await succeed(submit(client, await buildDraft(app, client, UGX)));
    expect(await ownLimit(client, USD)).toMatchObject({ submitted: 600_000 });
  });

  it('is 0 in a currency without a setting, and grows nowhere', async () => {
    const bare = await createTestApp({ FUNDING_LIMIT_START: 'UGX:1000000', FUNDING_LIMIT_MAXIMUM: 'UGX:1000000' });
    onTestFinished(() => bare.close());
    const somebody = await buildCaseClient(bare);
    expect(await ownLimits(somebody)).toMatchObject([
      { currency: 'UGX', limit: 1_000_000, growth: null },
      { currency: 'USD', limit: 0, available: 0, growth: null },
    ]);
    const answer = await submit(somebody, await buildDraft(bare, somebody, USD));
    expect([answer.status, answer.body.code]).toEqual([422, 'LIMIT_EXCEEDED']);
  });

  it('holds sums that no amount can hold', async () => {
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
      await officer.caller.get(`/businesses/${randomUUID()}/limits`),
      await officer.caller.get(`/businesses/${buyer.tag}/limits`),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [403, 'FORBIDDEN'],
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
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
        msg: 'This is more than you can use of your funding limit',
        fields: {
          'application.amountAppliedFor': 'You can use at most UGX 100,000 of your funding limit of UGX 1,000,000',
        },
        available: 100_000,
        limit: 1_000_000,
        currency: 'UGX',
      },
    ]);
    expect(await caseRow(app, second)).toEqual(before);
    expect((await client.caller.get(`/invoices/${second.tag}/validate_submission`)).body).toEqual({
      success: false,
      missing: ['An advance within your funding limit (you can use UGX 100,000 of 1,000,000)'],
    });
  });

  it('fits to the shilling', async () => {
    await succeed(setLimit(officer, businessTag, { limit: 1_799_999.99 }));
    await succeed(submit(client, await buildDraft(app, client)));
    const second = await buildDraft(app, client);
    expect((await submit(client, second)).body).toMatchObject({ code: 'LIMIT_EXCEEDED', available: 899_999.99 });
    await putLimit(app, officer, businessTag, { limit: 1_800_000 });
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
    await receive(899_999);
    expect((await submit(client, second)).body).toMatchObject({ code: 'LIMIT_EXCEEDED', available: 899_999 });
    await receive(1);
    await succeed(submit(client, second));
    const third = await buildDraft(app, client);
    expect((await submit(client, third)).body).toMatchObject({ code: 'LIMIT_EXCEEDED', available: 0 });
    await succeed(client.caller.post(`/applications/${second.tag}/withdraw`));
    await succeed(submit(client, third));
  });
});

describe('setting a limit', () => {
  it('is logged with the earlier limit and the reason', async () => {
    await succeed(setLimit(officer, businessTag, { limit: 42_500_000.5, reason: '  Two settled late ' }));
    expect(await ownLimit(client, UGX)).toMatchObject({ limit: 42_500_000.5, available: 42_500_000.5 });
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
        after: { currency: 'UGX', limit: 4_250_000_050, reason: 'Two settled late' },
      },
    ]);
  });

  it('may be lower than what is used: then nothing is available, and nothing else changes', async () => {
    await succeed(submit(client, await buildDraft(app, client)));
    await succeed(setLimit(officer, businessTag, { limit: 500_000 }));
    expect(await ownLimit(client, UGX)).toMatchObject({ limit: 500_000, submitted: 900_000, available: 0 });
    await succeed(setLimit(officer, businessTag, { limit: 0 }));
    expect(await ownLimit(client, UGX)).toMatchObject({ limit: 0, growth: null });
  });

  it('is refused if it changes nothing, or names an unknown currency or client', async () => {
    const refused = async (change: Record<string, unknown>, tag = businessTag) => {
      const { status, body } = await setLimit(officer, tag, { limit: 1, ...change });
      return [status, body.code, body.fields ?? null];
    };
    const msg = 'This is already the limit';
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

  it('serialises concurrent changes: each knows what it replaces', async () => {
    const same = await Promise.all(Array.from({ length: 20 }, () => setLimit(officer, businessTag, { limit: 5 })));
    expect(same.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    const different = Array.from({ length: 20 }, (_, index) => setLimit(officer, businessTag, { limit: index / 100 }));
    // Each raise waits for another officer, and only one may be open at a time.
    const codes = (await Promise.all(different)).map(({ status, body }) => (status === 200 ? 'ok' : body.code));
    expect(codes.filter((code) => code !== 'ok' && code !== 'LIMIT_PROPOSED')).toEqual([]);
    const events = await app.platform.db
      .selectFrom('audit_events')
      .select(['before', 'after'])
      .where('subject_tag', '=', businessTag)
      .where('action', '=', 'limit.set')
      .orderBy('id')
      .execute();
    const limitIn = (told: unknown) => (told as { limit: number }).limit; // the `after` that recordEvent was given
    const chain = [5_000_000_000, ...events.map(({ after }) => limitIn(after))];
    expect(events.map(({ before }) => limitIn(before))).toEqual(chain.slice(0, -1));
    expect(chain.length).toBeGreaterThanOrEqual(3);
    expect(Math.round((await ownLimit(client, UGX)).limit * 100)).toBe(chain.at(-1));
  });

  it('is refused from a dialog older than the last change', async () => {
    await succeed(setLimit(officer, businessTag, { limit: 10_000_000, seenLimit: 50_000_000 }));
    const answer = await setLimit(officer, businessTag, { limit: 40_000_000, seenLimit: 50_000_000 });
    expect([answer.status, answer.body]).toEqual([
      409,
      {
        success: false,
        code: 'STALE_VERSION',
        msg: 'Somebody changed this elsewhere. Load it again to see the latest',
      },
    ]);
    expect((await ownLimit(client, UGX)).limit).toBe(10_000_000);
    const raises = Array.from({ length: 10 }, (_, index) => ({ limit: index, seenLimit: 10_000_000 }));
    const answers = await Promise.all(raises.map((raise) => setLimit(officer, businessTag, raise)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
  });

  it('returns the first answer to a repeat under the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const change = { limit: 7, seenLimit: 50_000_000 };
    for (let time = 0; time < 2; time += 1)
      expect((await setLimit(officer, businessTag, change, headers)).body).toEqual({ success: true, proposed: false });
  });
});
