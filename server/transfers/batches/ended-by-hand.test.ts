import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sayRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '#contract/time/durations.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { entriesOf } from '#server/payments/payments.harness.ts';
import { payoutOutcome } from '#server/payouts/payout-outcomes.service.ts';
import { importAndMatch } from '#server/statements/statements.harness.ts';
import { bySystem, transfersOf } from '#server/transfers/transfers.harness.ts';
import { sweepTransfers } from '#server/transfers/transfers-sweep.service.ts';
import { buildOfficer, messagesTo, type PayableCase, type Someone, statusOf, succeed } from '#testing/case-builders.ts';
import { payoutOf, prepare, release } from '#testing/payout-builders.ts';
import { bankOfTest, bankStatement, batchOf, fileReferenceOf, releaseToBank } from './batches.harness.ts';

/** A payout by file that is on no statement, because the bank refused it without listing it: two officers end it. */

const app = bankOfTest();
let built: PayableCase;
let officer: Someone;
let other: Someone;
let tag: string;
beforeEach(async () => {
  built = await releaseToBank(app);
  await batchOf(await buildOfficer(app));
  tag = (await transfersOf(app, built))[0]?.tag ?? '';
  app.clock.advance(5 * DAY_SECONDS);
  await sweepTransfers(app.platform);
  [officer, other] = [await buildOfficer(app), await buildOfficer(app)];
});
afterEach(async () => {
  expect((await verifyRecord(app.platform)).faults).toEqual([]);
});

const NOT_PAID = { outcome: 'notPaid', reason: 'The bank sent it back by e-mail' };
const openTransfer = async () =>
  (await succeed(officer.caller.get('/payouts/board'))).body.onItsWay.rows.find(
    (shown: { tag: string }) => shown.tag === tag,
  );

async function propose(body: object): Promise<string> {
  await succeed(officer.caller.post(`/transfers/${tag}/ending/propose`, body));
  return (await openTransfer())?.ending?.tag ?? '';
}

async function end(body: object): Promise<void> {
  const endingTag = await propose(body);
  app.clock.advance(HOUR_SECONDS);
  await succeed(other.caller.post(`/transfers/${tag}/ending/confirm`, { endingTag }));
}

/** Imports a bank statement that has the payout after all. */
async function takeIn(amount = -801_000, by = officer) {
  const details = `KASENTE ${sayRepaymentReference(await fileReferenceOf(app, built))}`;
  const line = { id: 'FT2632', amount, details, date: '25/11/2026' };
  return importAndMatch(app, by, bankStatement([line]), { rail: 'bank' });
}

const DAY = { rail: 'bank', currency: 'UGX', day: '2026-11-25' };

/** The only difference of the day. Each of the three officers tries to explain it. */
async function explainInTurn(third: Someone): Promise<{ kind: string; reference: string; codes: string[] }> {
  const { body } = await succeed(third.caller.get(`/reconciliation?${new URLSearchParams(DAY).toString()}`));
  expect(body.differences).toHaveLength(1);
  const { difference, kind, reference } = body.differences[0];
  const codes = [];
  for (const { caller } of [officer, other, third]) {
    const given = await caller.post('/reconciliation/explain', { ...DAY, difference, reason: 'The bank was late' });
    codes.push(given.body.code ?? 'explained');
  }
  return { kind, reference, codes };
}

it('a payout that two officers end as not paid is prepared again; what the bank pays after all is a difference', async () => {
  expect(await openTransfer()).toMatchObject({ tag, isLate: true, mayEnd: true });
  await end(NOT_PAID);
  expect((await payoutOf(officer, built.tag)).transfer).toMatchObject({ state: 'failed', refusal: 'byHand' });
  const first = await fileReferenceOf(app, built);
  expect(await takeIn()).toMatchObject({ sent: 1, paid: 0 });
  expect(await statusOf(app, built)).toBe('Approved');
  const codes = ['OWN_ENTRY', 'OWN_ENTRY', 'explained'];
  expect(await explainInTurn(await buildOfficer(app))).toEqual({ kind: 'missingHere', reference: 'FT2632', codes });
  await succeed(prepare(officer, built.tag));
  await succeed(release(other, built.tag, bySystem));
  expect(await fileReferenceOf(app, built)).not.toBe(first);
});

it('a payout that two officers end as paid has one entry with the bank’s reference; a later statement adds none', async () => {
  await end({ outcome: 'paid', providerReference: 'FT2632', reason: 'It is on their portal' });
  expect(await statusOf(app, built)).toBe('Disbursed');
  expect(await takeIn()).toMatchObject({ sent: 1, paid: 0 });
  expect(await entriesOf(officer, built.tag)).toMatchObject([{ kind: 'disbursement', reference: 'FT2632' }]);
});

it('paid: what a statement says otherwise is explained by neither of the two', async () => {
  await end({ outcome: 'paid', providerReference: 'FT2632', reason: 'It is on their portal' });
  const third = await buildOfficer(app);
  await takeIn(-800_000, third);
  const codes = ['OWN_ENTRY', 'OWN_ENTRY', 'explained'];
  expect(await explainInTurn(third)).toEqual({ kind: 'amount', reference: 'FT2632', codes });
});

it('a statement goes before what an officer proposed', async () => {
  const endingTag = await propose(NOT_PAID);
  expect(await takeIn()).toMatchObject({ sent: 1, paid: 1 });
  expect(await statusOf(app, built)).toBe('Disbursed');
  const late = await other.caller.post(`/transfers/${tag}/ending/confirm`, { endingTag });
  expect(late.body.code).toBe('TRANSFER_ENDED');
});

it('a statement goes before their word although its import stopped half-way', async () => {
  const endingTag = await propose(NOT_PAID);
  const stopped = vi.spyOn(payoutOutcome, 'succeeded').mockRejectedValueOnce(new Error('the server stops'));
  expect(await takeIn()).toMatchObject({ sent: 1, paid: 0 });
  stopped.mockRestore();
  app.clock.advance(HOUR_SECONDS);
  const late = await other.caller.post(`/transfers/${tag}/ending/confirm`, { endingTag });
  expect(late.body.code).toBe('TRANSFER_ENDED');
  expect(await statusOf(app, built)).toBe('Disbursed');
});

it('officers cannot end it while a statement shows it, whatever keeps that from being recorded', async () => {
  const endingTag = await propose(NOT_PAID);
  const stopped = vi.spyOn(payoutOutcome, 'succeeded').mockRejectedValue(new Error('the server stops'));
  expect(await takeIn()).toMatchObject({ sent: 1, paid: 0 });
  app.clock.advance(HOUR_SECONDS);
  const confirm = () => other.caller.post(`/transfers/${tag}/ending/confirm`, { endingTag });
  expect((await confirm()).body.code).toBe('TRANSFER_WAITING');
  stopped.mockRestore();
  expect((await confirm()).body.code).toBe('TRANSFER_ENDED');
  expect(await statusOf(app, built)).toBe('Disbursed');
});

it('a payout that waited long for its file is ended only once officers are told again that no statement has it', async () => {
  built = await releaseToBank(app);
  tag = (await transfersOf(app, built))[0]?.tag ?? '';
  const told = async () => (await messagesTo(app, built.payer)).filter(({ body }) => body.includes('is not paid yet'));
  app.clock.advance(5 * DAY_SECONDS);
  await sweepTransfers(app.platform);
  officer = await buildOfficer(app);
  await batchOf(officer);
  expect(await openTransfer()).toMatchObject({ isLate: false, mayEnd: false });
  const early = await officer.caller.post(`/transfers/${tag}/ending/propose`, NOT_PAID);
  expect([early.body.code, (await told()).length]).toEqual(['TRANSFER_WAITING', 1]);
  app.clock.advance(3 * DAY_SECONDS); // Monday to Thursday
  await sweepTransfers(app.platform);
  officer = await buildOfficer(app);
  expect([(await openTransfer())?.mayEnd, (await told()).length]).toEqual([true, 2]);
});
