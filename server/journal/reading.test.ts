import { beforeAll, describe, expect, it } from 'vitest';
import type { AccountJournal, ApplicationJournal, TrialBalance } from '#contract/journal/schema.ts';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { sweepFees } from '#server/payments/fees.service.ts';
import { balancesOf, paid, reverse } from '#server/payments/payments.harness.ts';
import { buildDisbursedCase, buildOfficer, type PayableCase, type Someone } from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';

const app = appOfFile();
let officer: Someone;
let built: PayableCase;
beforeAll(async () => {
  officer = await buildOfficer(app);
  built = await buildDisbursedCase(app);
  const mistaken = await paid(built, 'receipts', { amount: 300_000.5 });
  await reverse(officer, mistaken);
  await paid(built, 'receipts', { amount: 900_000 });
});

describe('the journal of an application', () => {
  it('has every entry with its lines, which sum to 0, and the balance of each account after them', async () => {
    const { body } = await officer.caller.get(`/applications/${built.tag}/journal`);
    const { currency, entries }: ApplicationJournal = body;
    expect(currency).toBe('UGX');
    expect(entries.map(({ kind, isReversal, date }) => [kind, isReversal, date])).toEqual([
      ['disbursement', false, '2026-11-20'],
      ['receipt', false, '2026-11-20'],
      ['receipt', true, '2026-11-20'],
      ['receipt', false, '2026-11-20'],
    ]);
    for (const { lines } of entries) expect(lines.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(0);
    const last = Object.fromEntries(
      entries.flatMap(({ lines }) => lines.map(({ account, balance }) => [account, Math.round(Number(balance) * 100)])),
    );
    const open = Object.fromEntries(Object.entries(last).filter(([, balance]) => balance !== 0));
    expect(open).toEqual(await balancesOf(app, built));
  });

  it('is not the client’s to read, and there is none of what does not exist', async () => {
    expect((await built.client.caller.get(`/applications/${built.tag}/journal`)).status).toBe(403);
    expect((await officer.caller.get(`/applications/${crypto.randomUUID()}/journal`)).status).toBe(404);
  });
});

describe('the journal of an account', () => {
  const page = async (query: string): Promise<AccountJournal> =>
    (await officer.caller.get(`/journal/accounts/cashBank?currency=UGX${query}`)).body;

  it('is by page and date, newest first, with the running balance across pages', async () => {
    for (let count = 0; count < 55; count += 1) await paid(built, 'receipts', { amount: 1, date: '2026-11-20' });
    app.clock.advance(DAY_SECONDS);
    officer = await buildOfficer(app);
    const next = { ...built, officer };
    await paid(next, 'receipts', { amount: 7, date: '2026-11-21' });
    await paid(next, 'receipts', { amount: 3, date: '2026-11-20' });
    const first = await page('');
    expect(first.lines).toHaveLength(50);
    const second = await page(`&before=${first.next}`);
    expect([second.next, second.lines.length]).toEqual([null, 60 - 50]);
    const lines = [...first.lines, ...second.lines].toReversed();
    expect(lines.map(({ date }) => date)).toEqual(lines.map(({ date }) => date).toSorted());
    expect(lines.slice(-2).map(({ amount }) => amount)).toEqual(['3.00', '7.00']);
    let balance = 0;
    for (const line of lines) {
      balance += Number(line.amount);
      expect(Number(line.balance)).toBe(balance);
      expect([line.applicationTag, line.client === null]).toEqual([built.tag, false]);
    }
    expect(balance).toBe(900_065);
    expect((await officer.caller.get('/journal/accounts/gold?currency=UGX')).status).toBe(404);
    expect((await officer.caller.get('/journal/accounts/cashBank?currency=USD')).body.lines).toEqual([]);
  });
});

describe('the trial balance', () => {
  const on = async (day: string): Promise<TrialBalance> =>
    (await (await buildOfficer(app, { perms: ['KADMIN'] })).caller.get(`/journal/trial_balance?on=${day}`)).body;

  it('is of any day, and debits equal credits on each', async () => {
    expect((await on('2026-11-19')).currencies).toEqual([]);
    const before = await on('2026-11-20');
    app.clock.advance(2 * DAY_SECONDS);
    await sweepFees(app.platform);
    expect(await on('2026-11-20')).toEqual(before);
    for (const day of ['2026-11-20', '2026-11-21', '2026-11-23']) {
      const [ugx] = (await on(day)).currencies;
      expect(Number(ugx?.debit)).toBeGreaterThan(0);
      expect(ugx?.debit).toBe(ugx?.credit);
    }
    const [ugx] = (await on('2026-11-22')).currencies;
    expect(ugx?.accounts).toContainEqual({ account: 'feeIncome', kind: 'income', debit: '0.00', credit: '6600.00' });
  });

  it('is the administrators’, and refuses what is no day', async () => {
    expect((await (await buildOfficer(app)).caller.get('/journal/trial_balance')).status).toBe(403);
    const again = await buildOfficer(app, { perms: ['KADMIN'] });
    expect((await again.caller.get('/journal/trial_balance?on=2026-02-30')).status).toBe(400);
    expect((await again.caller.get('/journal/trial_balance')).body.on).toBe('2026-11-23');
  });
});
