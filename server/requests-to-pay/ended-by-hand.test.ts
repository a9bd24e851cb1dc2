import { beforeEach, expect, it } from 'vitest';
import { MINUTE_SECONDS } from '#contract/time/durations.ts';
import type { OpenTransfer } from '#contract/transfers/schema.ts';
import { businessLimits, businessTagOf } from '#server/limits/limits.harness.ts';
import { entriesOf, paid } from '#server/payments/payments.harness.ts';
import {
  bySystem,
  checkedRailOfTest,
  followDue,
  followToTheEnd,
  releaseToRail,
} from '#server/transfers/transfers.harness.ts';
import { sweepTransfers } from '#server/transfers/transfers-sweep.service.ts';
import { buildOfficer, type PayableCase, type Someone, succeed } from '#testing/case-builders.ts';
import { prepare, release } from '#testing/payout-builders.ts';
import { ask, PAY_NOW, payNowOf } from './requests.harness.ts';

/** A request to pay whose provider stays silent: two officers end it, so that the client can pay by phone again. */

/** With these settings, one settlement of any size and age earns a raise. */
const GROWS_AT_ONCE = {
  FUNDING_LIMIT_GROWTH_AFTER: '1',
  FUNDING_LIMIT_GROWTH_SIZE_PERCENT: '0',
  FUNDING_LIMIT_GROWTH_DAYS: '0',
};

const { app, provider } = checkedRailOfTest(GROWS_AT_ONCE);
let built: PayableCase;
let officer: Someone;
let other: Someone;
beforeEach(async () => {
  built = await releaseToRail(app);
  await followToTheEnd(app);
  [officer, other] = [await buildOfficer(app), await buildOfficer(app)];
  provider.fate = 'waiting';
  await succeed(ask(built));
  await followDue(app);
});

const openTransfers = async (): Promise<OpenTransfer[]> =>
  (await succeed(officer.caller.get('/payouts/board'))).body.onItsWay.rows;

/** Advances the clock until the request is so late that officers are told. */
async function beLate(): Promise<string> {
  app.clock.advance(31 * MINUTE_SECONDS);
  await sweepTransfers(app.platform);
  const [shown] = await openTransfers();
  return shown?.tag ?? '';
}

/** One officer proposes how the request ended, and another confirms it. */
async function endByHand(tag: string, body: object): Promise<void> {
  await succeed(officer.caller.post(`/transfers/${tag}/ending/propose`, body));
  const endingTag = (await openTransfers())[0]?.ending?.tag;
  app.clock.advance(5 * MINUTE_SECONDS);
  await succeed(other.caller.post(`/transfers/${tag}/ending/confirm`, { endingTag }));
}

it('a late request is shown to officers once they were told of it, and before that to nobody as a payout', async () => {
  expect(await openTransfers()).toEqual([]);
  const tag = await beLate();
  expect(await openTransfers()).toMatchObject([
    { tag, direction: 'in', to: '••• 678', amount: PAY_NOW.amount, isLate: true, mayEnd: true, said: 'PENDING' },
  ]);
  expect((await ask(built)).body.code).toBe('REQUEST_OPEN');
});

it('a request that two officers end as paid is received once, with the provider’s number', async () => {
  await endByHand(await beLate(), { outcome: 'paid', providerReference: 'MP-778', reason: 'It is on their portal' });
  expect((await entriesOf(officer, built.tag)).filter(({ kind }) => kind === 'receipt')).toMatchObject([
    { reference: 'MP-778', amount: PAY_NOW.amount },
  ]);
  expect((await payNowOf(built)).requests).toMatchObject([{ state: 'reconciled', providerReference: 'MP-778' }]);
  for (const booked of provider.book.values()) booked.fate = 'paid';
  await followToTheEnd(app);
  await succeed(ask(built));
  await followToTheEnd(app);
});

it('a request ended as paid binds both officers as a receipt of theirs: the extra, and a higher limit, are another officer’s', async () => {
  await endByHand(await beLate(), { outcome: 'paid', providerReference: 'MP-778', reason: 'It is on their portal' });
  for (const booked of provider.book.values()) booked.fate = 'paid';
  const [third, fourth] = [await buildOfficer(app), await buildOfficer(app)];
  await paid({ ...built, officer: third }, 'receipts', { amount: 1_000_000 });
  const businessTag = await businessTagOf(app, built.client);
  const alone = async (by: Someone) => (await businessLimits(by, businessTag))[0]?.highestAlone;
  const [limit, raised] = [50_000_000, 62_500_000];
  expect(await Promise.all([officer, other, fourth].map(alone))).toEqual([limit, limit, raised]);
  await succeed(prepare(fourth, built.tag));
  for (const by of [officer, other]) expect((await release(by, built.tag, bySystem)).body.code).toBe('OWN_RECEIPT');
});

it('a request ended as not paid leaves what is owed, and its client can pay by phone', async () => {
  await endByHand(await beLate(), { outcome: 'notPaid', reason: 'Their portal has no such payment' });
  expect((await payNowOf(built)).requests).toMatchObject([{ state: 'failed', refusal: 'byHand' }]);
  provider.fate = 'paid';
  await succeed(ask(built, { amount: 2_000 }));
  for (const booked of provider.book.values()) if (booked.fate === 'waiting') booked.fate = 'rejected';
  await followToTheEnd(app);
  const received = (await entriesOf(officer, built.tag)).filter(({ kind }) => kind === 'receipt');
  expect(received.map(({ amount }) => amount)).toEqual([2_000]);
});
