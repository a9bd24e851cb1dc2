import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAXIMUM_STATEMENT_BYTES } from '#contract/statements/schema.ts';
import { MAXIMUM_LINES } from '#contract/statements/table.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { entriesOf, pay, reverse } from '#server/payments/payments.harness.ts';
import { buildDisbursedCase, buildOfficer, type Someone, succeed } from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import {
  bankStatement,
  importAndMatch,
  mtnStatement,
  referenceOf,
  sendStatement,
  takeIn,
  waitingLine,
  waitingOf,
} from './statements.harness.ts';

const app = appOfFile();
let officer: Someone;
beforeAll(async () => {
  officer = await buildOfficer(app);
});

let next = 0;
let id: string;
beforeEach(() => {
  next += 1;
  id = `L${next}`;
});

const count = async (table: 'statements' | 'statement_lines' | 'journal_entries' | 'audit_events') =>
  (await sql<{ count: number }>`select count(*)::integer as count from ${sql.table(table)}`.execute(app.platform.db))
    .rows[0]?.count;
const counts = () => Promise.all([count('statements'), count('statement_lines'), count('journal_entries')]);

describe('an import', () => {
  it('takes what came in into suspense and what names an application to it, and says so', async () => {
    const built = await buildDisbursedCase(app);
    const reference = await referenceOf(app, built);
    const said = await takeIn(app, officer, [
      { id, amount: 400_000, details: `pay ${reference}`, name: 'NABIRYE', number: '256772000111' },
      { id: `${id}b`, amount: 5_000, details: 'school fees' },
      { id: `${id}c`, amount: -7_000, details: 'charges' },
    ]);
    expect(said).toEqual({
      tag: expect.any(String),
      lines: 3,
      before: 0,
      contradicting: 0,
      left: 0,
      sent: 1,
      paid: 0,
      known: 0,
      repeats: 0,
      toMatch: 2,
      matched: 1,
      toAssign: 1,
    });
    expect(await waitingLine(officer, `${id}b`)).toMatchObject({ left: 5_000, why: 'noReference', suggestions: [] });
    expect(await waitingLine(officer, id)).toBeUndefined();
    const [, receipt] = await entriesOf(officer, built.tag);
    expect(receipt).toMatchObject({ kind: 'receipt', amount: 400_000, method: 'mtn', reference: id, recordedBy: null });
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('counts each line once, however often it comes, and in whatever file', async () => {
    const lines = [1, 2, 3].map((index) => ({ id: `${id}-${index}`, amount: 1_000 * index }));
    await takeIn(app, officer, lines);
    const before = await counts();
    expect(await takeIn(app, officer, lines)).toMatchObject({ lines: 3, before: 3, toAssign: 0 });
    expect(await counts()).toEqual(before);
    const overlapping = [...lines.slice(1), { id: `${id}-4`, amount: 9_000 }];
    expect(await takeIn(app, officer, overlapping)).toMatchObject({ lines: 3, before: 2, toAssign: 1 });
    // The same id in other letter case or with spaces.
    expect(await takeIn(app, officer, [{ id: ` ${id.toLowerCase()}-4`, amount: 9_000 }])).toMatchObject({ before: 1 });
  });

  it('counts each line once when ten overlapping files come at the same time', async () => {
    const file = (from: number) =>
      Array.from({ length: 5 }, (_, index) => ({ id: `${id}-${from + index}`, amount: 100 }));
    const said = await Promise.all(Array.from({ length: 10 }, (_, from) => takeIn(app, officer, file(from))));
    expect(said.reduce((sum, { lines, before }) => sum + lines - before, 0)).toBe(14);
    const { rows } = await sql<{ amount: string }>`select sum(suspense.amount)::text as amount from suspense
      join statement_lines as line on line.id = line_id where provider_id like ${`${id}-%`}`.execute(app.platform.db);
    expect(rows[0]?.amount).toBe('1400.00');
  });

  it.each([
    ['text that is no statement', () => 'Dear Sarah,\n', /^Line 1: No line has the columns/],
    ['a picture', () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70, 0, 10]), /not text/],
    [
      'a line that is cut off',
      () =>
        mtnStatement([
          { id: 'X1', amount: 5 },
          { id: 'X2', amount: 6 },
        ]).slice(0, -9),
      /^Line 3: The last/,
    ],
    [
      'an amount that is no number',
      () =>
        mtnStatement([
          { id: 'X1', amount: 5 },
          { id: 'X2', amount: Number.NaN },
        ]),
      /^Line 3, Amount: /,
    ],
    ['nothing', () => '', /^Line 1: /],
    [
      'ten thousand lines',
      () => mtnStatement(Array.from({ length: 10_000 }, (_, at) => ({ id: `T${at}`, amount: 5 }))),
      /5,000/,
    ],
  ])('refuses %s with its place, and takes nothing', async (_, file, why) => {
    const before = [await counts(), await count('audit_events')];
    const { status, body } = await sendStatement(officer, file());
    expect([status, body.code]).toEqual([422, 'STATEMENT_UNREADABLE']);
    expect(body.fields.file).toMatch(why);
    expect([await counts(), await count('audit_events')]).toEqual(before);
  });

  it.each([
    ['another amount', { amount: 50_000 }],
    ['another date', { date: '2026-11-19' }],
    ['other words', { details: 'other' }],
  ])('leaves a line that it knows with %s as it is, says so, and takes the others', async (_, edited) => {
    const line = { id, amount: 5_000, details: 'rent' };
    await takeIn(app, officer, [line]);
    const said = await takeIn(app, officer, [
      { id: `${id}x`, amount: 1_000 },
      { ...line, ...edited },
    ]);
    expect(said).toMatchObject({ lines: 2, before: 0, contradicting: 1, toAssign: 1 });
    expect(await waitingLine(officer, id)).toMatchObject({ amount: 5_000, date: '2026-11-20', details: 'rent' });
  });

  it('counts each of a bank’s payments with one reference, whichever file comes first', async () => {
    const order = (month: string, credit: string) => `20/${month}/2026,SO ${id},MULAGO,Standing order,,${credit},UGX`;
    const all = [order('09', '100'), order('10', '100'), order('10', '250')];
    const days = { rail: 'bank', from: '2026-09-01', until: '2026-11-20' };
    const send = (...lines: string[]) => {
      const sum = lines.reduce((total, line) => total + Number(line.split(',').at(-2)), 0);
      const text = [
        'Date,Bank reference,Payer,Details,Debit,Credit,Currency',
        ...lines,
        `TOTAL,${lines.length},,,,${sum},`,
      ];
      return importAndMatch(app, officer, `${text.join('\n')}\n`, days);
    };
    const [first = '', second = '', third = ''] = all;
    expect(await send(second)).toMatchObject({ before: 0, toAssign: 1, contradicting: 0 });
    expect(await send(first, second)).toMatchObject({ before: 1, toAssign: 1, contradicting: 0 });
    expect(await send(first, second, third)).toMatchObject({ before: 2, toAssign: 1, contradicting: 0 });
    expect(await send(third)).toMatchObject({ before: 1, toAssign: 0, contradicting: 0 });
    const ids = (await waitingOf(officer)).received.map((one) => one.id).filter((one) => one.includes(id));
    expect(ids).toEqual([`SO ${id}`, `SO ${id} 2026-09-20 100.00`, `SO ${id} 2026-10-20 250.00`]);
  });

  it.each([
    ['days in the wrong order', { from: '2026-11-20', until: '2026-11-19' }, 'The last day is before the first day'],
    ['a last day to come', { until: '2026-11-21' }, 'The last day is still to come'],
    ['no last day', { until: '' }, 'Provide the last day'],
  ])('refuses %s at the field, and takes nothing', async (_, days, why) => {
    const before = await counts();
    const { status, body } = await sendStatement(officer, mtnStatement([{ id, amount: 5_000 }]), days);
    expect([status, body.code, body.fields]).toEqual([400, 'BAD_REQUEST', { until: why }]);
    expect(await counts()).toEqual(before);
  });

  it.each([
    ['before', { from: '2026-11-19' }],
    ['after', { from: '2026-11-17', until: '2026-11-17' }],
  ])('refuses a line from %s the days that were exported', async (_, days) => {
    const lines = ['2026-11-19', '2026-11-18'].map((date, index) => ({ id: `${id}-${index}`, amount: 5_000, date }));
    const { status, body } = await sendStatement(officer, mtnStatement(lines), days);
    expect([status, body.code]).toEqual([422, 'STATEMENT_UNREADABLE']);
    expect(body.fields.file).toMatch(/^Line [23], Date: This line is not within the days you gave/);
  });

  it('is of the days that were exported, also those without payments, as its event says', async () => {
    const days = { from: '2025-01-01', until: '2026-11-20' };
    await succeed(sendStatement(officer, mtnStatement([{ id, amount: 5_000, date: '2026-11-10' }]), days));
    expect((await waitingOf(officer)).statements[0]).toMatchObject(days);
    const told = app.platform.db.selectFrom('audit_events').where('action', '=', 'statement.imported').select('after');
    expect((await told.orderBy('id', 'desc').executeTakeFirstOrThrow()).after).toMatchObject(days);
  });

  it('refuses another account, currency and what is too large', async () => {
    const file = mtnStatement([{ id, amount: 5_000 }]);
    expect((await sendStatement(officer, file, { rail: 'cash' })).status).toBe(400);
    expect((await sendStatement(officer, file, { currency: 'ZZZ' })).status).toBe(422);
    expect((await sendStatement(officer, file, { currency: 'USD' })).body.fields.file).toMatch(/USD/);
    expect((await sendStatement(officer, file, { fileName: '' })).status).toBe(400);
    expect((await sendStatement(officer, Buffer.alloc(MAXIMUM_STATEMENT_BYTES + 1))).status).toBe(413);
    const json = await officer.caller.post(
      '/statements?rail=mtn&currency=UGX&fileName=a&from=2026-11-20&until=2026-11-20',
      {},
    );
    expect(json.status).toBe(415);
  });
});

describe('a receipt that an officer had recorded', () => {
  it('is linked to its line, not counted again, and its reversal brings the money into suspense', async () => {
    const built = await buildDisbursedCase(app);
    const typed = await pay(built, 'receipts', { method: 'mtn', reference: `tx ${id}`, amount: 100_000 });
    const said = await takeIn(app, officer, [
      { id: `TX${id}`, amount: 100_000, details: await referenceOf(app, built) },
    ]);
    expect(said).toMatchObject({ known: 1, matched: 0, toAssign: 0 });
    expect(await waitingLine(officer, `TX${id}`)).toBeUndefined();
    expect((await reverse(officer, typed.body.data.tag)).status).toBe(200);
    expect(await waitingLine(officer, `TX${id}`)).toMatchObject({ left: 100_000 });
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('may be two of one payment: only the last reversal brings it into suspense', async () => {
    const [one, other] = [await buildDisbursedCase(app), await buildDisbursedCase(app)];
    const typed = { method: 'bank', reference: id, amount: 50_000, referenceConfirmed: true };
    const receipts = [await pay(one, 'receipts', typed), await pay(other, 'receipts', typed)];
    const file = bankStatement([{ id, amount: 100_000 }]);
    expect(await importAndMatch(app, officer, file, { rail: 'bank' })).toMatchObject({ known: 1 });
    await reverse(officer, receipts[0]?.body.data.tag);
    expect(await waitingLine(officer, id)).toBeUndefined();
    await reverse(officer, receipts[1]?.body.data.tag);
    expect(await waitingLine(officer, id)).toMatchObject({ left: 100_000 });
  });

  it('is refused, with what to do, once the statement has it', async () => {
    const built = await buildDisbursedCase(app);
    await takeIn(app, officer, [{ id, amount: 100_000 }]);
    const { status, body } = await pay(built, 'receipts', {
      method: 'mtn',
      reference: id.toLowerCase(),
      amount: 100_000,
    });
    expect([status, body.code, body.fields.reference]).toEqual([
      409,
      'PAYMENT_RECORDED',
      'This came with a statement. Assign it under Received Money',
    ]);
    expect((await pay(built, 'receipts', { method: 'bank', reference: id, amount: 1_000 })).status).toBe(200);
  });

  it('is counted once when statement and officer come at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const built = await buildDisbursedCase(app);
      const reference = `${id}-${round}`;
      const [typed, said] = await Promise.all([
        pay(built, 'receipts', { method: 'mtn', reference, amount: 100_000 }),
        takeIn(app, officer, [{ id: reference, amount: 100_000, details: await referenceOf(app, built) }]),
      ]);
      expect([typed.status === 200, said.known]).toEqual([said.known === 1, typed.status === 200 ? 1 : 0]);
      const entries = await entriesOf(officer, built.tag);
      expect(entries.filter(({ kind }) => kind === 'receipt')).toHaveLength(1);
    }
  });
});

describe('a large import', () => {
  it('takes as many lines as a file may have', async () => {
    const lines = Array.from({ length: MAXIMUM_LINES - 1 }, (_, index) => ({ id: `${id}-${index}`, amount: 100 }));
    expect(await takeIn(app, officer, lines)).toMatchObject({ lines: MAXIMUM_LINES - 1, toAssign: MAXIMUM_LINES - 1 });
    expect((await waitingOf(officer)).total).toBeGreaterThanOrEqual(MAXIMUM_LINES - 1);
  });
});
