import { afterEach, beforeEach, expect, it } from 'vitest';
import { sayRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '#contract/time/durations.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { entriesOf } from '#server/payments/payments.harness.ts';
import { sendStatement } from '#server/statements/statements.harness.ts';
import { buildOfficer, type PayableCase, type Someone, statusOf, succeed } from '#server/testing/case-builders.ts';
import { payoutOf, prepare, release } from '#server/testing/payout-builders.ts';
import type { TestApp } from '#server/testing/test-app.ts';
import { bySystem, transfersOf } from '#server/transfers/transfers.harness.ts';
import { sweepTransfers } from '#server/transfers/transfers-sweep.service.ts';
import { bankStatement, batchOf, createBankApp, fileReferenceOf, releaseToBank } from './batches.harness.ts';

/** A payout by file that no statement has, because the bank refused it without a line: two officers end it. */

let app: TestApp;
let built: PayableCase;
let officer: Someone;
let other: Someone;
let tag: string;
beforeEach(async () => {
  app = await createBankApp();
  built = await releaseToBank(app);
  await batchOf(await buildOfficer(app));
  tag = (await transfersOf(app, built))[0]?.tag ?? '';
  app.clock.advance(5 * DAY_SECONDS);
  await sweepTransfers(app.platform);
  [officer, other] = [await buildOfficer(app), await buildOfficer(app)];
});
afterEach(async () => {
  expect((await verifyRecord(app.platform)).faults).toEqual([]);
  await app.close();
});

const openTransfer = async () => (await succeed(officer.caller.get('/transfers/open'))).body[0];

async function propose(body: object): Promise<string> {
  await succeed(officer.caller.post(`/transfers/${tag}/ending/propose`, body));
  return (await openTransfer())?.ending?.tag ?? '';
}

async function end(body: object): Promise<void> {
  const endingTag = await propose(body);
  app.clock.advance(HOUR_SECONDS);
  await succeed(other.caller.post(`/transfers/${tag}/ending/confirm`, { endingTag }));
}

/** The bank's statement has it after all. */
async function takeIn() {
  const details = `KASENTE ${sayRepaymentReference(await fileReferenceOf(app, built))}`;
  const line = { id: 'FT2632', amount: -801_000, details, date: '25/11/2026' };
  return (await succeed(sendStatement(officer, bankStatement([line]), { rail: 'bank' }))).body.data;
}

it('not paid: it is prepared and released again, and what the bank pays after all is a difference', async () => {
  expect(await openTransfer()).toMatchObject({ tag, isLate: true, mayEnd: true });
  await end({ outcome: 'notPaid', reason: 'The bank sent it back by e-mail' });
  expect((await payoutOf(officer, built.tag)).transfer).toMatchObject({ state: 'failed', refusal: 'byHand' });
  const first = await fileReferenceOf(app, built);
  expect(await takeIn()).toMatchObject({ sent: 1, paid: 0 });
  expect(await statusOf(app, built)).toBe('Approved');
  const { body } = await succeed(other.caller.get('/reconciliation?rail=bank&currency=UGX&day=2026-11-25'));
  expect(body.differences).toMatchObject([{ kind: 'missingHere', reference: 'FT2632' }]);
  await succeed(prepare(officer, built.tag));
  await succeed(release(other, built.tag, bySystem));
  expect(await fileReferenceOf(app, built)).not.toBe(first);
});

it('paid: one entry with the bank’s reference, and the statement that comes later adds none', async () => {
  await end({ outcome: 'paid', providerReference: 'FT2632', reason: 'It is on their portal' });
  expect(await statusOf(app, built)).toBe('Disbursed');
  expect(await takeIn()).toMatchObject({ sent: 1, paid: 0 });
  expect(await entriesOf(officer, built.tag)).toMatchObject([{ kind: 'disbursement', reference: 'FT2632' }]);
});

it('a statement goes before what an officer proposed', async () => {
  const endingTag = await propose({ outcome: 'notPaid', reason: 'The bank sent it back by e-mail' });
  expect(await takeIn()).toMatchObject({ sent: 1, paid: 1 });
  expect(await statusOf(app, built)).toBe('Disbursed');
  const late = await other.caller.post(`/transfers/${tag}/ending/confirm`, { endingTag });
  expect(late.body.code).toBe('TRANSFER_ENDED');
});
