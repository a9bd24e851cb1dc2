import { beforeEach, describe, expect, it } from 'vitest';
import { sayRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { lockForSweep } from '#server/invoices/invoices.service.ts';
import { balancesOf, reversePayout } from '#server/payments/payments.harness.ts';
import { newestStatement, propose, withdrawNewest } from '#server/statements/withdrawals/withdrawals.harness.ts';
import {
  type BankLine,
  bankOfTest,
  bankStatement,
  batchesOf,
  batchOf,
  fileReferenceOf,
  releaseToBank,
} from '#server/transfers/batches/batches.harness.ts';
import { transfersOf } from '#server/transfers/transfers.harness.ts';
import { buildOfficer, messagesTo, type PayableCase, type Someone, statusOf, succeed } from '#testing/case-builders.ts';
import { payoutOf } from '#testing/payout-builders.ts';
import { until } from '#testing/until.ts';
import { endPaidPayouts } from './paid-payouts.service.ts';
import { importAndMatch, referenceOf, waitingLine, waitingOf } from './statements.harness.ts';

const app = bankOfTest();
let officer: Someone;
let built: PayableCase;
let reference: string;
let other: string;
beforeEach(async () => {
  officer = await buildOfficer(app);
  built = await releaseToBank(app);
  await batchOf(officer);
  reference = sayRepaymentReference(await fileReferenceOf(app, built));
  other = await referenceOf(app, built);
});

const takeIn = (...lines: BankLine[]) => importAndMatch(app, officer, bankStatement(lines), { rail: 'bank' });

/** The differences on a day of the bank's account. */
async function differencesOn(day: string) {
  const { body } = await succeed(officer.caller.get(`/reconciliation?rail=bank&currency=UGX&day=${day}`));
  return body.differences.map(({ kind, reference: named }: { kind: string; reference: string }) => `${kind} ${named}`);
}

describe('a line of a payout by file', () => {
  it('ends it: one entry of its day with the bank’s reference, news to the client, a day without differences', async () => {
    app.clock.advance(2 * DAY_SECONDS);
    officer = await buildOfficer(app);
    const line = { id: 'FT2632', amount: -801_000, details: `KASENTE ${reference} SARAH NABIRYE`, date: '21/11/2026' };
    expect(await takeIn(line)).toMatchObject({ sent: 1, paid: 1, toAssign: 0 });
    expect(await statusOf(app, built)).toBe('Disbursed');
    const entries = await app.platform.db.selectFrom('journal_entries').selectAll().execute();
    expect(entries).toMatchObject([
      {
        kind: 'disbursement',
        amount: 80_100_000,
        occurred_on: '2026-11-21',
        method: 'bank',
        reference: 'FT2632',
        recorded_by: built.payer.person.id,
      },
    ]);
    expect(await transfersOf(app, built)).toMatchObject([
      { state: 'succeeded', provider_reference: 'FT2632', said: 'On the statement of 2026-11-21' },
    ]);
    expect((await payoutOf(officer, built.tag)).transfer).toMatchObject({ state: 'succeeded' });
    expect((await batchesOf(officer)).batches).toMatchObject([{ open: 0 }]);
    expect((await messagesTo(app, built.client)).at(-1)?.body).toContain('We paid you UGX 801,000 to Stanbic Bank');
    expect(await differencesOn('2026-11-21')).toEqual([]);
    expect(await takeIn(line, { amount: 5, details: 'Interest' })).toMatchObject({ paid: 0, before: 1 });
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('ends the payout even without an id of the bank’s own', async () => {
    expect(await takeIn({ amount: -801_000, details: `Kasente ${reference}`.padEnd(130, ' x') })).toMatchObject({
      paid: 1,
    });
    expect(await differencesOn('2026-11-20')).toEqual([]);
  });

  it.each([
    ['another amount', () => ({ amount: -801_001, details: reference })],
    ['a mistyped reference', () => ({ amount: -801_000, details: `A${reference.slice(1)}C` })],
    ['two references', () => ({ amount: -801_000, details: `${reference} ${other}` })],
    ['a day before its file', () => ({ amount: -801_000, details: reference, date: '19/11/2026' })],
  ])('posts nothing with %s: it is a difference of its day', async (_, line) => {
    expect(await takeIn({ id: 'X1', ...line() })).toMatchObject({ sent: 1, paid: 0 });
    expect(await statusOf(app, built)).toBe('Approved');
    expect(await balancesOf(app, built)).toEqual({});
    expect([...(await differencesOn('2026-11-20')), ...(await differencesOn('2026-11-19'))]).toEqual([
      'missingHere X1',
    ]);
  });

  it('is not explained by an officer of the client’s business if it has another amount', async () => {
    await takeIn({ id: 'X1', amount: -801_001, details: reference });
    const day = { rail: 'bank', currency: 'UGX', day: '2026-11-20' };
    const { body } = await succeed(officer.caller.get(`/reconciliation?${new URLSearchParams(day).toString()}`));
    const given = { ...day, difference: body.differences[0]?.difference, reason: 'The bank took a shilling' };
    const insider = await buildOfficer(app, { businessId: built.client.person.businessId });
    const refused = await insider.caller.post('/reconciliation/explain', given);
    expect([refused.status, refused.body.code]).toEqual([403, 'OWN_BUSINESS']);
    await succeed(officer.caller.post('/reconciliation/explain', given));
  });

  it('posts once if it comes twice; the second is a difference', async () => {
    const lines = ['FT1', 'FT2'].map((id) => ({ id, amount: -801_000, details: reference }));
    expect(await takeIn(...lines)).toMatchObject({ sent: 2, paid: 1 });
    expect(await endPaidPayouts(app.platform)).toBe(0);
    expect(await app.platform.db.selectFrom('journal_entries').select('reference').execute()).toEqual([
      { reference: 'FT1' },
    ]);
    expect(await differencesOn('2026-11-20')).toEqual(['missingHere FT2']);
  });

  it('is recorded by the sweep if an import did not come to it, once by several', async () => {
    const later = await releaseToBank(app);
    const named = sayRepaymentReference(await fileReferenceOf(app, later));
    expect(await takeIn({ id: 'FT1', amount: -801_000, details: named })).toMatchObject({ paid: 0 });
    await batchOf(officer);
    const ended = await Promise.all(Array.from({ length: 5 }, () => endPaidPayouts(app.platform)));
    expect(ended.reduce((sum, one) => sum + one, 0)).toBe(1);
    expect(await statusOf(app, later)).toBe('Disbursed');
    expect(await app.platform.db.selectFrom('journal_entries').select('id').execute()).toHaveLength(1);
  });

  it('credits nobody if it comes back: it is not reversed, two officers send it again, and the books agree', async () => {
    await takeIn({ id: 'FT1', amount: -801_000, details: reference });
    const back = { id: 'RT1', amount: 801_000, details: `RETURNED ${reference} ${other}` };
    expect(await takeIn(back)).toMatchObject({ matched: 0, toAssign: 1 });
    const line = await waitingLine(officer, 'RT1');
    expect(line).toMatchObject({ why: 'returnedPayout', payout: { applicationTag: built.tag, paidAs: 'FT1' } });
    expect((await reversePayout([officer, built.officer], built)).body.code).toBe('SHOWN_PAID');
    const of = `/received_money/${line?.tag}/return`;
    const given = { amount: 801_000, reason: 'The bank returned the payout: we send it again' };
    const insider = await buildOfficer(app, { businessId: built.client.person.businessId });
    expect((await insider.caller.post(`${of}/propose`, given)).body.code).toBe('OWN_BUSINESS');
    await succeed(officer.caller.post(`${of}/propose`, given));
    const returnTag = (await waitingLine(officer, 'RT1'))?.return?.tag;
    const sent = { returnTag, reference: 'FT2', date: '2026-11-20' };
    expect((await insider.caller.post(`${of}/confirm`, sent)).body.code).toBe('OWN_BUSINESS');
    expect((await insider.caller.post(`${of}/drop`, { returnTag })).body.code).toBe('OWN_BUSINESS');
    const used = await built.payer.caller.post(`${of}/confirm`, { ...sent, reference: 'ft 1' });
    expect([used.status, used.body.code, used.body.fields]).toEqual([
      409,
      'REFERENCE_PAID',
      { reference: `This reference is on record: UGX 801,000 of 20 Nov 2026, on invoice ${built.invoiceNumber}` },
    ]);
    await succeed(built.payer.caller.post(`${of}/confirm`, sent));
    await takeIn({ id: 'FT2', amount: -801_000, details: 'KASENTE' });
    expect(await differencesOn('2026-11-20')).toEqual([]);
    expect(await statusOf(app, built)).toBe('Disbursed');
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });
});

describe('the statement of a payout by file', () => {
  it('is not withdrawn once its line ended the payout', async () => {
    await takeIn({ id: 'FT77', amount: -801_000, details: `Kasente ${reference}` });
    const { tag } = await newestStatement(officer);
    const refused = await propose(officer, tag);
    expect([refused.status, refused.body.code]).toEqual([409, 'STATEMENT_USED']);
    expect(refused.body.msg).toContain(`${built.invoiceNumber}, UGX 801,000`);
  });

  it('ends nothing where it is withdrawn before the payout is ended', async () => {
    const imported = await app.platform.db.inTransaction(async (change) => {
      await lockForSweep(change, built.tag);
      const importing = takeIn({ id: 'FT78', amount: -801_000, details: `Kasente ${reference}` });
      await until(async () => (await waitingOf(officer)).statements.length > 0);
      await withdrawNewest(officer, await buildOfficer(app));
      return { importing };
    });
    expect(await imported.importing).toMatchObject({ sent: 1, paid: 0 });
    expect(await statusOf(app, built)).toBe('Approved');
    expect(await transfersOf(app, built)).toMatchObject([{ provider_reference: null }]);
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });
});
