import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReconciliationReply } from '#contract/statements/schema.ts';
import { addDays } from '#contract/time/calendar.ts';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { entriesOf, pay, reverse } from '#server/payments/payments.harness.ts';
import {
  type GivenLine,
  mtnStatement,
  referenceOf,
  sendStatement,
  takeIn,
  waitingLine,
} from '#server/statements/statements.harness.ts';
import {
  type BuiltCase,
  buildApprovedCase,
  buildDisbursedCase,
  buildOfficer,
  type PayableCase,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';

const DAY = '2026-11-20';
const account = { rail: 'mtn', currency: 'UGX', day: DAY };

const app = appOfFile();
let officer: Someone;
let other: Someone;
let built: PayableCase;
let named: BuiltCase;
/** The lines of the first statement, which later ones repeat. */
let sent: GivenLine[];
beforeAll(async () => {
  built = await buildDisbursedCase(app);
  named = await buildApprovedCase(app);
});
/** Logs in again, because tests move the clock and sessions end. */
beforeEach(async () => {
  officer = await buildOfficer(app);
  other = await buildOfficer(app, { firstName: 'Akello', lastName: 'Grace' });
});

const read = async (day = DAY, reader = officer): Promise<ReconciliationReply> =>
  (await reader.caller.get(`/reconciliation?${new URLSearchParams({ ...account, day }).toString()}`)).body;
const explain = (difference: string, by = officer, day = DAY) =>
  by.caller.post('/reconciliation/explain', { ...account, day, difference, reason: 'The operator was late' });
const close = (by = officer, day = DAY) => by.caller.post('/reconciliation/close', { ...account, day });
const receipt = (reference: string, amount: number) =>
  pay({ ...built, officer }, 'receipts', { method: 'mtn', reference, amount, date: DAY });

it('the reconciliation names every planted difference, and a day is closed once all are corrected or explained', async () => {
  // The statement also has the case's payout.
  const payout = (await entriesOf(officer, built.tag))[0];
  await receipt('typed', 5_000);
  await receipt('different', 7_000);
  await receipt('never there', 1_000);
  sent = [
    { id: payout?.reference ?? '', amount: -801_000 },
    { id: 'good', amount: 3_000, details: await referenceOf(app, built) },
    { id: 'TYPED', amount: 5_000 },
    { id: 'different', amount: 700 },
    { id: 'charges', amount: -250 },
    { id: 'yesterday', amount: 900, date: '2026-11-19' },
  ];
  await takeIn(app, officer, sent);
  const found = await read();
  expect(found.differences.map(({ kind, reference }) => [kind, reference]).sort()).toEqual([
    ['amount', 'different'],
    ['missingHere', 'charges'],
    ['missingThere', 'never there'],
  ]);
  expect([found.byStatement, found.byJournal]).toEqual([3_000 + 5_000 + 700 - 250 - 801_000, 3_000 + 13_000 - 801_000]);
  expect((await close()).body.fields).toEqual({ day: 'Close a day once it is over' });

  // Corrected by entries: the receipts with typing errors are reversed, and the money is in suspense.
  const ledger = await entriesOf(officer, built.tag);
  for (const reference of ['different', 'never there'])
    expect((await reverse(officer, ledger.find((one) => one.reference === reference)?.tag ?? '')).status).toBe(200);
  app.clock.advance(DAY_SECONDS);
  officer = await buildOfficer(app);
  other = await buildOfficer(app);
  expect((await close()).body.code).toBe('DIFFERENCES_OPEN');
  const [left, ...more] = (await read()).differences;
  expect([left?.kind, more]).toEqual(['missingHere', []]);
  expect((await explain('nothing like it')).body.code).toBe('DIFFERENCE_GONE');
  expect((await explain(left?.difference ?? '')).status).toBe(200);
  expect((await explain(left?.difference ?? '', other)).body.code).toBe('DIFFERENCE_GONE');
  expect((await close()).body.code).toBe('OWN_EXPLANATION');
  expect([(await read()).closingRefusal, (await read(DAY, other)).closingRefusal]).toEqual(['OWN_EXPLANATION', null]);
  const both = await Promise.all([close(other), close(other)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await close(other)).body.code).toBe('DAY_CLOSED');
  const closed = await read();
  expect(closed.closed).not.toBeNull();
  expect(closed.days.find(({ day }) => day === DAY)).toEqual({ day: DAY, open: 0, state: 'closed' });
});

it('the reconciliation names what is recorded on a closed day afterwards', async () => {
  app.clock.advance(60);
  await takeIn(app, officer, [...sent, { id: 'afterwards', amount: 400, date: '2026-11-20' }]);
  const { differences, days } = await read();
  expect(differences.filter(({ explained }) => explained === null)).toMatchObject([
    { kind: 'late', reference: 'afterwards', there: 400, here: 400 },
  ]);
  expect(days.find(({ day }) => day === DAY)).toEqual({ day: DAY, open: 1, state: 'differs' });
});

it.each([
  ['that was closed', DAY],
  ['that is open', '2026-11-21'],
])('another officer than the payment’s recorder explains its difference: %s', async (_, day) => {
  const entry = { method: 'mtn', reference: `My own ${day}`, amount: 2_000, date: day };
  expect((await pay({ ...built, officer }, 'receipts', entry)).status).toBe(200);
  const seenBy = async (reader: Someone) =>
    (await read(day, reader)).differences.find(({ reference }) => reference === entry.reference);
  const difference = (await seenBy(officer))?.difference ?? '';
  expect([(await seenBy(officer))?.isOwn, (await seenBy(other))?.isOwn]).toEqual([true, false]);
  const refused = await explain(difference, officer, day);
  expect([refused.status, refused.body.code]).toEqual([409, 'OWN_ENTRY']);
  const insider = await buildOfficer(app, { businessId: built.client.person.businessId });
  expect((await explain(difference, insider, day)).body.code).toBe('OWN_BUSINESS');
  expect((await explain(difference, other, day)).status).toBe(200);
});

describe('two statements of a day', () => {
  const genuine = [
    { id: 'G1', amount: 1_000, date: '2026-11-10' },
    { id: 'G2', amount: 2_000, date: '2026-11-10' },
  ];
  const forged = { id: 'F1', amount: 9_000, date: '2026-11-10' };
  const send = (by: Someone, fileName: string, lines: readonly GivenLine[], days = {}) =>
    succeed(sendStatement(by, mtnStatement(lines), { fileName, ...days }));
  const contradicted = async (day: string, reader = officer) =>
    (await read(day, reader)).differences.filter(({ kind }) => kind === 'contradicted');
  const on = (date: string) => ({
    genuine: genuine.map((line) => ({ ...line, id: `${line.id} ${date}`, date })),
    forged: { ...forged, id: `${forged.id} ${date}`, date },
  });

  it.each([
    ['the forged one comes first', '2026-11-10', true],
    ['the forged one comes later', '2026-11-11', false],
  ])('name a line that one of them lacks, with both files: %s', async (_, date, isFirst) => {
    const day = on(date);
    const sent = [
      () => send(officer, 'forged.csv', [...day.genuine, day.forged]),
      () => send(other, 'genuine.csv', day.genuine),
    ];
    for (const next of isFirst ? sent : sent.reverse()) await next();
    const [found, ...more] = await contradicted(date);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ comparison: 'imports', reference: day.forged.id, there: 9_000, here: null });
    expect(found?.imports.map(({ fileName, by, says }) => [fileName, by, says !== null])).toEqual([
      ['forged.csv', 'Odongo Peter', true],
      ['genuine.csv', 'Akello Grace', false],
    ]);
    expect((await explain(found?.difference ?? '', officer, date)).body.code).toBe('OWN_ENTRY');
    expect((await close(other, date)).body.code).toBe('DIFFERENCES_OPEN');
    expect((await explain(found?.difference ?? '', other, date)).status).toBe(200);
  });

  it.each([
    ['comes first', '2026-10-10', true],
    ['comes later', '2026-10-20', false],
  ])('name a line on a day that was exported with nothing on it: the forged one %s', async (_, from, isFirst) => {
    const [quiet, until] = [addDays(from, 3), addDays(from, 4)];
    const genuineDays = [on(from), on(addDays(from, 2))].flatMap(({ genuine: lines }) => lines);
    const sent = [
      () => send(officer, 'forged.csv', [on(quiet).forged]),
      () => send(other, 'genuine.csv', genuineDays, { from, until }),
    ];
    for (const next of isFirst ? sent : sent.reverse()) await next();
    expect(await contradicted(quiet)).toMatchObject([
      { reference: on(quiet).forged.id, imports: [{ fileName: 'forged.csv' }, { fileName: 'genuine.csv' }] },
    ]);
    expect(await contradicted(from)).toEqual([]);
  });

  it.each([
    ['with other words', '2026-09-20', { amount: 1_000, details: 'for A' }],
    ['with another amount', '2026-09-21', { amount: 5_000, details: 'for B' }],
    ['with another payer', '2026-09-22', { amount: 1_000, details: 'for B', name: 'SOMEBODY ELSE' }],
  ])('name a line that they have %s, with what each says', async (_, date, edited) => {
    const line = { id: `E1 ${date}`, amount: 1_000, details: 'for B', date };
    await send(officer, 'edited.csv', [{ ...line, ...edited }]);
    await send(other, 'genuine.csv', [line, { id: `E2 ${date}`, amount: 700, date }]);
    const [found, ...more] = (await contradicted(date)).filter(({ reference }) => reference === line.id);
    expect(more).toEqual([]);
    expect(found?.imports).toMatchObject([
      { fileName: 'edited.csv', says: { details: edited.details, amount: edited.amount } },
      { fileName: 'genuine.csv', says: { details: 'for B', amount: 1_000, payer: 'SOMEBODY' } },
    ]);
    expect((await explain(found?.difference ?? '', officer, date)).body.code).toBe('OWN_ENTRY');
    expect((await explain(found?.difference ?? '', other, date)).status).toBe(200);
    // The same line again stays explained; changed text opens the difference again.
    await send(officer, 'again.csv', [line]);
    expect((await contradicted(date)).filter(({ explained }) => explained === null)).toMatchObject([
      { reference: `E2 ${date}` },
    ]);
    await send(other, 'third.csv', [
      { ...line, details: 'for C' },
      { id: `E2 ${date}`, amount: 700, date },
    ]);
    expect(await contradicted(date)).toContainEqual(expect.objectContaining({ reference: line.id, explained: null }));
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('are compared again where the same file is sent with other days', async () => {
    const [first, last] = ['2026-09-10', '2026-09-14'];
    await send(officer, 'forged.csv', [on('2026-09-12').forged]);
    const sendAgain = (days: object) => send(other, 'genuine.csv', on(first).genuine, days);
    await sendAgain({});
    expect(await contradicted('2026-09-12')).toEqual([]);
    const { body } = await sendAgain({ from: first, until: last });
    expect(body.data).toMatchObject({ lines: 2, before: 2, toMatch: 0 });
    for (let time = 0; time < 2; time += 1) {
      expect(await contradicted('2026-09-12')).toMatchObject([
        { imports: [{ says: { amount: 9_000 } }, { says: null }] },
      ]);
      await sendAgain({ from: first, until: last });
    }
    await send(officer, 'later.csv', [on('2026-09-13').forged]);
    expect(await contradicted('2026-09-13')).toHaveLength(1);
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  describe('for two accounts of a provider', () => {
    const [collection, disbursement] = [{ account: 'collection' }, { account: 'disbursement' }];
    const paidOut = (date: string) => [{ id: `P1 ${date}`, amount: -5_000, date }];

    it('are no difference, whichever comes first, nor with one of both', async () => {
      for (const date of ['2026-08-10', '2026-08-11']) {
        const sent = [
          () => send(officer, 'collections.csv', on(date).genuine, collection),
          () => send(other, 'disbursements.csv', paidOut(date), disbursement),
        ];
        for (const next of date.endsWith('10') ? sent : sent.reverse()) await next();
        await send(other, 'both.csv', [...paidOut(date), ...on(date).genuine]);
        expect(await contradicted(date)).toEqual([]);
      }
    });

    it.each([
      ['comes first', '2026-08-12', true],
      ['comes later', '2026-08-13', false],
    ])('name a line that another one of the same account lacks: the forged one %s', async (_, date, isFirst) => {
      const sent = [
        () => send(officer, 'forged.csv', [...on(date).genuine, on(date).forged], collection),
        () => send(other, 'collections.csv', on(date).genuine, collection),
        () => send(other, 'disbursements.csv', paidOut(date), disbursement),
      ];
      for (const next of isFirst ? sent : sent.reverse()) await next();
      const files = [{ fileName: 'forged.csv' }, { fileName: 'collections.csv' }];
      expect(await contradicted(date)).toMatchObject([{ reference: on(date).forged.id, imports: files }]);
    });

    it.each([
      ['comes first', '2026-08-14', true],
      ['comes later', '2026-08-15', false],
    ])('name a line of one of both that each of them lacks: the forged one %s', async (_, date, isFirst) => {
      const forge = () => send(officer, 'forged.csv', [...on(date).genuine, on(date).forged]);
      if (isFirst) await forge();
      await send(other, 'collections.csv', on(date).genuine, collection);
      if (!isFirst) await forge();
      expect(await contradicted(date)).toEqual([]);
      await send(other, 'disbursements.csv', paidOut(date), disbursement);
      expect(await contradicted(date)).toMatchObject([
        { reference: on(date).forged.id, imports: [{ says: expect.anything() }, { says: null }, { says: null }] },
        { reference: paidOut(date)[0]?.id, imports: [{ fileName: 'disbursements.csv' }, { fileName: 'forged.csv' }] },
      ]);
      expect((await verifyRecord(app.platform)).faults).toEqual([]);
    });

    it('are compared again where a file is sent with another account', async () => {
      const date = '2026-08-16';
      await send(officer, 'collections.csv', on(date).genuine, collection);
      const sendAgain = (account: object) => send(other, 'payouts.csv', paidOut(date), account);
      await sendAgain({});
      expect(await contradicted(date)).toMatchObject([{ lineCount: 2 }]);
      expect((await sendAgain(disbursement)).body.data).toMatchObject({ lines: 1, before: 1 });
    });
  });

  describe('in parts', () => {
    const days = { from: '2026-07-10', until: '2026-07-10' };
    const whole = on('2026-07-10');

    it('are one statement if officer, account and days are the same', async () => {
      await send(officer, 'whole.csv', [...whole.genuine, whole.forged], days);
      await send(other, 'part 1.csv', whole.genuine.slice(0, 1), days);
      expect(await contradicted('2026-07-10')).toMatchObject([{ reference: '2 lines', lineCount: 2, there: 11_000 }]);
      await send(other, 'part 2.csv', whole.genuine.slice(1), days);
      expect(await contradicted('2026-07-10')).toMatchObject([
        {
          reference: whole.forged.id,
          imports: ['whole.csv', 'part 2.csv'].map((fileName) => ({ fileName })),
        },
      ]);
    });

    it('name what none of them has if they come before the whole', async () => {
      const [date, later] = ['2026-07-12', on('2026-07-12')];
      await send(other, 'part 1.csv', later.genuine.slice(0, 1));
      await send(other, 'part 2.csv', later.genuine.slice(1));
      expect(await contradicted(date)).toEqual([]);
      await send(officer, 'forged.csv', [later.forged, ...later.genuine.slice(1)]);
      expect((await contradicted(date)).map(({ reference }) => reference).sort()).toEqual([
        later.forged.id,
        later.genuine[0]?.id,
      ]);
    });

    it('are separate statements for other days, or of another officer', async () => {
      const [date, mixed] = ['2026-07-14', on('2026-07-14')];
      await send(officer, 'first.csv', mixed.genuine.slice(0, 1));
      await send(other, 'second.csv', mixed.genuine.slice(1));
      expect(await contradicted(date)).toHaveLength(2);
      await send(other, 'third.csv', mixed.genuine.slice(0, 1), { from: '2026-07-13' });
      expect(await contradicted(date)).toHaveLength(2);
    });
  });

  it('are no difference if they overlap and agree; nor is one from before the day was over', async () => {
    const [first, second] = [on('2026-11-12'), on('2026-11-13')];
    await send(officer, 'first.csv', [...first.genuine, ...second.genuine]);
    await send(other, 'second.csv', second.genuine);
    const today = on('2026-11-21');
    await send(officer, 'noon.csv', today.genuine);
    await send(other, 'evening.csv', [...today.genuine, today.forged]);
    await send(other, 'backwards.csv', today.genuine.slice(1));
    for (const day of ['2026-11-12', '2026-11-13', '2026-11-21']) expect(await contradicted(day)).toEqual([]);
  });
});

it('the reconciliation names an entry that is there twice, and one on another day', async () => {
  await takeIn(app, officer, [{ id: 'both days', amount: 600, date: '2026-11-18' }]);
  const copy = sql`with entry as (insert into journal_entries (invoice_id, currency_id, kind, amount, occurred_on, method,
      reference, payer, recorded_at, recorded_by)
    select ${built.id}, 1, 'receipt', 600, day, 'mtn', 'both days', 'client', now(), ${officer.person.id}
    from (values (date '2026-11-18')) as given (day) returning id)
    insert into journal_lines (entry_id, account, amount) select id, account, debit from entry,
      (values ('cashMtn', 600), ('advances', -600)) as pair (account, debit)`;
  await copy.execute(app.database.owner.db);
  expect((await read('2026-11-18')).differences).toMatchObject([{ kind: 'twice', reference: 'both days' }]);
});

describe('a payment that names one application and is counted on another', () => {
  const elsewhere = async (day = DAY) =>
    (await read(day, other)).differences.filter(({ kind }) => kind === 'elsewhere');

  it('is a difference where an officer typed it before, which they do not explain', async () => {
    await receipt('Typed on A', 1_000);
    await takeIn(app, other, [{ id: 'Typed on A', amount: 1_000, details: await referenceOf(app, named) }]);
    const [found, ...more] = await elsewhere();
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      reference: 'Typed on A',
      there: 1_000,
      here: 1_000,
      applications: [
        { tag: named.tag, invoiceNumber: named.invoiceNumber, isNamed: true },
        { tag: built.tag, invoiceNumber: built.invoiceNumber, isNamed: false },
      ],
    });
    expect((await explain(found?.difference ?? '', officer)).body.code).toBe('OWN_ENTRY');
    const typed = (await entriesOf(officer, built.tag)).find(({ reference }) => reference === 'Typed on A');
    expect((await reverse(officer, typed?.tag ?? '')).status).toBe(200);
    expect(await elsewhere()).toEqual([]);
  });

  it('is a difference where an officer assigned it, and none on an application that it names, too', async () => {
    const both = `${await referenceOf(app, named)} ${await referenceOf(app, built)}`;
    await takeIn(app, other, [
      { id: 'Assigned to A', amount: 1_000_000, details: await referenceOf(app, named) },
      { id: 'Names both', amount: 1_000, details: both },
      { id: 'Names nobody', amount: 1_000, details: 'ABCD-EFGH' },
    ]);
    for (const id of ['Assigned to A', 'Names both', 'Names nobody']) {
      const line = await waitingLine(officer, id);
      const part = { applicationTag: built.tag, amount: 1_000, payer: 'client' };
      expect((await officer.caller.post(`/received_money/${line?.tag}/assign`, { parts: [part] })).status).toBe(200);
    }
    const [found, ...more] = await elsewhere();
    expect(more).toEqual([]);
    expect(found).toMatchObject({ reference: 'Assigned to A', there: 1_000_000, here: 1_000 });
    expect((await explain(found?.difference ?? '', officer)).body.code).toBe('OWN_ENTRY');
    const third = await buildOfficer(app);
    expect((await explain(found?.difference ?? '', third)).status).toBe(200);
  });
});
