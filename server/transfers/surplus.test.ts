import { beforeEach, expect, it } from 'vitest';
import { paid, reverse } from '#server/payments/payments.harness.ts';
import { buildOfficer, caseRow, type PayableCase, succeed } from '#testing/case-builders.ts';
import { payoutOf, prepare, release } from '#testing/payout-builders.ts';
import { bySystem, checkedRailOfTest, followDue, followToTheEnd, releaseToRail } from './transfers.harness.ts';

/** A surplus over a rail: the facts it depends on cannot change, and more money that comes in is owed as well. */

const { app, provider } = checkedRailOfTest();
let built: PayableCase;
let receipt: string;
beforeEach(async () => {
  built = await releaseToRail(app);
  await followToTheEnd(app);
  receipt = await paid(built, 'receipts', { amount: 900_010 });
  await succeed(prepare(await buildOfficer(app), built.tag));
  await succeed(release(await buildOfficer(app), built.tag, bySystem));
});

it('a surplus on its way cannot be reversed away, and money that comes in is paid next', async () => {
  const refused = await reverse(await buildOfficer(app), receipt);
  expect([refused.status, refused.body.code]).toEqual([409, 'PAYOUT_ON_ITS_WAY']);
  await paid(built, 'receipts', { amount: 20.5 });
  await followToTheEnd(app);
  expect((await caseRow(app, built)).surplus_owed).toBe(2_050);
  expect([...provider.paid.values()]).toEqual([80_100_000, 1_000]);
  expect((await payoutOf(built.client, built.tag)).next).toEqual({ kind: 'surplus', amount: 20 });
});

it('a surplus whose payout was refused is owed as before, and its receipt can be reversed', async () => {
  provider.sending = ['walletLimit'];
  await followDue(app);
  expect((await caseRow(app, built)).surplus_owed).toBe(1_000);
  expect((await payoutOf(built.client, built.tag)).transfer).toMatchObject({ state: 'failed', refusal: 'walletLimit' });
  await succeed(reverse(await buildOfficer(app), receipt));
  expect((await caseRow(app, built)).surplus_owed).toBe(0);
});
