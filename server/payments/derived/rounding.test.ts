import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Receipt } from '#contract/payments/payment.ts';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { systemActor } from '#server/calls/caller.ts';
import { toDaysAfterDue } from '#server/collections/collections.harness.ts';
import { findBlockingOverdue } from '#server/collections/overdue-block.service.ts';
import { postEntry, recordEntry } from '#server/journal/journal.service.ts';
import { openForKasente } from '#server/payments/entries.service.ts';
import { balancesOf, entriesOf, paid, reverse, sumsOf } from '#server/payments/payments.harness.ts';
import { recordPayment } from '#server/payments/payments.service.ts';
import {
  buildDisbursedCase,
  buildOfficer,
  caseRow,
  messagesTo,
  type PayableCase,
  succeed,
} from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { resetClock } from '#testing/test-platform.ts';
import { sweepDerived } from './derived.service.ts';

/**
 * UGX 333,333.71 are due on 21 December 2026, and 296,667 of it were paid out. Neither a phone nor a bank can pay a
 * fraction of a shilling.
 */

const app = appOfFile({ LATE_CHARGE_PER_DAY: '0.1', SESSION_IDLE_MINUTES: '720', OVERDUE_BLOCKS_AFTER_DAYS: '0' });
let built: PayableCase;
beforeAll(() => resetClock(app.clock));
beforeEach(async () => {
  resetClock(app.clock);
  built = await buildDisbursedCase(app, { advance: 33_333_371 });
});

const rounded = async () => (await balancesOf(app, built)).rounding ?? 0;

/** A repayment recorded by an officer who has just logged in, dated today or another day. */
async function receive(amount: number, date?: string): Promise<string> {
  const today = new Date(app.clock.now()).toISOString().slice(0, 10);
  return paid({ ...built, officer: await buildOfficer(app) }, 'receipts', { amount, date: date ?? today });
}

/** Writes off the debt at once, by two officers. */
async function writeOff(): Promise<void> {
  const [one, two] = [await buildOfficer(app), await buildOfficer(app)];
  const { outstanding: amount } = await sumsOf(one, built.tag);
  const call = (by: typeof one, what: string, body: object) =>
    succeed(by.caller.post(`/applications/${built.tag}/write_off/${what}`, body));
  await call(one, 'propose', { amount, reason: 'The buyer is bankrupt' });
  await call(two, 'confirm', { proposalTag: (await sumsOf(two, built.tag)).proposal.tag });
}

/** Records a receipt like earlier releases, which left a fraction of a shilling owed. */
function receiveAsBefore(amount: number, date = '2026-11-20'): Promise<unknown> {
  const now = app.clock.now();
  const receipt: Receipt = { kind: 'receipt', amount, date, method: 'bank', reference: 'BK 1', payer: 'buyer' };
  return app.platform.db.inTransaction(async (change) => {
    const account = await openForKasente(change, built.tag);
    const person = { ...built.officer.person, firstName: 'Odongo', lastName: 'Peter' };
    const caller = { ...systemActor('a test', now), person };
    return recordPayment({ platform: app.platform, change, caller }, account, receipt);
  });
}

describe('what is below a shilling', () => {
  it('is not owed: the repayment in whole shillings settles, and the rest goes to rounding', async () => {
    await receive(333_333);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled', outstanding: 0, settled_on: '2026-11-20' });
    expect(await rounded()).toBe(71);
    expect(await sumsOf(built.client, built.tag)).toMatchObject({
      outstanding: 0,
      lost: 0,
      surplusOwed: 0,
      overdue: null,
    });
    expect((await entriesOf(built.client, built.tag)).map(({ kind }) => kind)).toEqual(['disbursement', 'receipt']);
    expect((await messagesTo(app, built.client)).at(-1)?.body).toContain('Fully paid back. We received UGX 333,333.');
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('is owed again with the repayment that is reversed, and is the client’s once more comes in', async () => {
    const receipt = await receive(333_332.8);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled' });
    await receive(100.5);
    expect(await sumsOf(built.officer, built.tag)).toMatchObject({ surplusOwed: 99.59 });
    await succeed(reverse(await buildOfficer(app), receipt));
    expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed', outstanding: 33_323_321 });
    await receive(333_233);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled', outstanding: 0 });
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('of late charges neither, and the advance bears none for it', async () => {
    toDaysAfterDue(app, 1);
    await sweepDerived(app.platform);
    expect(await caseRow(app, built)).toMatchObject({ outstanding: 33_366_704 });
    await receive(333_333);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed', outstanding: 33_404 });
    toDaysAfterDue(app, 900);
    await sweepDerived(app.platform);
    expect(await caseRow(app, built)).toMatchObject({ outstanding: 33_404 });
    await receive(334);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled', outstanding: 0 });
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('is recovered once all other of a write-off is', async () => {
    await writeOff();
    await receive(100_000.5);
    expect((await sumsOf(await buildOfficer(app), built.tag)).lost).toBe(233_333.21);
    const last = await receive(233_333);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled', outstanding: 0 });
    expect((await sumsOf(await buildOfficer(app), built.tag)).lost).toBe(0);
    await succeed(reverse(await buildOfficer(app), last));
    expect((await sumsOf(await buildOfficer(app), built.tag)).lost).toBe(233_333.21);
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('is owed in dollars, which are paid in cents', async () => {
    built = await buildDisbursedCase(app, { advance: 333_333, currencyId: 2 });
    await receive(3_333);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed', outstanding: 33 });
  });
});

describe('an application of an earlier release', () => {
  it('that owes a part of a shilling is settled by the sweep, on the day of its last repayment', async () => {
    await receiveAsBefore(33_333_300);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed', outstanding: 71 });
    app.clock.advance(40 * DAY_SECONDS);
    const { businessId } = built.client.person;
    expect(await findBlockingOverdue(app.platform, app.platform.db, businessId)).toHaveLength(1);
    await Promise.all([sweepDerived(app.platform), sweepDerived(app.platform)]);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled', outstanding: 0, settled_on: '2026-11-20' });
    expect(await findBlockingOverdue(app.platform, app.platform.db, businessId)).toEqual([]);
    expect((await messagesTo(app, built.client)).at(-1)?.body).toContain('Fully paid back. Nothing is left to pay.');
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('of which a part of a shilling is lost is settled by the sweep', async () => {
    await writeOff();
    await receiveAsBefore(33_333_300);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed' });
    await sweepDerived(app.platform);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled', outstanding: 0 });
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('that charged days from before its write-off gets them back', async () => {
    toDaysAfterDue(app, 5);
    await writeOff();
    await receive(100_000);
    app.clock.advance(1);
    await app.platform.db.inTransaction(async (change) => {
      const account = await openForKasente(change, built.tag);
      const work = { change, caller: systemActor('a test', app.clock.now()) };
      const wrong = { kind: 'lateCharge', amount: 33_333, date: '2026-12-22' } as const;
      recordEntry(work, account.invoice, postEntry(work, account, wrong));
    });
    await sweepDerived(app.platform);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed', outstanding: 0 });
    expect((await sumsOf(await buildOfficer(app), built.tag)).lost).toBe(233_333.71);
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });
});
