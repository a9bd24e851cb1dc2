import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { findBlockingOverdue } from '#server/collections/overdue-block.service.ts';
import { sweepFees } from '#server/payments/fees.service.ts';
import { balancesOf, entriesOf, expectUnchanged, paid, reverse, sumsOf } from '#server/payments/payments.harness.ts';
import {
  buildDisbursedCase,
  buildOfficer,
  caseRow,
  type PayableCase,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { type Answer, appOfFile } from '#testing/test-app.ts';

/** Write-offs: UGX 900,000 was advanced on 20 November 2026. */

const app = appOfFile();
let built: PayableCase;
let other: Someone;
beforeEach(async () => {
  built = await buildDisbursedCase(app);
  other = await buildOfficer(app);
});

type By = Pick<Someone, 'caller'>;
const call = (by: By, what: string, body: object): Promise<Answer> =>
  by.caller.post(`/applications/${built.tag}/write_off/${what}`, body);
const propose = (by: By = built.officer, amount = 900_000) =>
  call(by, 'propose', { amount, reason: 'The buyer is bankrupt' });
const open = async () => (await sumsOf(other, built.tag)).proposal;
const confirm = async (by: By = other, tag?: string) =>
  call(by, 'confirm', { proposalTag: tag ?? (await open())?.tag ?? randomUUID() });

describe('a write-off', () => {
  it('is proposed by one officer and confirmed by another; the client reads it', async () => {
    await succeed(propose());
    expect(await open()).toMatchObject({ amount: 900_000, reason: 'The buyer is bankrupt', refusals: [] });
    expect((await sumsOf(built.client, built.tag)).proposal).toBeNull();
    expect(await caseRow(app, built)).toMatchObject({ outstanding: 90_000_000 });
    await succeed(confirm());
    expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed', outstanding: 0 });
    expect(await sumsOf(built.client, built.tag)).toMatchObject({ outstanding: 0, lost: 900_000, overdue: null });
    expect((await entriesOf(built.client, built.tag)).at(-1)).toMatchObject({
      kind: 'writeOff',
      amount: 900_000,
      reason: null,
    });
    // The fee is not earned yet, so only the cash is lost.
    expect(await balancesOf(app, built)).toEqual({
      cashMtn: -80_100_000,
      writeOffs: 80_100_000,
      buyersOwe: 100_000_000,
      financedInvoices: -100_000_000,
    });
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('ends what its fee earns; what comes in later is the rest of it, too', async () => {
    app.clock.advance(10 * DAY_SECONDS);
    const [one, two] = [await buildOfficer(app), await buildOfficer(app)];
    await succeed(propose(one));
    await succeed(confirm(two, (await sumsOf(two, built.tag)).proposal.tag));
    app.clock.advance(40 * DAY_SECONDS);
    // Posts the days before the write-off only after it.
    await sweepFees(app.platform);
    expect(await balancesOf(app, built)).toMatchObject({ feeIncome: -3_300_000, writeOffs: 83_400_000 });
    expect((await balancesOf(app, built)).feesNotEarned).toBeUndefined();
    await paid({ ...built, officer: await buildOfficer(app) }, 'receipts', { amount: 900_000 });
    const { feeIncome = 0, writeOffs = 0, recoveries = 0, cashMtn = 0, cashBank = 0 } = await balancesOf(app, built);
    expect([feeIncome + writeOffs + recoveries, cashMtn + cashBank]).toEqual([-9_900_000, 9_900_000]);
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
    app.clock.advance(-50 * DAY_SECONDS);
  });

  it('is dropped while it waits when the application is settled', async () => {
    await succeed(propose());
    const tag = (await open())?.tag;
    const receipt = await paid(built, 'receipts', { amount: 900_000 });
    expect(await open()).toBeNull();
    await succeed(reverse(other, receipt));
    expect((await confirm(other, tag)).body.code).toBe('PROPOSAL_CLOSED');
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('takes later receipts as recoveries, and is settled once all of it came', async () => {
    await paid(built, 'receipts', { amount: 100_000 });
    await succeed(propose(built.officer, 800_000));
    await succeed(confirm());
    const part = await paid(built, 'receipts', { amount: 300_000, payer: 'client' });
    expect(await balancesOf(app, built)).toMatchObject({ writeOffs: 70_100_000, recoveries: -30_000_000 });
    expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed', outstanding: 0 });
    await succeed(reverse(built.officer, part));
    expect((await sumsOf(other, built.tag)).lost).toBe(800_000);
    await paid(built, 'receipts', { amount: 800_100 });
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled', surplus_owed: 10_000 });
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('keeps its client from submitting at once, also before it is due, until all of it came', async () => {
    await succeed(propose());
    await succeed(confirm());
    await paid(built, 'receipts', { amount: 100_000 });
    const { businessId } = built.client.person;
    const blocking = () => findBlockingOverdue(app.platform, app.platform.db, businessId);
    expect(await blocking()).toMatchObject([{ outstanding: 80_000_000 }]);
    app.clock.advance(40 * DAY_SECONDS);
    expect(await blocking()).toMatchObject([{ outstanding: 80_000_000 }]);
    app.clock.advance(-40 * DAY_SECONDS);
    await paid(built, 'receipts', { amount: 800_000 });
    expect(await blocking()).toEqual([]);
  });

  it('leaves everything when it is dropped, and may be proposed again', async () => {
    await succeed(propose());
    const tag = (await open())?.tag;
    await succeed(call(built.officer, 'drop', { proposalTag: tag }));
    expect((await confirm(other, tag)).body.code).toBe('PROPOSAL_CLOSED');
    await succeed(propose());
  });
});

describe('a write-off is refused', () => {
  it('without a reason, to a client, and to an officer of the business', async () => {
    const without = () => call(other, 'propose', { amount: 900_000, reason: ' ' });
    const refusal = { fields: { reason: 'Say why it will not be paid back' } };
    await expectUnchanged(app, built, without, [400, refusal]);
    await expectUnchanged(app, built, () => propose(built.client), [403, { code: 'FORBIDDEN' }]);
    const relative = await buildOfficer(app, { businessId: built.buyerId });
    await expectUnchanged(app, built, () => propose(relative), [403, { code: 'OWN_BUSINESS' }]);
  });
});

describe('ten officers at once', () => {
  const officers = () => Promise.all(Array.from({ length: 10 }, () => buildOfficer(app)));

  it('propose and confirm one write-off', async () => {
    const proposed = await Promise.all((await officers()).map((by) => propose(by)));
    expect(proposed.filter(({ status }) => status === 200)).toHaveLength(1);
    const tag = (await open())?.tag;
    const confirmed = await Promise.all((await officers()).map((by) => confirm(by, tag)));
    expect(confirmed.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await balancesOf(app, built)).toMatchObject({ writeOffs: 80_100_000 });
  });

  it('lose no shilling where repayments come in beside it', async () => {
    await succeed(propose());
    const tag = (await open())?.tag;
    const tens = await officers();
    await Promise.all([
      ...tens.map((by) => confirm(by, tag)),
      ...tens.map((officer) => paid({ ...built, officer }, 'receipts', { amount: 1_000 })),
    ]);
    const { advances = 0, feesNotEarned = 0, writeOffs = 0, recoveries = 0, cashBank } = await balancesOf(app, built);
    expect([cashBank, advances + feesNotEarned + writeOffs + recoveries]).toEqual([1_000_000, 79_100_000]);
  });
});
