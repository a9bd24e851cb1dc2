import { expect, it } from 'vitest';
import { type PayoutBoard, payoutBoard } from '#contract/payouts/schema.ts';
import { HOUR_MS } from '#contract/time/durations.ts';
import {
  buildApprovedCase,
  buildCaseClient,
  buildOfficer,
  buildSettledCase,
  type CaseClient,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { buildPayoutAccount, payoutOf, prepare, release } from '#testing/payout-builders.ts';
import { appOfTest, codeOf } from '#testing/test-app.ts';

/** The board of payouts. Each test begins on Friday 20 November 2026, 12:00 in Kampala. */

const app = appOfTest({ SESSION_IDLE_MINUTES: '720' });

async function boardOf({ caller }: Pick<Someone, 'caller'>): Promise<PayoutBoard> {
  return payoutBoard.parse((await succeed(caller.get('/payouts/board'))).body);
}

/** The rows of a group by application: step, reason, why this officer is barred. */
function shown({ rows }: PayoutBoard['now']) {
  return rows.map(({ applicationTag, outlook, barred }) => [applicationTag, outlook.step, outlook.reason, barred]);
}

it('the board groups payouts by what happens next, as the case and the act say it', async () => {
  const officer = await buildOfficer(app);
  const other = await buildOfficer(app);
  const accountsOf = ({ person }: CaseClient) =>
    app.platform.db.updateTable('payout_accounts').where('business_id', '=', person.businessId);
  const built = async () => buildApprovedCase(app, { officer, payer: other, client: await buildCaseClient(app) });
  const [ready, prepared, waits, unchecked, frozen, missing] = [
    await built(),
    await built(),
    await built(),
    await built(),
    await built(),
    await built(),
  ];
  await succeed(prepare(officer, prepared.tag));
  const accountTag = (await payoutOf(frozen.client, frozen.tag)).account?.tag;
  await succeed(frozen.client.caller.post(`/applications/${frozen.tag}/payout_account`, { accountTag }));
  const verified = app.clock.now();
  await accountsOf(waits.client).set({ verified_at: verified }).execute();
  await accountsOf(unchecked.client).set({ verified_at: null, verified_by: null }).execute();
  await accountsOf(frozen.client).set({ frozen_at: verified, frozen_by: officer.person.id }).execute();
  await app.platform.db
    .deleteFrom('payout_accounts')
    .where('business_id', '=', missing.client.person.businessId)
    .execute();

  const board = await boardOf(other);
  expect(shown(board.now)).toEqual([
    [ready.tag, 'prepare', null, null],
    [prepared.tag, 'release', null, null],
    [unchecked.tag, 'check', 'PAYOUT_ACCOUNT_UNVERIFIED', null],
    [frozen.tag, 'askClient', 'PAYOUT_ACCOUNT_FROZEN', null],
    [missing.tag, 'askClient', 'PAYOUT_ACCOUNT_MISSING', null],
  ]);
  expect(shown(board.waits)).toEqual([[waits.tag, 'wait', 'PAYOUT_ACCOUNT_NEW', null]]);
  expect(board.now).toMatchObject({ count: 5, totals: [{ currency: 'UGX', amount: 5 * 801_000 }] });
  expect(board.waits).toMatchObject({ count: 1, totals: [{ currency: 'UGX', amount: 801_000 }] });
  expect(board.onItsWay).toEqual({ rows: [], count: 0, totals: [] });
  expect(board.now.rows[1]?.prepared).toMatchObject({ at: app.clock.now().toISOString() });
  expect(board.now.rows[2]?.toCheck?.state).toBe('unverified');
  expect(board.waits.rows[0]?.why).toBe('You can pay to it from 12:00 tomorrow');
  // Saturday is no working day.
  expect(board.waits.rows[0]?.outlook.from).toBe('2026-11-23T05:00:00.000Z');
  for (const { applicationTag, outlook } of [...board.now.rows, ...board.waits.rows]) {
    expect((await payoutOf(other, applicationTag)).outlook).toEqual(outlook);
    if (outlook.reason !== null) expect(codeOf(await prepare(officer, applicationTag))).toBe(outlook.reason);
  }
  const ofClient = await payoutOf(unchecked.client, unchecked.tag);
  expect(ofClient.outlook).toMatchObject({ step: 'check', from: '2026-11-23T05:00:00.000Z' });
});

it('the board shows who is barred, whom flags stop, and extra money', async () => {
  const officer = await buildOfficer(app);
  const built = await buildApprovedCase(app, { officer });
  const label = (board: PayoutBoard) => shown(board.now);
  await succeed(prepare(built.payer, built.tag));
  expect(label(await boardOf(built.payer))).toEqual([
    [built.tag, 'release', null, 'You prepared this payout. Another officer must release it'],
  ]);
  expect(label(await boardOf(officer))).toEqual([
    [built.tag, 'release', null, 'Only you approved this case. Another officer must do this'],
  ]);
  const own = await buildOfficer(app);
  const { businessId } = built.client.person;
  await app.platform.db
    .updateTable('persons')
    .set({ business_id: businessId })
    .where('id', '=', own.person.id)
    .execute();
  expect(label(await boardOf(own))).toEqual([
    [built.tag, 'release', null, 'You belong to this business or applied for it. Another officer must act on it'],
  ]);

  const checked = new Date(app.clock.now().getTime() - 48 * HOUR_MS);
  const accounts = app.platform.db.updateTable('payout_accounts').where('business_id', '=', businessId);
  await accounts.set({ verified_at: checked }).execute();
  const [flagged] = (await boardOf(built.payer)).now.rows;
  expect(flagged).toMatchObject({ outlook: { step: 'clear', reason: 'FLAG_OPEN' }, barred: null });
  expect((await release(await buildOfficer(app), built.tag)).body.code).toBe('FLAG_OPEN');

  const settled = await buildSettledCase(app, { officer });
  const more = { method: 'bank', reference: 'MORE', date: '2026-11-20', payer: 'buyer', amount: 1500 };
  await succeed(officer.caller.post(`/applications/${settled.tag}/receipts`, more));
  const extra = (await boardOf(await buildOfficer(app))).now.rows.find(
    ({ applicationTag }) => applicationTag === settled.tag,
  );
  expect(extra).toMatchObject({ kind: 'surplus', amount: 1500, outlook: { step: 'prepare' } });
});

it('accounts to check without a payout are on the board, and only staff see it', async () => {
  const officer = await buildOfficer(app);
  const client = await buildCaseClient(app);
  const tag = await buildPayoutAccount(app, client, officer, { verifiedAt: null });
  expect((await boardOf(officer)).accounts.map((account) => account.tag)).toEqual([tag]);
  expect((await client.caller.get('/payouts/board')).status).toBe(403);
});
