import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import {
  type BuiltCase,
  buildCaseClient,
  buildDisbursedCase,
  buildOfficer,
  type CaseClient,
  caseRow,
  messagesTo,
  type Someone,
  statusOf,
  stepsOf,
  succeed,
} from '#testing/case-builders.ts';
import { prepare } from '#testing/payout-builders.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';
import {
  confirmProposal,
  entriesOf,
  expectRefused,
  expectUnchanged,
  fieldRefusal,
  ledgerOf,
  paid,
  pay,
  reverse,
  reversePayout,
  sumsOf,
} from './payments.harness.ts';

const app = appOfFile();
let officer: Someone;
let client: CaseClient;
let built: BuiltCase;
beforeAll(async () => {
  officer = await buildOfficer(app);
  client = await buildCaseClient(app);
});
beforeEach(async () => {
  built = await buildDisbursedCase(app, { client, officer });
});

async function lastMessage(): Promise<string | undefined> {
  return (await messagesTo(app, client)).at(-1)?.body;
}

async function lastStep(): Promise<string | undefined> {
  return (await stepsOf(app, built)).at(-1)?.step;
}

describe('receipts', () => {
  it('name their network or the bank: of mobile money alone no statement would know', async () => {
    const { status, body } = await pay(built, 'receipts', { method: 'mobileMoney' });
    expect([status, body.fields]).toEqual([400, { method: 'Select MTN, Airtel or bank' }]);
  });

  it('come in parts, from the client and the buyer, and settle when the advance is paid back', async () => {
    await paid(built, 'receipts', { amount: 300_000.5, payer: 'client', method: 'airtel' });
    expect(await lastMessage()).toContain(
      'We received UGX 300,000.5. Still to pay back: UGX 599,999.5 by 21 Dec 2026.',
    );
    expect(await sumsOf(officer, built.tag)).toMatchObject({ received: 300_000.5, outstanding: 599_999.5 });
    await paid(built, 'receipts', { amount: 599_998.5 });
    expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed', outstanding: 100, settled_on: null });
    await paid(built, 'receipts', { amount: 1 });
    expect(await lastMessage()).toContain('Fully paid back. We received UGX 1.');
    expect(await caseRow(app, built)).toMatchObject({
      status: 'Settled',
      outstanding: 0,
      due_on: '2026-12-21',
      settled_on: '2026-11-20',
      settled_at: app.clock.now(),
    });
    expect((await stepsOf(app, built)).map(({ step, note }) => [step, note]).slice(-3)).toEqual([
      ['receivePart', 'UGX 300,000.5'],
      ['receivePart', 'UGX 599,998.5'],
      ['settle', 'UGX 1'],
    ]);
    expect((await entriesOf(officer, built.tag)).map(({ payer }) => payer)).toEqual([null, 'client', 'buyer', 'buyer']);
  });

  it('above the advance are owed to the client', async () => {
    await paid(built, 'receipts', { amount: 1_000_000 });
    expect(await lastMessage()).toContain(
      "Fully paid back. We received UGX 1,000,000. UGX 100,000 of it is extra; we'll send it to you.",
    );
    await paid(built, 'receipts', { amount: 50_000 });
    expect(await lastMessage()).toContain("We received UGX 50,000 extra. We'll send it to you.");
    expect([await statusOf(app, built), await lastStep()]).toEqual(['Settled', 'receiveMore']);
    expect(await sumsOf(officer, built.tag)).toMatchObject({
      received: 1_050_000,
      outstanding: 0,
      surplusOwed: 150_000,
      surplusPaid: 0,
    });
  });

  it('name the payer, and are dated today or earlier', async () => {
    const refuse = (change: Record<string, unknown>, refusal: readonly [number, Record<string, unknown>]) =>
      expectRefused(app, built, ['receipts', change], refusal);
    await refuse({ payer: undefined }, [400, fieldRefusal('BAD_REQUEST', 'payer', 'Select who paid')]);
    await refuse({ date: '2026-11-21' }, [
      400,
      fieldRefusal('BAD_REQUEST', 'date', 'The date must be today or earlier'),
    ]);
  });

  it('add up to an amount that can be stored', async () => {
    // More than any lender would accept on one officer's word.
    const all = {
      method: 'bank',
      reference: randomUUID(),
      date: '2026-11-20',
      payer: 'buyer',
      amount: 9_999_999_999_999,
    };
    const proposal = { ...all, confirmed: true, reason: 'On the statement' };
    await succeed(officer.caller.post(`/applications/${built.tag}/receipts/propose`, proposal));
    await succeed(confirmProposal(await buildOfficer(app), built.tag));
    const msg = 'All repayments together can be up to 9,999,999,999,999.99';
    await expectRefused(app, built, ['receipts', { amount: 1 }], [400, fieldRefusal('BAD_REQUEST', 'amount', msg)]);
    const rest = { ...proposal, reference: randomUUID(), amount: 0.99 };
    await succeed(officer.caller.post(`/applications/${built.tag}/receipts/propose`, rest));
    await succeed(confirmProposal(await buildOfficer(app), built.tag));
    expect(await sumsOf(officer, built.tag)).toMatchObject({ received: 9_999_999_999_999.99 });
  });

  it('ask whether they are right if they are above the whole invoice', async () => {
    const large = (change: object) => pay(built, 'receipts', { amount: 1_000_000.01, ...change });
    const msg = 'This is more than the whole invoice. Check it, and confirm it if it is right';
    const refusal = fieldRefusal('RECEIPT_LARGE', 'amount', msg);
    await expectUnchanged(app, built, () => large({ confirmed: undefined }), [422, refusal]);
    await succeed(large({ confirmed: true }));
  });

  it('are refused before the money is out', async () => {
    const [entry] = await entriesOf(officer, built.tag);
    await reversePayout([officer, await buildOfficer(app)], built, entry?.tag);
    await expectRefused(app, built, ['receipts', {}], [409, { code: 'STEP_NOT_ALLOWED' }]);
  });
});

it('the rest after the due date is announced as due now', async () => {
  const late = await createTestApp();
  onTestFinished(() => late.close());
  const disbursed = await buildDisbursedCase(late);
  late.clock.advance(32 * DAY_SECONDS);
  await paid({ ...disbursed, officer: await buildOfficer(late) }, 'receipts', { amount: 300_000 });
  const [message] = (await messagesTo(late, disbursed.client)).slice(-1);
  expect(message?.body).toContain('Still to pay back: UGX 600,000 now. It was due 21 Dec 2026.');
});

describe('the day of a settlement', () => {
  it('is that of the payment that completed the advance, in the order of the payments', async () => {
    const late = await createTestApp();
    onTestFinished(() => late.close());
    const disbursed = await buildDisbursedCase(late);
    late.clock.advance(5 * DAY_SECONDS);
    const one = { ...disbursed, officer: await buildOfficer(late), payer: await buildOfficer(late) };
    const settled = async () => (await caseRow(late, one)).settled_on;
    await paid(one, 'receipts', { amount: 500_000, date: '2026-11-25' });
    await paid(one, 'receipts', { amount: 400_000, date: '2026-11-23' });
    expect(await settled()).toBe('2026-11-25');
    const { settled_at: settledAt } = await caseRow(late, one);
    late.clock.advance(60);
    const more = await paid(one, 'receipts', { amount: 500_000, date: '2026-11-24' });
    expect(await settled()).toBe('2026-11-24');
    expect((await caseRow(late, one)).settled_at).toEqual(settledAt);
    const refusal = fieldRefusal(
      'DATE_TOO_EARLY',
      'date',
      'This date is before the step it follows. Choose a later one',
    );
    await succeed(prepare(one.officer, one.tag));
    await expectRefused(late, one, ['surplus', { date: '2026-11-23' }], [422, refusal]);
    await reverse(one.officer, more);
    expect(await settled()).toBe('2026-11-25');
  });
});

describe('a surplus', () => {
  it('is paid to the client whole, and again when more comes', async () => {
    const nothing = [409, { code: 'PAYOUT_NOTHING' }] as const;
    await expectRefused(app, built, ['surplus', {}], nothing);
    await paid(built, 'receipts', { amount: 960_000 });
    await paid(built, 'surplus');
    expect(await lastMessage()).toContain('We paid you the extra UGX 60,000 to MTN');
    await expectRefused(app, built, ['surplus', {}], nothing);
    await paid(built, 'receipts', { amount: 40_000 });
    await paid(built, 'surplus');
    await expectRefused(app, built, ['surplus', {}], nothing);
    expect(await sumsOf(officer, built.tag)).toMatchObject({ surplusOwed: 0, surplusPaid: 100_000 });
  });

  it('is not owed where exactly the advance came', async () => {
    await paid(built, 'receipts');
    await expectRefused(app, built, ['surplus', {}], [409, { code: 'PAYOUT_NOTHING' }]);
  });
});

describe('a reversal', () => {
  it('restores the balance from before a receipt', async () => {
    await paid(built, 'receipts', { amount: 200_000 });
    const before = [await sumsOf(officer, built.tag), await caseRow(app, built)];
    const tag = await paid(built, 'receipts', { amount: 700_000, payer: 'client' });
    const answer = await reverse(officer, tag);
    expect(await lastMessage()).toContain(
      'Pay back UGX 700,000 by 21 Dec 2026. The repayment of UGX 700,000 was recorded by mistake.',
    );
    expect([await sumsOf(officer, built.tag), await caseRow(app, built)]).toEqual(before);
    const [, , original, counter] = await entriesOf(officer, built.tag);
    expect([answer.status, answer.body]).toEqual([200, { success: true, data: { tag: counter?.tag } }]);
    expect(original).toMatchObject({ tag, reversed: true, reverses: null, reason: null });
    expect(counter).toMatchObject({
      kind: 'receipt',
      amount: -700_000,
      payer: 'client',
      reverses: tag,
      reversed: false,
      reason: 'Booked on the wrong invoice',
    });
    expect(await lastStep()).toBe('reverseSettlement');
  });

  it('is one for each entry, and has none itself', async () => {
    const tag = await paid(built, 'receipts', { amount: 200_000 });
    const { body } = await reverse(officer, tag);
    expect(await lastStep()).toBe('reversePart');
    const refusal = { code: 'ALREADY_REVERSED', msg: 'This payment is already reversed' };
    await expectUnchanged(app, built, () => reverse(officer, tag), [409, refusal]);
    await expectUnchanged(app, built, () => reverse(officer, tag.toUpperCase()), [409, refusal]);
    await expectUnchanged(app, built, () => reverse(officer, body.data.tag), [409, refusal]);
  });

  it('reverses a disbursement while nothing depends on it; then it can be paid out again', async () => {
    const [disbursement] = await entriesOf(officer, built.tag);
    const tag = disbursement?.tag ?? '';
    const part = await paid(built, 'receipts', { amount: 100_000 });
    const refusal = {
      code: 'RECEIPTS_EXIST',
      msg: 'Repayments or deductions are recorded here. Reverse them first',
    };
    const undo = async () => reversePayout([officer, await buildOfficer(app)], built, tag);
    await expectUnchanged(app, built, undo, [409, refusal]);
    const rest = await paid(built, 'receipts', { amount: 800_000 });
    await expectUnchanged(app, built, undo, [409, refusal]);
    for (const receipt of [part, rest]) expect((await reverse(officer, receipt)).status).toBe(200);
    expect((await undo()).status).toBe(200);
    expect(await lastMessage()).toContain(
      "The payment of UGX 801,000 to you was recorded by mistake. You are still approved, and we'll pay you next.",
    );
    expect(await caseRow(app, built)).toMatchObject({ status: 'Approved', due_on: null, outstanding: null });
    // Neither its recorder nor the officer who reversed it may pay it out again.
    await paid({ ...built, payer: await buildOfficer(app) }, 'disbursement');
    expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed', outstanding: 90_000_000 });
    expect(await sumsOf(officer, built.tag)).toMatchObject({ disbursed: 801_000, received: 0, outstanding: 900_000 });
  });

  it('is refused for a receipt that paid what the client has got', async () => {
    const first = await paid(built, 'receipts', { amount: 950_000 });
    const second = await paid(built, 'receipts', { amount: 40_000 });
    const surplus = await paid(built, 'surplus');
    const refusal = {
      code: 'SURPLUS_EXISTS',
      msg: 'The extra was paid to the client. Reverse that payment first',
    };
    for (const tag of [first, second]) await expectUnchanged(app, built, () => reverse(officer, tag), [409, refusal]);
    expect((await reversePayout([officer, await buildOfficer(app)], built, surplus)).status).toBe(200);
    expect(await lastMessage()).toContain(
      'The payment of UGX 90,000 to you was recorded by mistake. We still owe it to you.',
    );
    expect((await reverse(officer, second)).status).toBe(200);
    expect([await statusOf(app, built), await lastStep()]).toEqual(['Settled', 'reverseMore']);
    expect((await reverse(officer, first)).status).toBe(200);
    expect(await sumsOf(officer, built.tag)).toMatchObject({ received: 0, outstanding: 900_000, surplusOwed: 0 });
    expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed', settled_on: null, settled_at: null });
  });

  it('is made by an officer of neither business, with a reason', async () => {
    const [entry] = await entriesOf(officer, built.tag);
    const tag = entry?.tag ?? '';
    const relative = await buildOfficer(app, { businessId: built.buyerId });
    await expectUnchanged(app, built, () => reverse(relative, tag), [403, { code: 'OWN_BUSINESS' }]);
    await expectUnchanged(app, built, () => reverse(client, tag), [403, { code: 'FORBIDDEN' }]);
    await expectUnchanged(app, built, () => reverse(officer, randomUUID()), [404, { code: 'NOT_FOUND' }]);
    const without = () => officer.caller.post(`/payments/${tag}/reverse`, { reason: ' x ' });
    const refusal = fieldRefusal('BAD_REQUEST', 'reason', 'Say why you reverse it');
    await expectUnchanged(app, built, without, [400, refusal]);
  });

  it('is the only way: the database changes and deletes nothing', async () => {
    const { db } = app.database.owner;
    await expect(db.updateTable('journal_entries').set({ reference: 'other' }).execute()).rejects.toThrow(
      'append-only',
    );
    await expect(db.deleteFrom('journal_entries').execute()).rejects.toThrow('append-only');
  });
});

describe('the ledger’s own constraints', () => {
  it('refuse a reversal of another application’s entry', async () => {
    const other = await buildDisbursedCase(app, { client, officer });
    const [[entry], [foreign]] = [await ledgerOf(app, built), await ledgerOf(app, other)];
    if (entry === undefined || foreign === undefined) throw new Error('nothing was paid out');
    const { id: _, tag: __, carried: ___, rounded: ____, ...columns } = entry;
    const counter = { ...columns, amount: '-801000', reverses: foreign.id, reason: 'By hand' };
    const inserted = app.platform.db.insertInto('journal_entries').values(counter).execute();
    await expect(inserted).rejects.toThrow('journal_entries_reverses_own');
  });
});

describe('a repeat under the same Idempotency-Key', () => {
  it('gets the first answer and records nothing', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const receipt = { amount: 100_000, reference: 'B-1' };
    const [first, second] = [
      await pay(built, 'receipts', receipt, headers),
      await pay(built, 'receipts', receipt, headers),
    ];
    expect([second.status, second.body]).toEqual([200, first.body]);
    const other = await pay(built, 'receipts', { ...receipt, amount: 100_001 }, headers);
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    const again = { 'idempotency-key': randomUUID() };
    const reversals = [
      await reverse(officer, first.body.data.tag, again),
      await reverse(officer, first.body.data.tag, again),
    ];
    expect(reversals.map(({ status }) => status)).toEqual([200, 200]);
    expect(reversals[1]?.body).toEqual(reversals[0]?.body);
    expect(await ledgerOf(app, built)).toHaveLength(3);
  });
});

describe('the list', () => {
  it('shows a client their own payments, but not who recorded them or why one was reversed', async () => {
    const tag = await paid(built, 'receipts', { amount: 100_000 });
    await reverse(officer, tag);
    const { application_tag: applicationTag } = await caseRow(app, built);
    const own = await entriesOf(client, applicationTag ?? '');
    expect(own).toMatchObject([
      { kind: 'disbursement', amount: 801_000, recordedBy: null },
      { kind: 'receipt', amount: 100_000, reversed: true, recordedBy: null },
      { kind: 'receipt', amount: -100_000, reverses: tag, recordedBy: null, reason: null },
    ]);
    expect(await sumsOf(client, built.tag)).toEqual({ ...(await sumsOf(officer, built.tag)), writeOffRefusals: null });
    const stranger = await buildCaseClient(app);
    const answer = await stranger.caller.get(`/applications/${built.tag}/payments`);
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('says when an advance is overdue: from the day after it was due, until it is settled', async () => {
    const late = await createTestApp();
    onTestFinished(() => late.close());
    const one = await buildDisbursedCase(late);
    const overdue = async (seconds: number) => {
      late.clock.advance(seconds);
      const clerk = await buildOfficer(late);
      return [(await sumsOf(clerk, one.tag)).overdue, { ...one, officer: clerk }] as const;
    };
    expect((await overdue(31 * DAY_SECONDS))[0]).toBeNull();
    const [found, withClerk] = await overdue(DAY_SECONDS);
    expect(found).toEqual({ days: 1, outstanding: 900_000 });
    await paid(withClerk, 'receipts', { date: '2026-12-22' });
    expect((await overdue(1))[0]).toBeNull();
    expect(await caseRow(late, one)).toMatchObject({ due_on: '2026-12-21', settled_on: '2026-12-22' });
  });
});
