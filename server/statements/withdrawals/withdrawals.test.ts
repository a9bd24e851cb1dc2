import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ImportedStatement, WithdrawalReply } from '#contract/statements/schema.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { entriesOf, paid, reverse } from '#server/payments/payments.harness.ts';
import {
  bankStatement,
  type GivenLine,
  ledgerBalances,
  referenceOf,
  sendStatement,
  takeIn,
  waitingLine,
  waitingOf,
} from '#server/statements/statements.harness.ts';
import { buildDisbursedCase, buildOfficer, messagesTo, type Someone, succeed } from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { confirm, drop, newestStatement, propose, withdrawNewest } from './withdrawals.harness.ts';

const app = appOfFile();
let officer: Someone;
let other: Someone;
beforeAll(async () => {
  officer = await buildOfficer(app);
  other = await buildOfficer(app, { firstName: 'Akello', lastName: 'Grace' });
});

let next = 0;
const anId = (): string => {
  next += 1;
  return `WD${next}`;
};
const verified = async () => (await verifyRecord(app.platform)).faults;
const noted = async (tag: string): Promise<WithdrawalReply> =>
  (await succeed(officer.caller.get(`/statements/${tag}/withdrawal`))).body;

describe('a statement that was imported by mistake', () => {
  it('is withdrawn by two officers, its money leaves the journal, and the right one counts', async () => {
    const before = await ledgerBalances(app);
    const id = anId();
    await takeIn(app, officer, [
      { id, amount: 700 },
      { id: anId(), amount: -300 },
    ]);
    const { tag } = await newestStatement(officer);
    expect((await propose(officer, tag)).status).toBe(200);
    const { withdrawal } = await newestStatement(other);
    expect(withdrawal).toMatchObject({ reason: 'The wrong account', confirmed: null, refusal: null });
    const own = await confirm(officer, tag, withdrawal?.tag);
    expect([own.status, own.body.code]).toEqual([409, 'OWN_PROPOSAL']);
    expect((await confirm(other, tag, withdrawal?.tag)).status).toBe(200);
    expect(await waitingLine(officer, id)).toBeUndefined();
    expect(await ledgerBalances(app)).toEqual(before);
    expect((await newestStatement(officer)).withdrawal?.confirmed).toMatchObject({ by: 'Akello Grace' });
    expect(await takeIn(app, officer, [{ id, amount: 900 }])).toMatchObject({
      before: 0,
      contradicting: 0,
      toAssign: 1,
    });
    expect(await waitingLine(officer, id)).toMatchObject({ left: 900 });
    expect(await verified()).toEqual([]);
  });

  it('may be imported again as the same file, twice', async () => {
    const lines = [{ id: anId(), amount: 800 }];
    for (const toAssign of [1, 1, 1]) {
      expect(await takeIn(app, officer, lines)).toMatchObject({ toAssign });
      expect(await takeIn(app, officer, lines)).toMatchObject({ toAssign: 0, before: 1 });
      await withdrawNewest(officer, other);
    }
    expect(await verified()).toEqual([]);
  });

  it('gives its lines to a later file that had them too, once that comes again', async () => {
    const [shared, otherwise, own] = [anId(), anId(), anId()];
    const day = '2026-11-10';
    await takeIn(app, officer, [
      { id: shared, amount: 500, date: day },
      { id: otherwise, amount: 1, date: day },
    ]);
    const { tag } = await newestStatement(officer);
    const right = [
      { id: shared, amount: 500, date: day },
      { id: otherwise, amount: 600, date: day },
      { id: own, amount: 70, date: day },
    ];
    expect(await takeIn(app, other, right)).toMatchObject({ before: 1, contradicting: 1, toAssign: 1 });
    expect((await noted(tag)).consequences).toEqual([
      { kind: 'importAgain', total: 1, first: [{ name: 'statement.csv', applicationTag: null }] },
    ]);
    await withdraw(tag);
    expect(await takeIn(app, other, right)).toMatchObject({ before: 1, contradicting: 0, toAssign: 2 });
    expect(await waitingLine(officer, otherwise)).toMatchObject({ left: 600 });
    expect(await verified()).toEqual([]);
  });

  it('is no difference of its days any more, and contradicts nothing', async () => {
    const day = '2026-11-05';
    await takeIn(app, officer, [{ id: anId(), amount: 500, date: day }]);
    await takeIn(app, other, [{ id: anId(), amount: 400, date: day }]);
    expect(await openOn(day)).toBeGreaterThan(0);
    await withdrawNewest(officer, other);
    expect(await openOn(day)).toBe(0);
    const { statements } = (await succeed(officer.caller.get(`/reconciliation?rail=mtn&currency=UGX&day=${day}`))).body;
    expect(statements.map(({ withdrawal }: ImportedStatement) => withdrawal !== null)).toEqual([true, false]);
  });

  it('on a closed day keeps the figures of the closing and names the day', async () => {
    const day = '2026-11-04';
    await takeIn(app, officer, [{ id: anId(), amount: 500, date: day }]);
    const { tag } = await newestStatement(officer);
    const closing = { rail: 'mtn', currency: 'UGX', day };
    await succeed(officer.caller.post('/reconciliation/close', closing));
    expect((await noted(tag)).consequences).toMatchObject([{ kind: 'closedDay', first: [{ name: '4 Nov 2026' }] }]);
    await withdraw(tag);
    const reconciled = (await succeed(officer.caller.get(`/reconciliation?rail=mtn&currency=UGX&day=${day}`))).body;
    expect(reconciled.differences).toMatchObject([{ kind: 'late', reference: 'The whole day', there: 0, here: 500 }]);
    const { rows } = await sql<{ day: string }>`select entry.occurred_on as day from journal_entries as entry
      join imported_lines as line on line.id = statement_line_id join statements on statements.id = statement_id
      where statements.tag = ${tag} and entry.reverses is not null`.execute(app.platform.db);
    expect(rows).toEqual([{ day: '2026-11-20' }]);
  });

  it('leaves a typed receipt unproved, which the right statement proves again', async () => {
    const built = await buildDisbursedCase(app, { officer });
    const id = anId();
    const receipt = await paid(built, 'receipts', { amount: 5000, method: 'mtn', reference: id });
    const lines: GivenLine[] = [{ id, amount: 5000 }];
    expect(await takeIn(app, officer, lines)).toMatchObject({ known: 1 });
    await withdrawNewest(officer, other);
    expect(await takeIn(app, officer, lines)).toMatchObject({ known: 1 });
    await succeed(reverse(officer, receipt));
    expect(await waitingLine(officer, id)).toMatchObject({ left: 5000 });
    expect(await verified()).toEqual([]);
  });

  it('stays while something rests on it, which is named', async () => {
    const built = await buildDisbursedCase(app, { officer });
    const id = anId();
    expect(await takeIn(app, officer, [{ id, amount: 5000, details: await referenceOf(app, built) }])).toMatchObject({
      matched: 1,
    });
    const { tag } = await newestStatement(officer);
    const refused = await propose(officer, tag);
    expect([refused.status, refused.body.code]).toEqual([409, 'STATEMENT_USED']);
    expect(refused.body.msg).toMatch(/Reverse these repayments first: .+, UGX 5,000/);
    expect((await noted(tag)).obstacles).toMatchObject([
      { kind: 'credited', total: 1, first: [{ applicationTag: expect.any(String) }] },
    ]);
    const [receipt] = (await entriesOf(officer, built.tag)).filter(({ kind }) => kind === 'receipt');
    await succeed(reverse(officer, receipt?.tag ?? ''));
    const line = (await waitingLine(officer, id))?.tag;
    await succeed(officer.caller.post(`/received_money/${line}/return/propose`, { amount: 100, reason: 'By mistake' }));
    expect((await noted(tag)).obstacles).toMatchObject([{ kind: 'returnOpen', first: [{ name: `${id}, UGX 100` }] }]);
    const open = (await waitingLine(officer, id))?.return?.tag;
    await succeed(officer.caller.post(`/received_money/${line}/return/drop`, { returnTag: open }));
    await withdraw(tag);
    expect(await verified()).toEqual([]);
  });

  it('stays for ever once money of it was sent back', async () => {
    const id = anId();
    const importer = await buildOfficer(app);
    await takeIn(app, importer, [{ id, amount: 5000 }]);
    const { tag } = await newestStatement(officer);
    const line = (await waitingLine(officer, id))?.tag;
    await succeed(officer.caller.post(`/received_money/${line}/return/propose`, { amount: 100, reason: 'By mistake' }));
    const returnTag = (await waitingLine(officer, id))?.return?.tag;
    const sent = { returnTag, reference: anId(), date: '2026-11-20' };
    await succeed(other.caller.post(`/received_money/${line}/return/confirm`, sent));
    expect((await noted(tag)).obstacles).toMatchObject([{ kind: 'returned', total: 1 }]);
  });

  it('stays while a line of another statement may be the same payment, and that one is not lost', async () => {
    const day = '2026-11-12';
    const send = (by: Someone, id: string) =>
      succeed(sendStatement(by, bankStatement([{ id, amount: 4000, date: day, details: 'Goods' }]), { rail: 'bank' }));
    await send(officer, '');
    const { tag } = await newestStatement(officer);
    const id = `TRF ${anId()}`;
    await send(officer, id);
    expect((await noted(tag)).obstacles).toMatchObject([{ kind: 'repeat', first: [{ name: `${id}, UGX 4,000` }] }]);
    const [question] = (await waitingOf(other)).repeats;
    await succeed(other.caller.post(`/received_money/${question?.tag}/repeat`, { isSame: true }));
    expect((await propose(officer, tag)).body.code).toBe('STATEMENT_USED');
    await succeed(other.caller.post(`/received_money/${question?.tag}/repeat`, { isSame: false }));
    await withdraw(tag);
    expect(await waitingLine(officer, id)).toMatchObject({ left: 4000 });
    expect(await verified()).toEqual([]);
  });

  it('is kept when the proposal is dropped, and may be proposed again', async () => {
    await takeIn(app, officer, [{ id: anId(), amount: 100 }]);
    const { tag } = await newestStatement(officer);
    await succeed(propose(officer, tag));
    expect((await propose(other, tag)).body.code).toBe('PROPOSAL_OPEN');
    const first = (await newestStatement(officer)).withdrawal?.tag;
    await succeed(drop(officer, tag, first));
    expect((await confirm(other, tag, first)).body.code).toBe('PROPOSAL_CLOSED');
    expect((await newestStatement(officer)).withdrawal).toBeNull();
    await withdraw(tag);
    expect((await propose(officer, tag)).body.code).toBe('STATEMENT_WITHDRAWN');
  });

  it('is not withdrawn by a new officer, nor after its proposer stopped being one', async () => {
    await takeIn(app, officer, [{ id: anId(), amount: 100 }]);
    const { tag } = await newestStatement(officer);
    const leaving = await buildOfficer(app);
    await succeed(propose(leaving, tag));
    const open = (await newestStatement(officer)).withdrawal?.tag;
    await sql`update persons set officer_since = ${app.clock.now()} where id = ${other.person.id}`.execute(
      app.platform.db,
    );
    expect((await confirm(other, tag, open)).body.code).toBe('NEW_OFFICER');
    await sql`update persons set officer_since = null where id = ${other.person.id}`.execute(app.platform.db);
    await sql`update persons set permissions = '{}' where id = ${leaving.person.id}`.execute(app.platform.db);
    expect((await confirm(other, tag, open)).body.code).toBe('PROPOSAL_VOID');
    await succeed(drop(officer, tag, open));
  });

  it('tells every other officer of the proposal and of the withdrawal', async () => {
    await takeIn(app, officer, [{ id: anId(), amount: 100 }]);
    const third = await buildOfficer(app);
    await withdrawNewest(officer, other);
    const heard = (await messagesTo(app, third)).map(({ subject, body }) => `${subject} ${body}`);
    expect(heard).toEqual([
      expect.stringContaining('proposes to withdraw the statement statement.csv'),
      expect.stringContaining('Akello Grace confirmed the withdrawal of the statement statement.csv'),
    ]);
  });
});

describe('the verification of the record', () => {
  it('names a withdrawal that nobody recorded', async () => {
    await takeIn(app, officer, [{ id: anId(), amount: 100 }]);
    const { tag } = await newestStatement(officer);
    await sql`insert into statement_withdrawals (statement_id, reason, proposed_at, proposed_by, confirmed_at, confirmed_by)
      select id, 'Forged', now(), ${officer.person.id}, now(), ${other.person.id} from statements where tag = ${tag}`.execute(
      app.platform.db,
    );
    expect((await verified()).join('\n')).toMatch(/withdrawn/);
    await sql`delete from statement_withdrawals where reason = 'Forged'`.execute(app.platform.db);
    expect(await verified()).toEqual([]);
  });
});

async function withdraw(tag: string): Promise<void> {
  await succeed(propose(officer, tag));
  const { statements } = await waitingOf(officer);
  const open = statements.find((one) => one.tag === tag)?.withdrawal?.tag;
  await succeed(confirm(other, tag, open));
}

async function openOn(day: string): Promise<number> {
  return (await succeed(officer.caller.get(`/reconciliation?rail=mtn&currency=UGX&day=${day}`))).body.open;
}
