import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { countsForGrowth } from '#contract/limits/limit.ts';
import { fromMinor, minorToNumeric } from '#contract/money.ts';
import { addDays } from '#contract/time/calendar.ts';
import { DAY_MS } from '#contract/time/durations.ts';
import { paid, reverse } from '#server/payments/payments.harness.ts';
import {
  type BuiltCase,
  buildCaseClient,
  buildOfficer,
  buildSettledCase,
  type CaseClient,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { appOfFile, createTestApp, type TestApp } from '#testing/test-app.ts';
import {
  businessLimits,
  businessTagOf,
  confirm,
  earnedRaises,
  openProposal,
  ownLimit,
  setLimit,
  UGX,
  USD,
} from './limits.harness.ts';

/**
 * Applications of UGX 900,000 that are paid back at once count, because these settings switch off the rule on size and
 * age.
 */
const SMALL_SETTLEMENTS = { FUNDING_LIMIT_GROWTH_SIZE_PERCENT: '0', FUNDING_LIMIT_GROWTH_DAYS: '0' };

const app = appOfFile(SMALL_SETTLEMENTS);
let officer: Someone;
/** Records the buyers' payments. A raise that depends on them must be set by another officer. */
let clerk: Someone;
let client: CaseClient;
let businessTag: string;
beforeAll(async () => {
  officer = await buildOfficer(app);
  clerk = await buildOfficer(app);
});
beforeEach(async () => {
  client = await buildCaseClient(app);
  businessTag = await businessTagOf(app, client);
});

describe('a raise that was earned', () => {
  const RAISED = 62_500_000;
  const own = async (by: Someone) => (await businessLimits(by, businessTag))[0]?.highestAlone;

  /** Three settlements: one recorded by one officer, the rest by another. */
  async function settle(one: Someone, rest: Someone): Promise<void> {
    for (const by of [one, rest, rest]) await buildSettledCase(app, { client, officer: by });
  }

  it('is proposed by who recorded one of the payments that earned it, and set by nobody alone but another', async () => {
    await settle(officer, clerk);
    for (const by of [officer, clerk]) expect(await own(by)).toBe(50_000_000);
    expect(await own(await buildOfficer(app))).toBe(RAISED);
    const { body } = await succeed(setLimit(officer, businessTag, { limit: RAISED }));
    expect(body.proposed).toBe(true);
    const { tag } = await openProposal(officer, businessTag);
    expect((await confirm(officer, tag)).body.code).toBe('OWN_PROPOSAL');
    await succeed(confirm(clerk, tag));
    expect((await ownLimit(client, UGX)).limit).toBe(RAISED);
  });

  it('is set alone by an officer whose recorded payment it does not need, or was reversed', async () => {
    await settle(officer, clerk);
    await buildSettledCase(app, { client, officer: clerk });
    expect(await own(officer)).toBe(RAISED);
    const reversed = await buildSettledCase(app, { client, officer });
    const receipt = app.platform.db.selectFrom('journal_entries').select('tag').where('kind', '=', 'receipt');
    const { tag } = await receipt.where('invoice_id', '=', reversed.id).executeTakeFirstOrThrow();
    await succeed(reverse(officer, tag));
    await paid({ ...reversed, officer: clerk }, 'receipts');
    expect(await own(officer)).toBe(RAISED);
    expect((await succeed(setLimit(officer, businessTag, { limit: RAISED }))).body.proposed).toBe(false);
  });

  it('is nobody’s alone if a new officer recorded one of the payments', async () => {
    const newcomer = await buildOfficer(app);
    await settle(newcomer, clerk);
    expect(await own(officer)).toBe(RAISED);
    const people = app.platform.db.updateTable('persons').where('id', '=', newcomer.person.id);
    await people.set({ officer_since: new Date(app.clock.now().getTime() - 1000) }).execute();
    expect(await own(officer)).toBe(50_000_000);
    await people.set({ officer_since: new Date(app.clock.now().getTime() - DAY_MS) }).execute();
    expect(await own(officer)).toBe(RAISED);
  });
});

describe('growth', () => {
  /** The page of raises that contains the client, if there is one. */
  async function raiseOf() {
    const raises = await earnedRaises(officer, { size: 100 });
    return raises.find((raise) => raise.businessTag === businessTag);
  }

  it('is earned by enough settlements on time since the limit was last set', async () => {
    const given = { client, officer: clerk };
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
    const given = { client, officer: clerk };
    const cases = [await buildSettledCase(app, given), await buildSettledCase(app, given)];
    const third = await buildSettledCase(app, given);
    const change = (values: Record<string, unknown>) =>
      app.platform.db.updateTable('invoices').set(values).where('id', '=', third.id).execute();
    expect(await raiseOf()).toBeDefined();
    await change({ settled_on: '2026-12-22' });
    expect(await raiseOf()).toBeUndefined();
    await change({ settled_on: '2026-12-21' });
    expect(await raiseOf()).toBeDefined();
    await change({ currency_id: USD });
    expect(await raiseOf()).toBeUndefined();
    expect(await ownLimit(client, USD)).toMatchObject({ growth: { settledOnTime: 1 } });
    await change({ currency_id: UGX });
    expect(cases).toHaveLength(2);
    // Set long ago: all three settlements came later, so only the maximum prevents a raise.
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
    const own = await createTestApp({ ...SMALL_SETTLEMENTS, FUNDING_LIMIT_GROWTH_AFTER: '1' });
    onTestFinished(() => own.close());
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
  });
});

/** The columns of a settlement, paid out for `days`, with a period of 90 days. */
function settlementOf(advance: number, days: number) {
  const paidOut = '2026-06-01';
  return {
    face_value: minorToNumeric(advance * 2),
    advance: minorToNumeric(advance),
    discount_fee: '0',
    net_proceeds: minorToNumeric(advance),
    tenor_days: 90,
    paid_out_on: paidOut,
    // Moved past a Sunday, so the day of the payout no longer follows from the due date and the period.
    due_on: addDays(paidOut, 91),
    settled_on: addDays(paidOut, days),
  };
}

function change(app: TestApp, { id }: BuiltCase, columns: object) {
  return app.platform.db.updateTable('invoices').set(columns).where('id', '=', id).execute();
}

describe('what counts for growth', () => {
  it('is nothing of two cents, nor what was paid back the same day: the limit stays what it was', async () => {
    const strict = await createTestApp();
    onTestFinished(() => strict.close());
    const [clerk, trader] = [await buildOfficer(strict), await buildCaseClient(strict)];
    const given = { client: trader, officer: await buildOfficer(strict) };
    const cases = [
      await buildSettledCase(strict, given),
      await buildSettledCase(strict, given),
      await buildSettledCase(strict, given),
    ];
    const look = async () => [
      (await ownLimit(trader, UGX)).growth,
      (await earnedRaises(clerk)).map(({ next }) => next),
      (await setLimit(clerk, await businessTagOf(strict, trader), { limit: 62_500_000 })).body.proposed ?? 'waiting',
    ];
    const none = { settledOnTime: 0, settledNeeded: 3, next: 62_500_000, earned: false };
    for (const built of cases) await change(strict, built, settlementOf(2, 30));
    expect(await look()).toEqual([none, [], true]);
    for (const built of cases) await change(strict, built, settlementOf(250_000_000, 6));
    expect(await look()).toEqual([none, [], 'waiting']);
    for (const built of cases) await change(strict, built, settlementOf(250_000_000, 7));
    const earned = { ...none, settledOnTime: 3, earned: true };
    expect(await look()).toEqual([earned, [62_500_000], false]);
  });

  it('is the same in SQL as in the rule', async () => {
    const one = await createTestApp({ FUNDING_LIMIT_GROWTH_AFTER: '1' });
    onTestFinished(() => one.close());
    const [clerk, trader] = [await buildOfficer(one), await buildCaseClient(one)];
    const built = await buildSettledCase(one, { client: trader, officer: clerk });
    const { growthSizePercent: sizePercent, growthDays: minimumDays } = one.platform.config.limits;
    const set = { set_at: new Date(0), set_by: clerk.person.id };
    const row = { business_id: trader.person.businessId, currency_id: UGX, amount: '1', ...set };
    await one.platform.db.insertInto('funding_limits').values(row).execute();
    const limits = fc.integer({ min: 100, max: 10_000_000_000 });
    // Sizes around the smallest one that counts, and any others.
    const sizes = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: 0, max: 10_000_000_000 }));
    const property = fc.asyncProperty(limits, sizes, fc.integer({ min: 0, max: 15 }), async (limit, size, days) => {
      const advance = Math.max(1, Math.abs(size) <= 2 ? Math.ceil((limit * sizePercent) / 100) + size : size);
      await change(one, built, settlementOf(advance, days));
      await one.platform.db
        .updateTable('funding_limits')
        .set({ amount: minorToNumeric(limit) })
        .execute();
      const counts = countsForGrowth({ advance, days }, limit, { sizePercent, minimumDays });
      const { limit: shown, growth } = await ownLimit(trader, UGX);
      expect([shown, growth?.settledOnTime]).toEqual([fromMinor(limit), counts ? 1 : 0]);
      expect(await earnedRaises(clerk)).toHaveLength(counts ? 1 : 0);
    });
    await fc.assert(property, { numRuns: 60 });
  });
});
