import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { lastNews } from '#server/desk/desk.harness.ts';
import { sweepFees } from '#server/payments/fees.service.ts';
import { balancesOf, entriesOf, paid, reverse, reversePayout } from '#server/payments/payments.harness.ts';
import {
  buildDisbursedCase,
  buildOfficer,
  caseRow,
  logInAgain,
  MORE_TIME,
  onDesk,
  type PayableCase,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { payOut } from '#testing/payout-builders.ts';
import { appOfTest } from '#testing/test-app.ts';

/**
 * An officer who makes more time cheap: UGX 900,000 are due on 21 December 2026, and 15 more days cost 7 % of the
 * outstanding amount. A receipt for money that never came makes that amount small.
 */

const app = appOfTest({ SESSION_IDLE_MINUTES: '720' });
let built: PayableCase;
let second: Someone;
beforeEach(async () => {
  built = await buildDisbursedCase(app);
  second = await buildOfficer(app);
});
afterEach(async () => {
  expect((await verifyRecord(app.platform)).faults).toEqual([]);
});

const receive = (amount: number, change: object = {}) => paid(built, 'receipts', { amount, ...change });
const offer = () => onDesk(built.officer, built.tag, 'offer_extension', { ...MORE_TIME, financingPeriodId: 2 });
const read = async ({ caller }: Pick<Someone, 'caller'>) =>
  (await succeed(caller.get(`/applications/${built.tag}/extension`))).body;
const agree = async () =>
  onDesk(second, built.tag, 'agree_extension', { keyFactsVersion: (await read(second)).offer.version });
const accept = async () =>
  built.client.caller.post(`/applications/${built.tag}/accept_extension`, {
    keyFactsVersion: (await read(built.client)).offer?.version ?? 'none',
  });
async function extend() {
  await succeed(offer());
  await succeed(agree());
  await succeed(accept());
}

describe('an extension that was priced on a reversed receipt', () => {
  it('costs what it would have cost without it, and the client reads it', async () => {
    const mistaken = await receive(899_000);
    await extend();
    expect((await caseRow(app, built)).outstanding).toBe(107_000);
    await succeed(reverse(built.officer, mistaken));
    expect(await caseRow(app, built)).toMatchObject({
      status: 'Disbursed',
      outstanding: 96_300_000,
      due_on: '2027-01-05',
    });
    expect(await lastNews(app, built)).toContain(
      'Pay back UGX 963,000 by 5 Jan 2027. The repayment of UGX 899,000 was recorded by mistake. ' +
        'Without it your extra time costs UGX 62,930 more.',
    );
    expect((await entriesOf(built.client, built.tag)).map(({ kind, amount }) => [kind, amount]).slice(-2)).toEqual([
      ['extension', 62_930],
      ['receipt', -899_000],
    ]);
    await receive(963_000);
    expect((await caseRow(app, built)).status).toBe('Settled');
  });

  it('costs it also where almost nothing was left, so that the fee was almost nothing', async () => {
    const mistaken = await receive(899_999);
    await extend();
    await succeed(reverse(second, mistaken));
    expect((await caseRow(app, built)).outstanding).toBe(96_300_000);
  });

  it('is owed again even if everything was paid back since', async () => {
    const mistaken = await receive(899_000);
    await extend();
    app.clock.advance(DAY_SECONDS);
    const officer = await buildOfficer(app);
    // The officer records that the money came before the client accepted.
    await paid({ ...built, officer }, 'receipts', { amount: 900_070 });
    expect((await caseRow(app, built)).status).toBe('Settled');
    await succeed(reverse(officer, mistaken));
    expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed', outstanding: 6_293_000, surplus_owed: 0 });
  });

  it('is earned in full by its last day, and at once after it', async () => {
    const early = await receive(400_000);
    const late = await receive(499_000);
    await extend();
    app.clock.advance(3 * DAY_SECONDS);
    await sweepFees(app.platform);
    const officer = await buildOfficer(app);
    await succeed(reverse(officer, early));
    app.clock.advance(60 * DAY_SECONDS);
    await sweepFees(app.platform);
    // 99,000 for the tenor, plus 7 % of 401,000.
    expect((await balancesOf(app, built)).feeIncome).toBe(-12_707_000);
    await succeed(reverse(await buildOfficer(app), late));
    const { feeIncome, feesNotEarned } = await balancesOf(app, built);
    expect({ feeIncome, feesNotEarned }).toEqual({ feeIncome: -16_200_000, feesNotEarned: undefined });
    await sweepFees(app.platform);
    expect((await balancesOf(app, built)).feeIncome).toBe(-16_200_000);
  });

  it('costs no more if another officer has recorded the right receipt, or a later one is reversed', async () => {
    const mistaken = await receive(400_000);
    await extend();
    app.clock.advance(DAY_SECONDS);
    await logInAgain(built);
    const officer = await buildOfficer(app);
    const right = { amount: 400_000, payer: 'client' };
    await paid({ ...built, officer }, 'receipts', right);
    const another = await buildOfficer(app);
    await succeed(reverse(another, mistaken));
    expect((await caseRow(app, built)).outstanding).toBe(53_500_000);
    const later = await paid({ ...built, officer }, 'receipts', { amount: 100_000, date: '2026-11-21' });
    await succeed(reverse(another, later));
    expect((await caseRow(app, built)).outstanding).toBe(53_500_000);
  });
});

it('an offer that officers agreed to while less was outstanding ends with the receipt', async () => {
  const mistaken = await receive(899_000);
  await succeed(offer());
  await succeed(agree());
  await succeed(reverse(built.officer, mistaken));
  expect(await lastNews(app, built)).toContain('Our offer of more time has ended.');
  expect(await read(built.client)).toMatchObject({ state: 'none', actions: ['ask'], offer: null });
  expect((await accept()).body.code).toBe('EXTENSION_CLOSED');
  await extend();
  expect((await caseRow(app, built)).outstanding).toBe(96_300_000);
});

it('a missing fee is charged once if a receipt is reversed ten times at once, while the client accepts', async () => {
  const mistaken = await receive(899_000);
  await succeed(offer());
  await succeed(agree());
  const officers = await Promise.all(Array.from({ length: 10 }, () => buildOfficer(app)));
  const answers = await Promise.all([accept(), ...officers.map((by) => reverse(by, mistaken))]);
  const [accepted, ...reversals] = answers.map(({ status }) => status === 200);
  expect(reversals.filter((done) => done)).toHaveLength(1);
  expect((await caseRow(app, built)).outstanding).toBe(accepted === true ? 96_300_000 : 90_000_000);
});

it('what a client asks for stays open where a receipt is reversed', async () => {
  const mistaken = await receive(1_000);
  await succeed(built.client.caller.post(`/applications/${built.tag}/ask_extension`, MORE_TIME));
  await succeed(reverse(second, mistaken));
  expect(await read(built.client)).toMatchObject({ state: 'asked' });
});

it('an open offer of more time ends with the payout that is reversed', async () => {
  await succeed(offer());
  await succeed(agree());
  const { version } = (await read(built.client)).offer;
  const [payout] = await entriesOf(built.officer, built.tag);
  await succeed(reversePayout([second, built.officer], built, payout?.tag));
  const open = app.platform.db.selectFrom('extensions').select('id').where('closed_at', 'is', null);
  expect(await open.execute()).toEqual([]);
  const again = { preparer: await buildOfficer(app), releaser: await buildOfficer(app) };
  await succeed(payOut(again, built.tag));
  const accepted = await built.client.caller.post(`/applications/${built.tag}/accept_extension`, {
    keyFactsVersion: version,
  });
  expect(accepted.body.code).toBe('EXTENSION_CLOSED');
});
