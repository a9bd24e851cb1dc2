import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyRecord } from '#server/audit/record.service.ts';
import { balancesOf, entriesOf, paid, pay, reverse } from '#server/payments/payments.harness.ts';
import { followImports } from '#server/statements/matching/after-import.service.ts';
import {
  buildApprovedCase,
  buildDisbursedCase,
  buildOfficer,
  buildSettledCase,
  caseRow,
  messagesTo,
  type Someone,
  stepsOf,
} from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { ledgerBalances, referenceOf, takeIn, waitingLine } from './statements.harness.ts';

const app = appOfFile();
let officer: Someone;
beforeAll(async () => {
  officer = await buildOfficer(app);
});

let next = 0;
let id: string;
beforeEach(() => {
  next += 1;
  id = `M${next}`;
});

describe('what names an application', () => {
  it('is credited by Kasente itself, settles it and tells the client; cash and suspense hold', async () => {
    const built = await buildDisbursedCase(app);
    const before = await ledgerBalances(app);
    await takeIn(app, officer, [
      { id, amount: 500_000, details: await referenceOf(app, built), number: '+256 772 000111' },
      { id: `${id}b`, amount: 400_000, details: `(${(await referenceOf(app, built)).toLowerCase()})` },
    ]);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled', outstanding: 0, settled_on: '2026-11-20' });
    const steps = await stepsOf(app, built);
    expect(steps.slice(-2).map(({ by_person }) => by_person)).toEqual([null, null]);
    expect(steps.map(({ note }) => note)).toContain('UGX 500,000 from ••• 111');
    const messages = await messagesTo(app, built.client);
    expect(JSON.stringify(messages)).toMatch(/Fully paid back/);
    const after = await ledgerBalances(app);
    expect((after.cashMtn ?? 0) - (before.cashMtn ?? 0)).toBe(900_000);
    expect(after.suspense ?? 0).toBe(before.suspense ?? 0);
    expect(await balancesOf(app, built)).toMatchObject({ suspense: 90_000_000 });
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('may be more than is owed: the rest belongs to the client, also after it was settled', async () => {
    const built = await buildDisbursedCase(app);
    const details = await referenceOf(app, built);
    await takeIn(app, officer, [{ id, amount: 950_000, details }]);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled', surplus_owed: 5_000_000 });
    expect(await takeIn(app, officer, [{ id: `${id}b`, amount: 20_000, details }])).toMatchObject({ matched: 1 });
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled', surplus_owed: 7_000_000 });
  });

  it('is the buyer’s where the name is theirs, else the client’s', async () => {
    const built = await buildDisbursedCase(app);
    const buyer = await app.platform.db
      .selectFrom('businesses')
      .where('id', '=', built.buyerId)
      .select('name')
      .executeTakeFirstOrThrow();
    const details = await referenceOf(app, built);
    await takeIn(app, officer, [
      { id, amount: 100_000, details, name: buyer.name.toUpperCase().replaceAll(',', ' ') },
      { id: `${id}b`, amount: 100_000, details, name: 'A STRANGER' },
    ]);
    const entries = await entriesOf(officer, built.tag);
    expect(
      entries
        .slice(1)
        .map(({ reference, payer }) => [reference, payer])
        .sort(),
    ).toEqual([
      [id, 'buyer'],
      [`${id}b`, 'client'],
    ]);
  });

  it('waits where more than the whole invoice would be paid', async () => {
    const built = await buildDisbursedCase(app);
    const said = await takeIn(app, officer, [{ id, amount: 9_000_000, details: await referenceOf(app, built) }]);
    expect(said).toMatchObject({ matched: 0, toAssign: 1 });
    expect(await waitingLine(officer, id)).toMatchObject({ why: 'large', suggestions: [{ tag: built.tag }] });
  });

  it('waits where the application is not paid out, or in another currency', async () => {
    const approved = await buildApprovedCase(app);
    const dollars = await buildDisbursedCase(app);
    await sql`update invoices set currency_id = 2 where id = ${dollars.id}`.execute(app.database.owner.db);
    await takeIn(app, officer, [
      { id, amount: 5_000, details: await referenceOf(app, approved) },
      { id: `${id}b`, amount: 5_000, details: await referenceOf(app, dollars) },
      { id: `${id}c`, amount: 5_000, details: await referenceOf(app, dollars), date: '2026-11-19' },
    ]);
    expect(await waitingLine(officer, id)).toMatchObject({ why: 'notPaidOut', suggestions: [] });
    expect(await waitingLine(officer, `${id}b`)).toMatchObject({ why: 'otherCurrency', suggestions: [] });
    await sql`update invoices set currency_id = 1 where id = ${dollars.id}`.execute(app.database.owner.db);
    expect(await waitingLine(officer, `${id}c`)).toMatchObject({ why: 'beforePayout', suggestions: [] });
  });

  it('is not credited again after a reversal: an officer decides', async () => {
    const built = await buildDisbursedCase(app);
    await takeIn(app, officer, [{ id, amount: 100_000, details: await referenceOf(app, built) }]);
    const [, receipt] = await entriesOf(officer, built.tag);
    expect((await reverse(officer, receipt?.tag ?? '')).status).toBe(200);
    await followImports(app.platform);
    expect(await waitingLine(officer, id)).toMatchObject({ left: 100_000, why: 'assignedBefore' });
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('is credited by the sweep if a server did not come to it, once for however many workers', async () => {
    const built = await buildApprovedCase(app);
    const details = await referenceOf(app, built);
    await takeIn(app, officer, [{ id, amount: 100_000, details }]);
    await paid(built, 'disbursement', { date: '2026-11-20' });
    await Promise.all([1, 2, 3].map(() => followImports(app.platform)));
    const entries = await entriesOf(officer, built.tag);
    expect(entries.filter(({ kind }) => kind === 'receipt')).toMatchObject([{ amount: 100_000, reference: id }]);
  });
});

describe('money that is only nearly or probably somebody’s', () => {
  it('is proposed by a mistyped or swapped reference, and not credited', async () => {
    const built = await buildDisbursedCase(app);
    const reference = await referenceOf(app, built);
    const place = Array.from(reference).findIndex((one, at) => one !== reference[at + 1]);
    const swapped = `${reference.slice(0, place)}${reference[place + 1]}${reference[place]}${reference.slice(place + 2)}`;
    const mistyped = `${reference.slice(0, 7)}${reference.endsWith('A') ? 'C' : 'A'}`;
    const said = await takeIn(app, officer, [
      { id, amount: 5_000, details: swapped },
      { id: `${id}b`, amount: 5_000, details: mistyped },
    ]);
    expect(said).toMatchObject({ matched: 0, toAssign: 2 });
    for (const line of [id, `${id}b`])
      expect(await waitingLine(officer, line)).toMatchObject({ why: 'mistyped', suggestions: [{ tag: built.tag }] });
  });

  it('is proposed by exactly what is owed and a number of the client, and by no other number', async () => {
    const built = await buildDisbursedCase(app);
    await pay(built, 'receipts', { amount: 123_456 });
    const number = `256${built.client.person.username.slice(1)}`;
    await takeIn(app, officer, [
      { id, amount: 776_544, number },
      { id: `${id}b`, amount: 776_544, number: '256700000000' },
      { id: `${id}c`, amount: 776_543, number },
    ]);
    expect(await waitingLine(officer, id)).toMatchObject({
      why: 'exactAmount',
      suggestions: [{ tag: built.tag, reasons: ['number', 'amount'] }],
    });
    for (const line of [`${id}b`, `${id}c`])
      expect(await waitingLine(officer, line)).toMatchObject({ why: 'noReference' });
  });

  it('is split by an officer if it has several references', async () => {
    const [one, other] = [await buildDisbursedCase(app), await buildDisbursedCase(app)];
    const details = `${await referenceOf(app, one)} ${await referenceOf(app, other)}`;
    await takeIn(app, officer, [{ id, amount: 5_000, details }]);
    const line = await waitingLine(officer, id);
    expect(line?.why).toBe('several');
    expect(line?.suggestions.map(({ tag }) => tag).sort()).toEqual([one.tag, other.tag].sort());
  });

  it('is proposed for a settled application where it exceeds the invoice', async () => {
    const built = await buildSettledCase(app);
    await takeIn(app, officer, [{ id, amount: 500_000, details: await referenceOf(app, built) }]);
    expect(await waitingLine(officer, id)).toMatchObject({ why: 'large', suggestions: [{ tag: built.tag }] });
  });
});
