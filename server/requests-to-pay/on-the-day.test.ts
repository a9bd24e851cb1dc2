import { beforeEach, expect, it } from 'vitest';
import { HOUR_SECONDS, MINUTE_SECONDS } from '#contract/time/durations.ts';
import { toDaysAfterDue } from '#server/collections/collections.harness.ts';
import { sweepDerived } from '#server/payments/derived/derived.service.ts';
import { entriesOf } from '#server/payments/payments.harness.ts';
import {
  checkedRailOfTest,
  followDue,
  followToTheEnd,
  releaseToRail,
  transfersOf,
} from '#server/transfers/transfers.harness.ts';
import { sweepTransfers } from '#server/transfers/transfers-sweep.service.ts';
import { buildOfficer, caseRow, logInAgain, type PayableCase, statusOf, succeed } from '#testing/case-builders.ts';
import { ask, payNowOf } from './requests.harness.ts';

/**
 * A client who pays by phone on the due date has paid on time, however late the provider reports it. On UGX 900,000 a
 * late day costs 900.
 */

const DUE_ON = '2026-12-21';

const { app, provider } = checkedRailOfTest({ LATE_CHARGE_PER_DAY: '0.1' });
let built: PayableCase;
beforeEach(async () => {
  built = await releaseToRail(app);
  await followToTheEnd(app);
  provider.fate = 'waiting';
  toDaysAfterDue(app, 0);
  app.clock.advance((Date.parse(`${DUE_ON}T20:58:00Z`) - app.clock.now().getTime()) / 1000); // 23:58 in Kampala
  await logInAgain(built);
  await succeed(ask(built, { amount: (await payNowOf(built)).most }));
  await followDue(app);
});

async function expectOnTime(): Promise<void> {
  expect(await statusOf(app, built)).toBe('Settled');
  expect(await caseRow(app, built)).toMatchObject({ settled_on: DUE_ON });
  const entries = await entriesOf(await buildOfficer(app), built.tag);
  expect(entries.filter(({ kind }) => kind === 'receipt')).toMatchObject([{ amount: 900_000, date: DUE_ON }]);
  const standing = entries.filter(({ reversed, reverses }) => !reversed && reverses === null);
  expect(standing.map(({ kind }) => kind)).not.toContain('lateCharge');
}

it('a request is paid on time even if the provider says so after midnight', async () => {
  app.clock.advance(22 * MINUTE_SECONDS);
  provider.fate = 'paid';
  await followToTheEnd(app, 1);
  await expectOnTime();
});

it('a request that two officers end as paid the next day is paid on time, though the late day was charged', async () => {
  app.clock.advance(12 * HOUR_SECONDS);
  await sweepDerived(app.platform);
  expect((await caseRow(app, built)).outstanding).toBe(90_090_000);
  await sweepTransfers(app.platform);
  const [officer, other] = [await buildOfficer(app), await buildOfficer(app)];
  const url = `/transfers/${(await transfersOf(app, built)).at(-1)?.tag}/ending`;
  const said = { outcome: 'paid', providerReference: 'MP-778', reason: 'It is on their portal' };
  await succeed(officer.caller.post(`${url}/propose`, said));
  const [open] = (await succeed(other.caller.get('/payouts/board'))).body.onItsWay.rows;
  app.clock.advance(MINUTE_SECONDS);
  await succeed(other.caller.post(`${url}/confirm`, { endingTag: open.ending.tag }));
  await expectOnTime();
  for (const booked of provider.book.values()) booked.fate = 'paid';
});
