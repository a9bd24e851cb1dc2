import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyRecord } from '#server/audit/record.service.ts';
import { entriesOf, reverse } from '#server/payments/payments.harness.ts';
import { ledgerBalances, referenceOf, takeIn, waitingOf } from '#server/statements/statements.harness.ts';
import {
  follow,
  followDue,
  followToTheEnd,
  railOfTest,
  releaseToRail,
  stoppingAt,
  transfersOf,
} from '#server/transfers/transfers.harness.ts';
import { buildOfficer, caseRow, type PayableCase, type Someone, succeed } from '#testing/case-builders.ts';
import { ask } from './requests.harness.ts';

/**
 * A payment by phone counts once, whether its statement comes before, after or at the same time, and wherever a server
 * stops.
 */

const NUMBER = 'MP-8841';
const AMOUNT = 300_000;

const { app, provider } = railOfTest();
let built: PayableCase;
let officer: Someone;
let before: Record<string, number>;
beforeEach(async () => {
  built = await releaseToRail(app);
  await followToTheEnd(app);
  officer = await buildOfficer(app);
  provider.numberOf = () => NUMBER;
  before = await ledgerBalances(app);
  await succeed(ask(built, { amount: AMOUNT }));
});
afterEach(async () => {
  expect((await verifyRecord(app.platform)).faults).toEqual([]);
});

async function requestTag(): Promise<string> {
  return (await transfersOf(app, built)).at(-1)?.tag ?? '';
}

/** The money is once in the cash account and once on the application, and none is in suspense. */
async function expectCountedOnce(): Promise<void> {
  const after = await ledgerBalances(app);
  expect((after.cashMtn ?? 0) - (before.cashMtn ?? 0)).toBe(AMOUNT);
  expect(after.suspense ?? 0).toBe(0);
  expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed', outstanding: (900_000 - AMOUNT) * 100 });
  const transfer = (await transfersOf(app, built)).at(-1);
  expect(transfer).toMatchObject({ state: 'succeeded', provider_reference: NUMBER });
  const entries = await app.platform.db
    .selectFrom('journal_entries')
    .where('reference', '=', NUMBER)
    .selectAll()
    .execute();
  expect(entries.map(({ tag }) => tag)).toContain(transfer?.entry_tag);
}

const line = (details: string) => ({ id: NUMBER, amount: AMOUNT, details, number: '256772345678' });

describe('a payment by phone that is on a statement, too,', () => {
  it('is linked to a line that comes after it', async () => {
    await followToTheEnd(app);
    expect(await takeIn(app, officer, [line(await referenceOf(app, built))])).toMatchObject({ known: 1, toAssign: 0 });
    await expectCountedOnce();
  });

  it('is counted once where the line was credited before it', async () => {
    await followDue(app);
    expect(await takeIn(app, officer, [line(await referenceOf(app, built))])).toMatchObject({ matched: 1 });
    await followToTheEnd(app);
    await expectCountedOnce();
  });

  it('takes a line that waits out of suspense', async () => {
    await followDue(app);
    expect(await takeIn(app, officer, [line('')])).toMatchObject({ matched: 0 });
    expect((await waitingOf(officer)).total).toBe(1);
    await followToTheEnd(app);
    expect((await waitingOf(officer)).total).toBe(0);
    await expectCountedOnce();
  });

  it.each([1, 2, 3, 4, 5, 6])('is counted once where the line comes at the same moment: time %i', async () => {
    provider.sending = ['paid'];
    const [tag, details] = [await requestTag(), await referenceOf(app, built)];
    await Promise.all([follow(app.platform, tag), takeIn(app, officer, [line(details)]), follow(app.platform, tag)]);
    await followToTheEnd(app);
    await expectCountedOnce();
  });

  it.each([
    ['after it', { isAfter: true, isNamed: true }],
    ['before it, and waits', { isAfter: false, isNamed: false }],
    ['before it, and was credited by its reference', { isAfter: false, isNamed: true }],
  ])(
    'counts whole where the line has less and comes %s, and its day names the difference',
    async (_, { isAfter, isNamed }) => {
      const short = { ...line(isNamed ? await referenceOf(app, built) : ''), amount: AMOUNT - 1 };
      await (isAfter ? followToTheEnd(app) : followDue(app));
      await takeIn(app, officer, [short]);
      await followToTheEnd(app);
      await expectCountedOnce();
      const day = new URLSearchParams({ rail: 'mtn', currency: 'UGX', day: '2026-11-20' });
      const { body } = await succeed(officer.caller.get(`/reconciliation?${day.toString()}`));
      expect(body.differences.filter(({ reference }: { readonly reference: string }) => reference === NUMBER)).toEqual([
        expect.objectContaining({ comparison: 'statement', kind: 'amount', there: AMOUNT - 1, here: AMOUNT }),
      ]);
    },
  );

  it('counts once a line that went to another application is reversed', async () => {
    const asked = (await transfersOf(app, built)).at(-1)?.reference;
    provider.numberOf = (reference) => (reference === asked ? NUMBER : `MP${reference}`);
    const other = await releaseToRail(app);
    provider.sending = ['taken', 'paid'];
    await followDue(app);
    before = await ledgerBalances(app);
    await takeIn(app, officer, [line('')]);
    const [arrival] = (await waitingOf(officer)).received;
    const part = { applicationTag: other.tag, amount: AMOUNT, payer: 'client' };
    await succeed(officer.caller.post(`/received_money/${arrival?.tag}/assign`, { parts: [part] }));
    app.clock.advance(10);
    await followDue(app);
    expect((await transfersOf(app, built)).at(-1)).toMatchObject({ state: 'unknown', entry_tag: null });
    const wrong = (await entriesOf(officer, other.tag)).find(({ reference }) => reference === NUMBER);
    await succeed(reverse(officer, wrong?.tag ?? ''));
    await followToTheEnd(app);
    await expectCountedOnce();
  });

  it('goes to suspense when the receipt is reversed', async () => {
    await followToTheEnd(app);
    await takeIn(app, officer, [line(await referenceOf(app, built))]);
    const { entry_tag: entry } = (await transfersOf(app, built)).at(-1) ?? {};
    await succeed(reverse(officer, entry ?? ''));
    expect((await waitingOf(officer)).total).toBe(1);
    expect(await caseRow(app, built)).toMatchObject({ outstanding: 90_000_000 });
  });
});

describe('a payment by phone whose server stops', () => {
  it.each([
    ['before it sends', { at: 'send', isMade: false }],
    ['after it sent', { at: 'send', isMade: true }],
    ['before it asks', { at: 'ask', isMade: false }],
    ['after it asked', { at: 'ask', isMade: true }],
  ] as const)('%s is counted once', async (_, { at, isMade }) => {
    const tag = await requestTag();
    if (at === 'ask') {
      await follow(app.platform, tag);
      app.clock.advance(10);
    }
    await follow(stoppingAt(app.platform, isMade), tag).catch(() => undefined);
    await followToTheEnd(app);
    await expectCountedOnce();
    const reference = (await transfersOf(app, built)).at(-1)?.reference ?? '';
    expect(provider.paid.get(reference)).toBe(AMOUNT * 100);
    expect(provider.book.size).toBe(2); // the payout and this request
  });

  it('is counted once by servers that all learn the end at once', async () => {
    provider.sending = ['paid'];
    const tag = await requestTag();
    await Promise.all(Array.from({ length: 8 }, () => follow(app.platform, tag)));
    app.clock.advance(60);
    await Promise.all(Array.from({ length: 8 }, () => follow(app.platform, tag)));
    await expectCountedOnce();
  });
});
