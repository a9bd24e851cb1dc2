import { beforeEach, describe, expect, it } from 'vitest';
import type { ReconciliationReply } from '#contract/statements/schema.ts';
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '#contract/time/durations.ts';
import { outcomes } from '#server/background.ts';
import { entriesOf, reversePayout } from '#server/payments/payments.harness.ts';
import { takeIn } from '#server/statements/statements.harness.ts';
import {
  followDue,
  followToTheEnd,
  railOfTest,
  releaseToRail,
  transfersOf,
} from '#server/transfers/transfers.harness.ts';
import { buildOfficer, type PayableCase, type Someone, statusOf, succeed } from '#testing/case-builders.ts';
import { sweepChecks } from './checks.service.ts';

/** We ask about each transfer again after its day; a contradicting answer is a difference of that day. */

const DAY = '2026-11-20';
const account = { rail: 'mtn', currency: 'UGX', day: DAY };

const { app, provider } = railOfTest();
let officer: Someone;
beforeEach(async () => {
  officer = await buildOfficer(app);
});

const check = () => sweepChecks(app.platform, outcomes);
const asks = () => provider.calls.filter((call) => call.startsWith('ask')).length;
/** The reconciliation of a day. Its statement agrees with the journal, so only the provider can differ. */
async function read(day = DAY): Promise<ReconciliationReply> {
  return (await succeed(officer.caller.get(`/reconciliation?${new URLSearchParams({ ...account, day }).toString()}`)))
    .body;
}
const differences = async (day = DAY) =>
  (await read(day)).differences
    .filter(({ comparison }) => comparison === 'provider')
    .map(({ kind, there, here }) => [kind, there, here]);
/** Advances the clock and logs in again, because sessions have ended. */
async function later(seconds: number): Promise<void> {
  app.clock.advance(seconds);
  officer = await buildOfficer(app);
}
const afterTheDay = () => later(DAY_SECONDS);
const ask = () => officer.caller.post('/transfers/ask', account);
async function paidCase(): Promise<PayableCase> {
  const built = await releaseToRail(app);
  await followToTheEnd(app);
  expect(await statusOf(app, built)).toBe('Disbursed');
  return built;
}
const referenceOf = async (built: PayableCase): Promise<string> => (await transfersOf(app, built))[0]?.reference ?? '';

describe('a transfer whose day is over', () => {
  it('is asked about once, an hour after midnight, however often that runs', async () => {
    await paidCase();
    const before = asks();
    await later(12 * HOUR_SECONDS + 30 * MINUTE_SECONDS); // 00:30
    await check();
    expect([asks(), (await read()).transfers]).toEqual([before, { total: 1, unanswered: 1 }]);
    await later(HOUR_SECONDS);
    await Promise.all([check(), check()]);
    await check();
    const asked = asks() - before;
    expect([1, 2]).toContain(asked); // if both run at once, both may ask, which does no harm
    expect((await read()).transfers).toEqual({ total: 1, unanswered: 0 });
    await later(DAY_SECONDS);
    await check();
    expect(asks() - before).toBe(asked);
    expect(await differences()).toEqual([]);
  });

  it('is asked about when the job runs again after a week, and each hour while the provider is silent', async () => {
    await paidCase();
    await later(7 * DAY_SECONDS);
    provider.asking = ['lost', 'throws'];
    for (const unanswered of [1, 1, 0]) {
      await check();
      expect((await read()).transfers).toEqual({ total: 1, unanswered });
      await check();
      app.clock.advance(HOUR_SECONDS + 1);
    }
  });
});

describe('a difference with the provider', () => {
  it('is missing there where we say paid, until the reversal', async () => {
    const built = await paidCase();
    const booked = provider.book.get(await referenceOf(built));
    if (booked !== undefined) booked.fate = 'rejected';
    await afterTheDay();
    await check();
    expect(await differences()).toEqual([['missingThere', null, -801_000]]);
    provider.book.clear();
    await succeed(ask());
    expect(await differences()).toEqual([['missingThere', null, -801_000]]);
    await succeed(reversePayout([await buildOfficer(app), officer], built));
    expect(await differences()).toEqual([]);
  });

  it('is missing here where we say refused, and it paid', async () => {
    provider.sending = ['walletClosed'];
    const built = await releaseToRail(app);
    await followDue(app);
    const [transfer] = await transfersOf(app, built);
    const { reference = '' } = transfer ?? {};
    const order = { reference, amount: 80_100_000, currency: 'UGX', number: '0772123456', label: 'A' };
    provider.book.set(reference, { order, fate: 'paid' });
    await afterTheDay();
    await check();
    expect(await differences()).toEqual([['missingHere', -801_000, null]]);
    expect(await statusOf(app, built)).toBe('Approved');
  });

  it('is not explained by the officer who reversed the payment', async () => {
    const built = await paidCase();
    const booked = provider.book.get(await referenceOf(built));
    if (booked === undefined) throw new Error('nothing was sent');
    booked.fate = 'rejected';
    await afterTheDay();
    await check();
    await succeed(reversePayout([await buildOfficer(app), officer], built));
    booked.fate = 'paid';
    app.clock.advance(MINUTE_SECONDS + 1);
    await succeed(ask());
    const [found] = (await read()).differences.filter(({ comparison }) => comparison === 'provider');
    expect(found).toMatchObject({ kind: 'missingHere', isOwn: true });
    const explain = ({ caller }: Someone) =>
      caller.post('/reconciliation/explain', { ...account, difference: found?.difference, reason: 'MTN was late' });
    expect((await explain(officer)).body.code).toBe('OWN_ENTRY');
    await succeed(explain(await buildOfficer(app)));
  });

  it('is another amount', async () => {
    provider.amountOf = () => 80_000_000;
    await paidCase();
    await afterTheDay();
    await check();
    expect(await differences()).toEqual([['amount', -800_000, -801_000]]);
  });

  it('is twice where two transfers have one number', async () => {
    provider.numberOf = () => 'MP1';
    const first = await referenceOf(await paidCase());
    const second = await releaseToRail(app);
    await followToTheEnd(app, 1);
    expect(await statusOf(app, second)).toBe('Approved');
    await afterTheDay();
    await check();
    expect(await differences()).toEqual([['twice', -1_602_000, -801_000]]);
    provider.numberOf = (reference) => (reference === first ? 'MP1' : 'MP2');
    await followToTheEnd(app);
    await succeed(ask());
    expect(await differences()).toEqual([]);
  });

  it('is late where it is known only after the day was closed', async () => {
    provider.fate = 'waiting';
    const built = await releaseToRail(app);
    await followDue(app);
    await afterTheDay();
    await check();
    const reply = await read();
    expect(reply.differences).toMatchObject([{ comparison: 'provider', kind: 'unsaid', there: null, here: null }]);
    const reason = 'MTN is down today';
    const { difference } = reply.differences[0] ?? {};
    await succeed(officer.caller.post('/reconciliation/explain', { ...account, difference, reason }));
    const other = await buildOfficer(app);
    await succeed(other.caller.post('/reconciliation/close', account));
    app.clock.advance(MINUTE_SECONDS);
    provider.fate = 'paid';
    await followToTheEnd(app);
    expect(await statusOf(app, built)).toBe('Disbursed');
    const open = (await read()).differences.filter(({ explained }) => explained === null);
    expect(open).toMatchObject([{ comparison: 'provider', kind: 'late', there: -801_000, here: -801_000 }]);
  });

  it('is none for an unfinished transfer on its own day', async () => {
    provider.fate = 'waiting';
    await releaseToRail(app);
    await followDue(app);
    expect(await differences()).toEqual([]);
    await afterTheDay();
    expect(await differences()).toEqual([['unsaid', null, null]]);
  });
});

describe('asking on demand', () => {
  it('asks about a day’s transfers, not again at once, and records the end of an unfinished one', async () => {
    provider.fate = 'waiting';
    const built = await releaseToRail(app);
    await followDue(app);
    provider.fate = 'paid';
    expect((await succeed(ask())).body.data).toEqual({ asked: 1, left: 0 });
    expect(await statusOf(app, built)).toBe('Disbursed');
    expect((await succeed(ask())).body.data).toEqual({ asked: 0, left: 0 });
    app.clock.advance(MINUTE_SECONDS);
    expect((await Promise.all([ask(), ask(), ask()])).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await entriesOf(officer, built.tag)).length).toBe(1);
    const other = await officer.caller.post('/transfers/ask', { ...account, rail: 'airtel' });
    expect(other.body.data).toEqual({ asked: 0, left: 0 });
  });

  it('leaves statement and journal to themselves', async () => {
    const built = await paidCase();
    const [entry] = await entriesOf(officer, built.tag);
    await takeIn(app, officer, [{ id: entry?.reference ?? '', amount: -801_000 }]);
    await afterTheDay();
    await check();
    expect((await read()).differences).toEqual([]);
    await succeed(officer.caller.post('/reconciliation/close', account));
  });
});
