import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { expectRefused, lastNews, stepCalls, traceOf } from '#server/desk/desk.harness.ts';
import { sweepLapsed } from '#server/desk/lapse/lapse-sweep.service.ts';
import { buildSignedIn } from '#testing/builders.ts';
import {
  acceptOffer,
  type BuiltCase,
  buildCounterOfferedCase,
  buildDisbursedCase,
  buildOfficer,
  buildOnceApprovedCase,
  buildReviewedCase,
  caseRow,
  eventsOf,
  logInAgain,
  messagesTo,
  NEEDS_TWO,
  OFFER,
  onDesk,
  statusOf,
  stepsOf,
  succeed,
} from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { resetClock } from '#testing/test-platform.ts';

/** Counter-offers: the client applied for UGX 900,000 over 30 days, and is offered 800,000 over 15 days (fee 7 %). */

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });
beforeEach(() => resetClock(app.clock));
afterEach(async () => {
  expect((await verifyRecord(app.platform)).faults).toEqual([]);
});

const offer = (built: BuiltCase, body: object) => onDesk(built.officer, built.tag, 'counter_offer', body);
const read = ({ client, tag }: BuiltCase) => client.caller.get(`/applications/${tag}/offer`);

/** How much the client uses of their limit in UGX. */
async function usedBy({ client }: BuiltCase): Promise<number> {
  const { body } = await client.caller.get('/limits/own');
  return body.find(({ currency }: { currency: string }) => currency === 'UGX').submitted;
}

describe('a counter-offer', () => {
  it('pauses the clock, holds what was asked for, and tells everybody in the business', async () => {
    const built = await buildReviewedCase(app);
    const colleague = await buildSignedIn(app, { perms: ['BIDA'], businessId: built.client.person.businessId });
    await succeed(offer(built, OFFER));
    expect(await caseRow(app, built)).toMatchObject({
      status: 'Counter-offered',
      advance: 90_000_000,
      decide_by: null,
      holder_id: built.officer.person.id,
    });
    expect(await usedBy(built)).toBe(900_000);
    const text = `We can offer you UGX 744,000 in cash, on other terms than you asked for. ${OFFER.reason} Log in to compare them, then accept or decline it.`;
    expect(await lastNews(app, built)).toBe(text);
    expect((await messagesTo(app, colleague)).at(-1)?.body).toContain(text);
    expect((await stepsOf(app, built)).at(-1)).toMatchObject({
      step: 'counterOffer',
      note: `UGX 800,000, 15 days. ${OFFER.reason}`,
    });
  });

  it('is shown to its client beside what was asked for, with its own key facts, and to staff', async () => {
    const built = await buildCounterOfferedCase(app);
    const { body } = await succeed(read(built));
    expect(body).toMatchObject({
      currency: 'UGX',
      asked: {
        amountAppliedFor: 900_000,
        tenorDays: 30,
        feesCharged: 99_000,
        amountReceived: 801_000,
        paymentExpectedOn: '2026-12-21',
      },
      offered: {
        amountAppliedFor: 800_000,
        tenorDays: 15,
        feeRatePercentage: 7,
        feesCharged: 56_000,
        amountReceived: 744_000,
        paymentExpectedOn: '2026-12-05',
      },
      reason: OFFER.reason,
      validUntil: '2026-12-04',
      keyFacts: { amountAppliedFor: 800_000, accepted: null },
    });
    expect((await succeed(built.officer.caller.get(`/applications/${built.tag}/offer`))).body).toEqual(body);
    const progress = (await built.client.caller.get(`/applications/${built.tag}/progress`)).body;
    expect(progress.mayTake).toEqual(['acceptOffer', 'declineOffer']);
    expect(progress.papers.offerLetter).toBe(false);
    // The earlier acceptance holds until the offer is accepted.
    expect((await built.client.caller.get(`/applications/${built.tag}/key_facts`)).body.amountAppliedFor).toBe(900_000);
  });

  it('names at its field what it must not be', async () => {
    const built = await buildReviewedCase(app);
    const above = { ...OFFER, amountAppliedFor: 900_000.01 };
    await expectRefused(app, built, () => offer(built, above), [422, 'OFFER_TOO_HIGH']);
    expect((await offer(built, above)).body.fields).toEqual({
      amountAppliedFor: 'The client asked for UGX 900,000. Offer that or less',
    });
    for (const body of [
      {},
      { ...OFFER, reason: ' ' },
      { ...OFFER, amountAppliedFor: -1 },
      { ...OFFER, feesCharged: 0 },
    ])
      await expectRefused(app, built, () => offer(built, body), [400, 'BAD_REQUEST']);
  });

  it('forgets a first approval, which was given for other terms', async () => {
    const built = await buildOnceApprovedCase(app);
    const second = await buildOfficer(app);
    await succeed(onDesk(second, built.tag, 'take'));
    await succeed(onDesk(second, built.tag, 'counter_offer', { ...OFFER, amountAppliedFor: 1_000_000 }));
    expect(await caseRow(app, built)).toMatchObject({ status: 'Counter-offered', first_approved_by: null });
  });

  it('is possible where only what was asked for is above the limit, which then holds', async () => {
    const built = await buildReviewedCase(app);
    const limit = { currencyId: 1, limit: 800_000, reason: 'The buyer pays late' };
    const admin = await buildSignedIn(app, { perms: ['KADMIN', 'KSTAF'] });
    await succeed(admin.caller.post(`/businesses/${await businessTag(built)}/limits`, limit));
    await expectRefused(app, built, () => stepCalls.approve(built), [409, 'LIMIT_NOT_HELD']);
    const above = { ...OFFER, amountAppliedFor: 800_001 };
    await expectRefused(app, built, () => offer(built, above), [409, 'LIMIT_NOT_HELD']);
    await succeed(offer(built, OFFER));
    await succeed(acceptOffer(built));
    expect(await usedBy(built)).toBe(800_000);
  });

  it('is withdrawn by its officer, and the clock continues', async () => {
    const built = await buildCounterOfferedCase(app);
    app.clock.advance(3600);
    await succeed(stepCalls.recallOffer(built));
    const row = await caseRow(app, built);
    expect(row).toMatchObject({ status: 'In Review', advance: 90_000_000 });
    expect(row.decide_by).toEqual(new Date('2026-11-20T17:00:00+03:00'));
    expect((await read(built)).status).toBe(404);
    expect(await lastNews(app, built)).toBe(
      "Our offer no longer holds; we're looking at your application again. We'll decide by 17:00 today.",
    );
  });
});

async function businessTag({ client }: BuiltCase): Promise<string> {
  const row = app.platform.db.selectFrom('businesses').where('id', '=', client.person.businessId).select('tag');
  return (await row.executeTakeFirstOrThrow()).tag;
}

describe('accepting', () => {
  it('approves on the offered terms, with its key facts, and frees what they use less of the limit', async () => {
    const built = await buildCounterOfferedCase(app);
    const { keyFacts } = (await read(built)).body;
    await succeed(acceptOffer(built));
    expect(await caseRow(app, built)).toMatchObject({
      status: 'Approved',
      advance: 80_000_000,
      tenor_days: 15,
      financing_period_id: 2,
      fee_rate_bps: 700,
      discount_fee: 5_600_000,
      net_proceeds: 74_400_000,
      decided_by: built.officer.person.id,
      decided_at: app.clock.now(),
      first_approved_by: null,
      holder_id: null,
    });
    expect(await usedBy(built)).toBe(800_000);
    const facts = (await built.client.caller.get(`/applications/${built.tag}/key_facts`)).body;
    expect(facts).toEqual({ ...keyFacts, accepted: { at: app.clock.now().toISOString(), by: expect.any(String) } });
    expect((await eventsOf(app, built)).at(-1)).toMatchObject({
      action: 'application.acceptOffer',
      actor_tag: built.client.person.tag,
      after: { keyFacts: { version: keyFacts.version } },
    });
    expect(await lastNews(app, built)).toBe(
      "You accepted our offer. You're approved: UGX 744,000 to you. Cash from today: we'll tell you when it's sent.",
    );
    expect((await built.client.caller.get(`/applications/${built.tag}/offer_letter.pdf`)).status).toBe(200);
  });

  it('waits for another officer where two are needed, and never for the one who offered', async () => {
    const built = await buildCounterOfferedCase(app, {
      ...NEEDS_TWO,
      offer: { ...OFFER, amountAppliedFor: 20_000_001 },
    });
    await succeed(acceptOffer(built));
    expect(await caseRow(app, built)).toMatchObject({
      status: 'In Review',
      advance: 2_000_000_100,
      tenor_days: 15,
      first_approved_by: built.officer.person.id,
      decided_by: null,
      holder_id: null,
    });
    expect(await lastNews(app, built)).toMatch(
      /^You accepted our offer\. You'll receive UGX .* once a second officer approves\./,
    );
    await succeed(onDesk(built.officer, built.tag, 'take'));
    await expectRefused(app, built, () => stepCalls.approve(built), [409, 'SECOND_OFFICER']);
    await succeed(onDesk(built.officer, built.tag, 'release'));
    const second = await buildOfficer(app);
    await succeed(onDesk(second, built.tag, 'take'));
    await succeed(onDesk(second, built.tag, 'approve'));
    expect(await statusOf(app, built)).toBe('Approved');
  });

  it('waits for another officer too where only what is offered since is above the threshold', async () => {
    const built = await buildCounterOfferedCase(app, {
      ...NEEDS_TWO,
      offer: { ...OFFER, amountAppliedFor: 15_000_000 },
    });
    await succeed(acceptOffer(built));
    expect(await statusOf(app, built)).toBe('Approved');
    const other = await buildCounterOfferedCase(app, {
      client: built.client,
      advance: 1_000_000_000,
      offer: { ...OFFER, amountAppliedFor: 6_000_000 },
    });
    await succeed(acceptOffer(other));
    expect(await statusOf(app, other)).toBe('In Review');
  });

  it('needs the key facts of this offer, as they are on the day', async () => {
    const built = await buildCounterOfferedCase(app);
    const { keyFacts } = (await read(built)).body;
    const accept = (version: unknown) =>
      built.client.caller.post(`/applications/${built.tag}/accept_offer`, { keyFactsVersion: version });
    const asked = (await built.client.caller.get(`/applications/${built.tag}/key_facts`)).body.version;
    for (const version of [asked, 'none'])
      await expectRefused(app, built, () => accept(version), [409, 'OFFER_CHANGED']);
    for (const version of [undefined, 7]) await expectRefused(app, built, () => accept(version), [400, 'BAD_REQUEST']);
    await succeed(stepCalls.recallOffer(built));
    await succeed(offer(built, { ...OFFER, amountAppliedFor: 700_000 }));
    await expectRefused(app, built, () => accept(keyFacts.version), [409, 'OFFER_CHANGED']);
    const before = (await read(built)).body.keyFacts.version;
    app.clock.advance(DAY_SECONDS);
    await logInAgain(built);
    await expectRefused(app, built, () => accept(before), [409, 'OFFER_CHANGED']);
    await succeed(acceptOffer(built));
  });

  it('is refused while the client is late, a business inactive, or the limit lowered below it', async () => {
    const late = await buildDisbursedCase(app);
    const built = await buildCounterOfferedCase(app, { client: late.client });
    const { db } = app.platform;
    const { due_on: dueOn } = await caseRow(app, late);
    const invoices = db.updateTable('invoices').where('id', '=', late.id);
    await invoices.set({ due_on: '2026-11-01' }).execute();
    await expectRefused(app, built, () => acceptOffer(built), [409, 'OVERDUE_BLOCKS']);
    await invoices.set({ due_on: dueOn }).execute();
    const { buyer_id: buyerId } = await caseRow(app, built);
    const buyer = db.updateTable('businesses').where('id', '=', buyerId);
    await buyer.set({ active: false }).execute();
    await expectRefused(app, built, () => acceptOffer(built), [422, 'UNKNOWN_REFERENCE']);
    await buyer.set({ active: true }).execute();
    const client = db.updateTable('businesses').where('id', '=', built.client.person.businessId);
    await client.set({ active: false }).execute();
    await expectRefused(app, built, () => acceptOffer(built), [409, 'BUSINESS_INACTIVE']);
    await client.set({ active: true }).execute();
    const limit = { currencyId: 1, limit: 1_699_999, reason: 'The buyer pays late' };
    const admin = await buildSignedIn(app, { perms: ['KADMIN', 'KSTAF'] });
    await succeed(admin.caller.post(`/businesses/${await businessTag(built)}/limits`, limit));
    await expectRefused(app, built, () => acceptOffer(built), [422, 'LIMIT_EXCEEDED']);
  });

  it('happens once under its Idempotency-Key', async () => {
    const built = await buildCounterOfferedCase(app);
    const { keyFacts } = (await read(built)).body;
    const post = () =>
      built.client.caller.post(
        `/applications/${built.tag}/accept_offer`,
        { keyFactsVersion: keyFacts.version },
        { 'idempotency-key': 'accept-1' },
      );
    const answers = [await post(), await post()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await traceOf(app, built)).steps.filter(({ step }) => step === 'acceptOffer')).toHaveLength(1);
  });
});

describe('an offer that nobody accepts', () => {
  it('is let go by the client, which ends the application and frees the limit', async () => {
    const built = await buildCounterOfferedCase(app);
    await succeed(stepCalls.declineOffer(built));
    expect(await caseRow(app, built)).toMatchObject({ status: 'Withdrawn', holder_id: null, decided_at: null });
    expect(await usedBy(built)).toBe(0);
    expect(await lastNews(app, built)).toBe(
      'You declined our offer, and your application has ended. You can apply again.',
    );
  });

  it('lapses after its last day, and is not accepted in between', async () => {
    const built = await buildCounterOfferedCase(app);
    app.clock.advance(14 * DAY_SECONDS);
    await sweepLapsed(app.platform);
    expect(await statusOf(app, built)).toBe('Counter-offered');
    app.clock.advance(DAY_SECONDS);
    await logInAgain(built);
    const accept = () =>
      built.client.caller.post(`/applications/${built.tag}/accept_offer`, { keyFactsVersion: 'none' });
    await expectRefused(app, built, accept, [409, 'OFFER_LAPSED']);
    await Promise.all([sweepLapsed(app.platform), sweepLapsed(app.platform)]);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Lapsed', decided_at: null, holder_id: null });
    expect((await stepsOf(app, built)).filter(({ step }) => step === 'lapse')).toHaveLength(1);
    expect(await lastNews(app, built)).toMatch(
      /^Our offer has ended: nobody accepted it in time\. You can apply again\./,
    );
  });

  it('has one outcome where it is accepted, let go and withdrawn at once', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const built = await buildCounterOfferedCase(app);
      const { keyFacts } = (await read(built)).body;
      const calls = [
        () =>
          built.client.caller.post(`/applications/${built.tag}/accept_offer`, { keyFactsVersion: keyFacts.version }),
        () => stepCalls.recallOffer(built),
        () => stepCalls.declineOffer(built),
      ];
      const turned = [...calls.slice(round % 3), ...calls.slice(0, round % 3)];
      const answers = await Promise.all(turned.map((call) => call()));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
      const status = await statusOf(app, built);
      outcomes.add(status);
      const accepted = await app.platform.db
        .selectFrom('counter_offer_acceptances')
        .innerJoin('counter_offers', 'counter_offers.id', 'offer_id')
        .where('invoice_id', '=', built.id)
        .select('offer_id')
        .execute();
      expect(accepted).toHaveLength(status === 'Approved' ? 1 : 0);
    }
    expect([...outcomes].every((status) => ['Approved', 'In Review', 'Withdrawn'].includes(status))).toBe(true);
  });
});
