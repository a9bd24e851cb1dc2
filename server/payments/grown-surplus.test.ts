import { afterEach, beforeEach, expect, it } from 'vitest';
import { verifyRecord } from '#server/audit/record.service.ts';
import { type BuiltCase, buildDisbursedCase, buildOfficer, caseRow, succeed } from '#testing/case-builders.ts';
import { payoutOf, prepare, release } from '#testing/payout-builders.ts';
import { appOfTest } from '#testing/test-app.ts';
import { balancesOf, paid, reverse } from './payments.harness.ts';

/**
 * A surplus that grows between the preparation and the release of its payout. The added part stays owed and visible.
 */

const app = appOfTest();
let built: BuiltCase;
let later: string;
beforeEach(async () => {
  built = await buildDisbursedCase(app);
  await paid(built, 'receipts', { amount: 900_010 });
  await succeed(prepare(await buildOfficer(app), built.tag));
  later = await paid(built, 'receipts', { amount: 20.5 });
  await succeed(release(await buildOfficer(app), built.tag));
});
afterEach(async () => {
  expect((await verifyRecord(app.platform)).faults).toEqual([]);
});

it('the rest of a grown surplus is owed to the client, who sees it, and is paid next', async () => {
  expect((await caseRow(app, built)).surplus_owed).toBe(2_050);
  expect(await balancesOf(app, built)).toMatchObject({ clientPayable: -2_050 });
  expect((await payoutOf(built.client, built.tag)).next).toEqual({ kind: 'surplus', amount: 20 });
  await succeed(prepare(await buildOfficer(app), built.tag));
  await succeed(release(await buildOfficer(app), built.tag));
  expect((await caseRow(app, built)).surplus_owed).toBe(0);
  expect(await balancesOf(app, built)).toMatchObject({ rounding: -50 });
});

it('a receipt that came before the surplus was paid can be reversed', async () => {
  await succeed(reverse(await buildOfficer(app), later));
  expect((await caseRow(app, built)).surplus_owed).toBe(0);
  expect(await balancesOf(app, built)).not.toHaveProperty('clientPayable');
});
