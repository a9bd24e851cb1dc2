import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { WaitingReply } from '#contract/statements/schema.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { entriesOf, pay, reverse } from '#server/payments/payments.harness.ts';
import { followImports } from '#server/statements/matching/after-import.service.ts';
import { buildDisbursedCase, buildOfficer, type PayableCase, type Someone, succeed } from '#testing/case-builders.ts';
import { payOut } from '#testing/payout-builders.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';
import { ledgerBalances, mtnStatement, referenceOf, sendStatement, takeIn, waitingLine } from './statements.harness.ts';

const app = appOfFile();
let officer: Someone;
let other: Someone;
beforeAll(async () => {
  officer = await buildOfficer(app);
  other = await buildOfficer(app, { firstName: 'Akello', lastName: 'Grace' });
});

let next = 0;
/** Adds money to suspense, UGX 100,000 by default, and returns its tag. */
async function arrive(amount = 100_000): Promise<{ readonly tag: string; readonly id: string }> {
  next += 1;
  const id = `W${next}`;
  await takeIn(app, officer, [{ id, amount }]);
  return { id, tag: (await waitingLine(officer, id))?.tag ?? '' };
}

const part = ({ tag: applicationTag }: Pick<PayableCase, 'tag'>, amount: number, more = {}) => ({
  applicationTag,
  amount,
  payer: 'client',
  ...more,
});
const assign = (tag: string, parts: readonly unknown[], by = officer) =>
  by.caller.post(`/received_money/${tag}/assign`, { parts });

describe('money in suspense', () => {
  it('is split over applications, all parts or none', async () => {
    const [one, two] = [await buildDisbursedCase(app), await buildDisbursedCase(app)];
    const { tag, id } = await arrive();
    const refused = await assign(tag, [part(one, 60_000), part(two, 9_000_000)]);
    expect([refused.status, refused.body.code]).toEqual([409, 'RECEIVED_CHANGED']);
    expect((await assign(tag, [part(one, 60_000), part(two, 30_000)])).status).toBe(200);
    for (const [built, amount] of [
      [one, 60_000],
      [two, 30_000],
    ] as const)
      expect((await entriesOf(officer, built.tag))[1]).toMatchObject({ amount, reference: id, method: 'mtn' });
    expect(await waitingLine(officer, id)).toMatchObject({ left: 10_000 });
    expect((await assign(tag, [part(one, 10_000)])).status).toBe(200);
    expect(await waitingLine(officer, id)).toBeUndefined();
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('is listed from the oldest, fifty at once, and all of it is reached', async () => {
    const many = await createTestApp();
    onTestFinished(() => many.close());
    const { caller } = await buildOfficer(many);
    const lines = Array.from({ length: 120 }, (_, place) => ({ id: `Many ${place}`, amount: 10 + place }));
    await takeIn(many, { caller }, lines);
    const pages: WaitingReply[] = [];
    for (let query = '', hasMore = true; hasMore; ) {
      const { body } = await succeed(caller.get(`/received_money${query}`));
      pages.push(body);
      query = `?after=${body.received.at(-1)?.tag}`;
      hasMore = body.hasMore;
    }
    expect(pages.map(({ received, total }) => [received.length, total])).toEqual([
      [50, 120],
      [50, 120],
      [20, 120],
    ]);
    const seen = pages.flatMap(({ received }) => received.map(({ id }) => id));
    expect(seen).toEqual(lines.map(({ id }) => id));
    expect((await caller.get(`/received_money?after=${randomUUID()}`)).status).toBe(404);
  });

  it('is never assigned twice by officers who do it at the same time', async () => {
    const cases = [await buildDisbursedCase(app), await buildDisbursedCase(app), await buildDisbursedCase(app)];
    const { tag } = await arrive();
    const answers = await Promise.all(
      cases.flatMap((built, index) => [officer, other].map((by) => assign(tag, [part(built, 40_000 + index)], by))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4);
  });

  it('is never overdrawn, even past the service', async () => {
    const built = await buildDisbursedCase(app);
    const { tag } = await arrive();
    await assign(tag, [part(built, 100_000)]);
    const again = sql`insert into journal_lines (entry_id, account, amount)
      select id, 'suspense', 5 from journal_entries where statement_line_id = (select id from statement_lines where tag = ${tag})
        and kind = 'receipt'`;
    await expect(again.execute(app.database.owner.db)).rejects.toThrow(
      /duplicate key|is closed|suspense_not_overdrawn/,
    );
    const entry = sql`with entry as (insert into journal_entries (currency_id, kind, amount, occurred_on, method, reference,
        statement_line_id, recorded_at, recorded_by)
      select currency_id, 'returned', 5, occurred_on, 'mtn', 'x', id, now(), ${officer.person.id} from statement_lines
      where tag = ${tag} returning id)
      insert into journal_lines (entry_id, account, amount) select id, account, debit from entry,
        (values ('suspense', 5), ('cashMtn', -5)) as pair (account, debit)`;
    await expect(entry.execute(app.platform.db)).rejects.toThrow(/suspense_not_overdrawn/);
  });

  it('comes back into suspense by the reversal of its receipt', async () => {
    const built = await buildDisbursedCase(app);
    const { tag, id } = await arrive();
    await assign(tag, [part(built, 100_000)]);
    const [, receipt] = await entriesOf(officer, built.tag);
    expect((await reverse(officer, receipt?.tag ?? '')).status).toBe(200);
    expect(await waitingLine(officer, id)).toMatchObject({ left: 100_000, why: 'assignedBefore' });
  });

  it('is refused with the part’s field where the receipt is', async () => {
    const built = await buildDisbursedCase(app);
    const { tag } = await arrive(5_000_000);
    const large = await assign(tag, [part(built, 5_000_000)]);
    expect([large.status, large.body.code, Object.keys(large.body.fields)]).toEqual([
      422,
      'RECEIPT_LARGE',
      ['parts.0.amount'],
    ]);
    const twice = await assign(tag, [part(built, 5), part(built, 6)]);
    expect([twice.status, Object.values(twice.body.fields)]).toEqual([400, ['This application is there twice']]);
    expect((await assign(tag, [part({ tag: randomUUID() }, 5)])).status).toBe(404);
    expect((await assign(randomUUID(), [part(built, 5)])).status).toBe(404);
    expect((await assign(tag, [])).status).toBe(400);
    const dollars = await buildDisbursedCase(app);
    await sql`update invoices set currency_id = 2 where id = ${dollars.id}`.execute(app.database.owner.db);
    expect((await assign(tag, [part(dollars, 5)])).body.fields).toEqual({
      'parts.0.applicationTag': 'This application is in another currency',
    });
    await sql`update invoices set currency_id = 1 where id = ${dollars.id}`.execute(app.database.owner.db);
    expect((await assign(tag, [part(built, 5_000_000, { confirmed: true })])).status).toBe(200);
  });

  it('is not assigned by an officer of the client’s or the buyer’s business, nor by a client', async () => {
    const built = await buildDisbursedCase(app);
    const { tag } = await arrive();
    const insider = await buildOfficer(app, { businessId: built.client.person.businessId });
    const refused = await assign(tag, [part(built, 5)], insider);
    expect([refused.status, refused.body.code]).toEqual([403, 'OWN_BUSINESS']);
    expect((await assign(tag, [part(built, 5)], built.client)).status).toBe(403);
    expect((await built.client.caller.get('/received_money')).status).toBe(403);
  });

  it('is not credited automatically to a business of its importer: another officer assigns it', async () => {
    const built = await buildDisbursedCase(app);
    const insider = await buildOfficer(app, { businessId: built.client.person.businessId });
    const id = `Own ${built.id}`;
    const said = await takeIn(app, insider, [{ id, amount: 1_000, details: await referenceOf(app, built) }]);
    expect(said).toMatchObject({ matched: 0, toAssign: 1 });
    await followImports(app.platform);
    const line = await waitingLine(officer, id);
    expect(line).toMatchObject({ why: 'ownBusiness', suggestions: [{ tag: built.tag }] });
    expect((await assign(line?.tag ?? '', [part(built, 1_000)], insider)).body.code).toBe('OWN_BUSINESS');
    expect((await assign(line?.tag ?? '', [part(built, 1_000)])).status).toBe(200);
  });

  it('counts as its importer’s word: they do not release what the client gets of it', async () => {
    const built = await buildDisbursedCase(app);
    await takeIn(app, built.payer, [{ id: `S-${built.id}`, amount: 950_000, details: await referenceOf(app, built) }]);
    const release = (releaser: Someone, preparer: Someone) =>
      payOut({ preparer, releaser }, built.tag, { reference: 'R-1', date: '2026-11-20' });
    const third = await buildOfficer(app);
    const refused = await release(built.payer, third);
    expect(refused.body.code).toBe('OWN_RECEIPT');
  });

  it('is found by reference, invoice number or client, in its own currency', async () => {
    const built = await buildDisbursedCase(app);
    const { tag } = await arrive();
    const find = async (phrase: string) =>
      (await officer.caller.get(`/received_money/${tag}/applications?searchPhrase=${encodeURIComponent(phrase)}`)).body;
    const reference = await referenceOf(app, built);
    for (const phrase of [`${reference.slice(0, 4)}-${reference.slice(4)}`.toLowerCase(), built.invoiceNumber])
      expect(await find(phrase)).toMatchObject([{ tag: built.tag, reference, outstanding: 900_000, payer: 'client' }]);
    expect(await find('')).toEqual([]);
    expect(await find('nothing like it')).toEqual([]);
  });
});

describe('sending money back', () => {
  const act = (by: Someone, tag: string, what: string, body: unknown) =>
    by.caller.post(`/received_money/${tag}/return/${what}`, body);
  const propose = (tag: string, amount = 100_000, by = officer) =>
    act(by, tag, 'propose', { amount, reason: 'Sent to us by mistake' });
  const openOf = async (id: string) => (await waitingLine(officer, id))?.return;

  it('takes two officers: one proposes, another confirms that it was sent', async () => {
    const { tag, id } = await arrive();
    const before = await ledgerBalances(app);
    expect((await propose(tag)).status).toBe(200);
    const returnTag = (await openOf(id))?.tag ?? '';
    const sent = { returnTag, reference: 'MM 77', date: '2026-11-20' };
    expect((await act(officer, tag, 'confirm', sent)).body.code).toBe('OWN_RETURN');
    expect((await act(other, tag, 'confirm', { ...sent, date: '2026-11-19' })).body.code).toBe('DATE_TOO_EARLY');
    expect((await act(other, tag, 'confirm', { ...sent, date: '2026-11-21' })).status).toBe(400);
    expect((await act(other, tag, 'confirm', { ...sent, returnTag: randomUUID() })).body.code).toBe('RETURN_CLOSED');
    expect((await act(other, tag, 'confirm', sent)).status).toBe(200);
    expect((await act(other, tag, 'confirm', sent)).body.code).toBe('RETURN_CLOSED');
    expect(await waitingLine(officer, id)).toBeUndefined();
    const after = await ledgerBalances(app);
    expect((after.cashMtn ?? 0) - (before.cashMtn ?? 0)).toBe(-100_000);
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('is not confirmed by the importer of the statement, even if another proposed it', async () => {
    const { tag, id } = await arrive();
    expect((await propose(tag, 100_000, other)).status).toBe(200);
    const seenBy = async (who: Someone) => (await waitingLine(who, id))?.return?.refusal;
    expect([await seenBy(officer), await seenBy(other)]).toEqual(['OWN_STATEMENT', 'OWN_RETURN']);
    const sent = { returnTag: (await openOf(id))?.tag, reference: 'MM 78', date: '2026-11-20' };
    expect((await act(officer, tag, 'confirm', sent)).body.code).toBe('OWN_STATEMENT');
    const third = await buildOfficer(app);
    expect(await seenBy(third)).toBeNull();
    expect((await act(third, tag, 'confirm', sent)).status).toBe(200);
  });

  it('holds the money until it is sent or dropped', async () => {
    const built = await buildDisbursedCase(app);
    const { tag, id } = await arrive();
    await propose(tag, 60_000);
    expect((await propose(tag, 5)).body.code).toBe('RETURN_OPEN');
    expect((await assign(tag, [part(built, 5)])).body.code).toBe('RETURN_OPEN');
    const returnTag = (await openOf(id))?.tag ?? '';
    expect((await act(other, tag, 'drop', { returnTag })).status).toBe(200);
    expect((await assign(tag, [part(built, 60_000)])).status).toBe(200);
    const more = await propose(tag, 50_000);
    expect([more.status, more.body.code]).toEqual([409, 'RECEIVED_CHANGED']);
  });

  it('and assigning it exclude each other: the first wins', async () => {
    for (let round = 0; round < 4; round += 1) {
      const built = await buildDisbursedCase(app);
      const { tag } = await arrive();
      const [returned, assigned] = await Promise.all([propose(tag), assign(tag, [part(built, 100_000)], other)]);
      expect([returned.status, assigned.status].filter((status) => status === 200)).toHaveLength(1);
    }
  });

  it.each([
    ['statementLine.returnProposed', 'sent back by the officer who proposed it'],
    ['statementLine.imported', 'sent back by the officer who imported it'],
  ])('is found where one officer did both: %s', async (action, fault) => {
    const { tag, id } = await arrive();
    await propose(tag);
    const returnTag = (await openOf(id))?.tag ?? '';
    await act(other, tag, 'confirm', { returnTag, reference: `MM ${id}`, date: '2026-11-20' });
    const undone = new Error('undone');
    const attempt = app.database.owner.db.inTransaction(async (change) => {
      await sql`set local session_replication_role = replica`.execute(change);
      await sql`update audit_events set actor_tag = ${other.person.tag}
        where subject_tag = ${tag} and action = ${action}`.execute(change);
      expect((await verifyRecord({ db: change })).faults).toContain(`arrival ${tag}: ${fault}`);
      throw undone;
    });
    await expect(attempt).rejects.toThrow(undone);
  });
});

describe('the record of arrivals', () => {
  it.each([
    ['a line’s amount', sql`update statement_lines set amount = amount + 1`, /contradicts this line or lacks it/],
    ['a line’s text', sql`update statement_lines set details = 'other'`, /contradicts this line or lacks it/],
    ['an entry’s day', sql`update journal_entries set occurred_on = '2026-11-01'`, /contradicts its entry or lacks it/],
    ['a cent of an entry', sql`update journal_lines set amount = amount * 2`, /contradicts its entry or lacks it/],
    ['what is in suspense', sql`update suspense set amount = amount - 1`, /differs from the journal/],
    [
      'an entry that was deleted',
      sql`delete from journal_entries`,
      /an entry of it is in the audit log, but not in the database/,
    ],
  ])('shows %s that was changed past it', async (_, change, found) => {
    const { tag } = await arrive();
    const line = sql`(select id from statement_lines where tag = ${tag})`;
    const text = change.compile(app.platform.db).sql;
    const which = text.includes('statement_lines')
      ? sql`id = ${line}`
      : text.includes('suspense')
        ? sql`line_id = ${line}`
        : text.includes('journal_lines')
          ? sql`entry_id in (select id from journal_entries where statement_line_id = ${line})`
          : sql`statement_line_id = ${line}`;
    const undone = new Error('undone');
    const attempt = app.database.owner.db.inTransaction(async (open) => {
      await sql`set local session_replication_role = replica`.execute(open);
      await sql`${change} where ${which}`.execute(open);
      const { faults } = await verifyRecord({ db: open });
      expect(faults.filter((fault) => fault.startsWith(`arrival ${tag}`))).toContainEqual(expect.stringMatching(found));
      throw undone;
    });
    await expect(attempt).rejects.toThrow(undone);
  });

  it('holds while receipts, splits and reversals come at random', async () => {
    const built = await buildDisbursedCase(app);
    await pay(built, 'receipts', { amount: 1_000 });
    const arrivals = [await arrive(30_000), await arrive(20_000), await arrive(10_000)];
    for (let round = 0; round < 12; round += 1) {
      const { tag } = arrivals[round % 3] ?? { tag: '' };
      if (round % 4 === 3) {
        const receipts = (await entriesOf(officer, built.tag)).filter(
          ({ kind, reversed, reverses }) => kind === 'receipt' && !reversed && reverses === null,
        );
        await reverse(officer, receipts[(round * 7) % receipts.length]?.tag ?? '');
      } else await assign(tag, [part(built, 1_000 * (round + 1))]);
      expect((await verifyRecord(app.platform)).faults).toEqual([]);
    }
  });
});

describe('money that may be our own payout', () => {
  it.each([
    ['its reference', (reference: string) => ({ amount: 5_000, details: `REVERSAL OF ${reference}` })],
    ['its amount', () => ({ amount: 801_000, details: 'Deposit' })],
  ])('is assigned to its case with %s only after a question that names both', async (_, line) => {
    const built = await buildDisbursedCase(app);
    const [payout] = await entriesOf(officer, built.tag);
    const id = `Back ${built.id}`;
    const { amount, details } = line(payout?.reference ?? '');
    await takeIn(app, officer, [{ id, amount, details }]);
    const { tag = '' } = (await waitingLine(officer, id)) ?? {};
    const asked = await assign(tag, [part(built, amount)]);
    expect([asked.status, asked.body.code]).toEqual([422, 'RETURNED_PAYOUT']);
    const text = asked.body.fields['parts.0.amount'];
    for (const named of [payout?.reference, built.invoiceNumber]) expect(text).toContain(named);
    expect((await assign(tag, [part(built, amount, { confirmedReturn: true })])).status).toBe(200);
  });
});

it('who took money off an application does not assign it to another one', async () => {
  const [built, friends] = [await buildDisbursedCase(app), await buildDisbursedCase(app)];
  const { tag } = await arrive();
  await assign(tag, [part(built, 100_000)]);
  const [, receipt] = await entriesOf(officer, built.tag);
  await reverse(other, receipt?.tag ?? '');
  const own = await assign(tag, [part(friends, 100_000)], other);
  expect([own.status, own.body.code]).toEqual([409, 'OWN_REVERSAL']);
  expect((await assign(tag, [part(friends, 100_000)])).status).toBe(200);
});

it('a new officer takes in no statement and assigns nothing', async () => {
  const built = await buildDisbursedCase(app);
  const { tag } = await arrive();
  const fresh = await buildOfficer(app);
  const since = { officer_since: app.clock.now() };
  await app.platform.db.updateTable('persons').set(since).where('id', '=', fresh.person.id).execute();
  const text = mtnStatement([{ id: `N-${built.id}`, amount: 5 }]);
  expect((await sendStatement(fresh, text)).body.code).toBe('NEW_OFFICER');
  expect((await assign(tag, [part(built, 5)], fresh)).body.code).toBe('NEW_OFFICER');
});
