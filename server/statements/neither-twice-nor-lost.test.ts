import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { verifyRecord } from '#server/audit/record.service.ts';
import { paid, pay, reverse, sumsOf } from '#server/payments/payments.harness.ts';
import { followImports } from '#server/statements/matching/after-import.service.ts';
import { buildApprovedCase, buildDisbursedCase, buildOfficer, caseRow, type Someone } from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { until } from '#testing/until.ts';
import { bankStatement, importAndMatch, referenceOf, takeIn, waitingLine } from './statements.harness.ts';
import { lockWaiting } from './waiting.queries.ts';

/** Cases in which incoming money once counted twice, or not at all. */

const app = appOfFile();
let officer: Someone;
let other: Someone;
beforeAll(async () => {
  officer = await buildOfficer(app);
  other = await buildOfficer(app);
});

let next = 0;
let id: string;
beforeEach(() => {
  next += 1;
  id = `RV${next}`;
});

it('an application is not split upon under both of its tags', async () => {
  const built = await buildDisbursedCase(app);
  const { tag, application_tag: applicationTag } = await caseRow(app, built);
  await takeIn(app, officer, [{ id, amount: 1_200_000 }]);
  const line = await waitingLine(officer, id);
  const part = { amount: 600_000, payer: 'client', confirmed: true };
  const answer = await officer.caller.post(`/received_money/${line?.tag}/assign`, {
    parts: [
      { ...part, applicationTag: tag },
      { ...part, applicationTag },
    ],
  });
  expect([answer.status, Object.values(answer.body.fields ?? {})]).toEqual([400, ['This application is there twice']]);
  expect((await verifyRecord(app.platform)).faults).toEqual([]);
});

it('money that is about to be sent back is not credited', async () => {
  const built = await buildApprovedCase(app);
  await takeIn(app, officer, [{ id, amount: 100_000, details: await referenceOf(app, built) }]);
  const line = await waitingLine(officer, id);
  const act = (by: Someone, what: string, body: object) =>
    by.caller.post(`/received_money/${line?.tag}/return/${what}`, body);
  expect((await act(officer, 'propose', { amount: 100_000, reason: 'Not paid out yet' })).status).toBe(200);
  const returnTag = (await waitingLine(officer, id))?.return?.tag;
  expect((await pay(built, 'disbursement')).status).toBe(200);
  await followImports(app.platform);
  expect((await sumsOf(officer, built.tag)).received).toBe(0);
  expect((await act(other, 'confirm', { returnTag, reference: 'BACK', date: '2026-11-20' })).status).toBe(200);
});

it("a line's assignment is read once its lock is there, not before the wait", async () => {
  const built = await buildDisbursedCase(app);
  await takeIn(app, officer, [{ id, amount: 100_000 }]);
  const tag = (await waitingLine(officer, id))?.tag ?? '';
  const { db } = app.platform;
  const isWaited = async (): Promise<boolean> => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(app.database.owner.db);
    return rows.length > 0;
  };
  const waiting = await db.inTransaction(async (change) => {
    expect(await lockWaiting(change, tag)).toMatchObject({ left: 10_000_000, wasAssigned: false });
    const locked = db.inTransaction((later) => lockWaiting(later, tag));
    await until(isWaited);
    await sql`with entry as (insert into journal_entries (invoice_id, currency_id, kind, amount, occurred_on, method, reference,
        payer, statement_line_id, recorded_at, recorded_by)
      select ${built.id}, currency_id, 'receipt', 5, occurred_on, 'mtn', 'x', 'client', id, now(), ${officer.person.id}
      from statement_lines where tag = ${tag} returning id)
      insert into journal_lines (entry_id, account, amount) select id, account, debit from entry,
        (values ('suspense', 5), ('advances', -5)) as pair (account, debit)`.execute(change);
    return { locked };
  });
  expect(await waiting.locked).toMatchObject({ left: 9_999_500, wasAssigned: true });
});

it('two typed receipts of one line that are reversed at once leave its money in suspense', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [one, two] = [await buildDisbursedCase(app), await buildDisbursedCase(app)];
    const reference = `${id}-${round}`;
    const first = await paid(one, 'receipts', { reference, amount: 60_000 });
    const second = await paid(two, 'receipts', { reference, amount: 40_000, referenceConfirmed: true });
    await importAndMatch(app, officer, bankStatement([{ id: reference, amount: 100_000 }]), { rail: 'bank' });
    const answers = await Promise.all([reverse(one.officer, first), reverse(two.officer, second)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await waitingLine(officer, reference))?.left).toBe(100_000);
  }
});

it('a typed receipt that is reversed while its statement comes leaves the money in suspense', async () => {
  for (let round = 0; round < 6; round += 1) {
    const one = await buildDisbursedCase(app);
    const reference = `${id}-${round}`;
    const typed = await paid(one, 'receipts', { method: 'mtn', reference, amount: 60_000 });
    await Promise.all([takeIn(app, officer, [{ id: reference, amount: 60_000 }]), reverse(one.officer, typed)]);
    expect((await waitingLine(officer, reference))?.left).toBe(60_000);
  }
});
