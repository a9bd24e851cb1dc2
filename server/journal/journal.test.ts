import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { accounts } from '#contract/journal/accounts.ts';
import { linesBetween, type Posted, positionOf } from '#contract/journal/position.ts';
import { balancesOf, paid, pay, reverse } from '#server/payments/payments.harness.ts';
import { type BuiltCase, buildDisbursedCase } from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';

const app = appOfFile();

const TERMS = { faceValue: 100_000_000, advance: 90_000_000, netProceeds: 80_100_000 };

function balancesBy(standing: readonly Posted[]): Record<string, number> {
  return Object.fromEntries(
    linesBetween({}, positionOf(TERMS, standing)).map(({ account, amount }) => [account, amount]),
  );
}

const payout: Posted = { kind: 'disbursement', amount: 80_100_000, method: 'mtn', carried: 0 };
const received = (amount: number, payer: 'buyer' | 'client'): Posted => ({
  kind: 'receipt',
  amount: Math.round(amount * 100),
  method: 'bank',
  payer,
  rounded: 0,
});

describe('the journal', () => {
  it('has the chart of accounts of the contract', async () => {
    const rows = await app.platform.db.selectFrom('journal_accounts').selectAll().execute();
    expect(Object.fromEntries(rows.map(({ code, ...account }) => [code, account]))).toEqual(accounts);
  });

  it('says after each payment and each reversal what follows from those in force', async () => {
    const built = await buildDisbursedCase(app);
    expect(await balancesOf(app, built)).toEqual(balancesBy([payout]));
    const part = await paid(built, 'receipts', { amount: 300_000, payer: 'client' });
    expect(await balancesOf(app, built)).toEqual(balancesBy([payout, received(300_000, 'client')]));
    const rest = await paid(built, 'receipts', { amount: 1_000_000 });
    const both = [payout, received(300_000, 'client'), received(1_000_000, 'buyer')];
    expect(await balancesOf(app, built)).toEqual(balancesBy(both));
    expect((await reverse(built.officer, part)).status).toBe(200);
    expect(await balancesOf(app, built)).toEqual(balancesBy([payout, received(1_000_000, 'buyer')]));
    expect((await reverse(built.officer, rest)).status).toBe(200);
    expect(await balancesOf(app, built)).toEqual(balancesBy([payout]));
  });

  it('balances for twenty payments at once, and nothing is lost', async () => {
    const built = await buildDisbursedCase(app);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => pay(built, 'receipts', { amount: 10_000, payer: 'client' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await balancesOf(app, built)).toEqual(
      balancesBy([payout, ...answers.map(() => received(10_000, 'client'))]),
    );
  });
});

describe('the database', () => {
  const entry = (built: BuiltCase) => ({
    invoice_id: built.id,
    currency_id: 1,
    kind: 'receipt' as const,
    amount: '5.00',
    occurred_on: '2026-11-20',
    method: 'bank' as const,
    reference: 'by hand',
    payer: 'buyer' as const,
    recorded_at: app.clock.now(),
    recorded_by: built.officer.person.id,
  });
  const enter = (built: BuiltCase, lines: readonly (readonly ['cashBank' | 'advances', string])[]) =>
    app.platform.db.inTransaction(async (change) => {
      const { id } = await change
        .insertInto('journal_entries')
        .values(entry(built))
        .returning('id')
        .executeTakeFirstOrThrow();
      for (const [account, amount] of lines)
        await change.insertInto('journal_lines').values({ entry_id: id, account, amount }).execute();
    });

  it.each([
    ['no lines', []],
    ['one line', [['cashBank', '5.00']]],
    [
      'lines that are a cent apart',
      [
        ['cashBank', '5.00'],
        ['advances', '-4.99'],
      ],
    ],
  ] as const)('refuses an entry with %s', async (_, lines) => {
    const built = await buildDisbursedCase(app);
    await expect(enter(built, lines)).rejects.toThrow(/has \d lines that sum to/);
    expect(await balancesOf(app, built)).toEqual(balancesBy([payout]));
  });

  it('refuses a line that comes after its entry, also a pair that balances', async () => {
    const built = await buildDisbursedCase(app);
    const late = sql`insert into journal_lines (entry_id, account, amount)
      select id, account, debit from journal_entries, (values ('rounding', 5), ('suspense', -5)) as pair (account, debit)
      where invoice_id = ${built.id}`;
    await expect(late.execute(app.platform.db)).rejects.toThrow(/is closed/);
  });

  it('refuses to change or delete entries and lines', async () => {
    const { db } = app.database.owner;
    await expect(db.updateTable('journal_entries').set({ reference: 'other' }).execute()).rejects.toThrow(
      'append-only',
    );
    await expect(db.deleteFrom('journal_entries').execute()).rejects.toThrow('append-only');
    await expect(db.updateTable('journal_lines').set({ amount: '1.00' }).execute()).rejects.toThrow('append-only');
    await expect(db.deleteFrom('journal_lines').execute()).rejects.toThrow('append-only');
  });
});
