import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAXIMUM_AMOUNT_MINOR, numericToMinor } from '#contract/money.ts';
import { fillBatch, MAXIMUM_BATCH } from '#contract/transfers/batches.ts';
import { readConfig } from '#server/config/config.ts';
import { openRails } from '#server/rails/open-rails.ts';
import { writeFile } from './file.ts';
import { rail } from './rail.ts';

const now = { now: () => new Date() };
const open = (env: Record<string, string>) => openRails(readConfig(env, [rail]), now);

describe('the settings', () => {
  it('name our account for each currency; one without is paid by hand', () => {
    const rails = open({ BANK_FILE_UGX: '9030001234567 Kasente Ltd' });
    expect(rails.payingTo('bank', 'UGX')?.paidFrom?.('UGX')).toEqual({ number: '9030001234567', name: 'Kasente Ltd' });
    expect(rails.payingTo('bank', 'USD')).toBeUndefined();
    expect(open({}).payingTo('bank', 'UGX')).toBeUndefined();
    expect(open({}).fileOf('bank')).toBe(writeFile);
  });

  it.each(['9030001234567', '123 Kasente Ltd', '9030001234567 =cmd', 'Kasente Ltd 9030001234567'])(
    'stop the start if they are wrong: %s',
    (BANK_FILE_USD) => {
      expect(() => open({ BANK_FILE_USD })).toThrow(/^BANK_FILE_USD must be the number of your account/);
    },
  );
});

const payout = fc.record({
  reference: fc.constant('ACDEFGH3'),
  amount: fc.integer({ min: 1, max: MAXIMUM_AMOUNT_MINOR }),
  number: fc.stringMatching(/^[0-9]{6,20}$/),
  holderName: fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('=HYPERLINK(1)', '"a",b', '-2+3', 'a\r\nb', '@x'),
  ),
  bankName: fc.option(fc.string()),
});

describe('a file', () => {
  it('is read back with each payout, the sum of all, and nothing that a spreadsheet runs', () => {
    fc.assert(
      fc.property(fc.array(payout, { minLength: 1, maxLength: 20 }), (waiting) => {
        const { payouts, total } = fillBatch(waiting);
        const from = { number: '9030001234567', name: 'Kasente Ltd' };
        const text = writeFile({ number: 12, currency: 'UGX', from, total, payouts });
        const rows: string[][] = parse(text);
        const cells = rows.slice(1, -1);
        expect(cells.map((row) => [row[3], numericToMinor(row[4] ?? '')])).toEqual(
          payouts.map(({ number, amount }) => [number, amount]),
        );
        for (const row of rows) {
          expect(row).toHaveLength(7);
          for (const cell of row) expect(cell).not.toMatch(/^[\s=+\-@'|]/);
        }
        const last = rows.at(-1);
        expect([last?.[0], last?.[1], numericToMinor(last?.[4] ?? '')]).toEqual([
          'TOTAL',
          String(payouts.length),
          total,
        ]);
        expect(payouts.reduce((sum, { amount }) => sum + amount, 0)).toBe(total);
      }),
    );
  });

  it('takes the first ones as long as amounts and files hold them', () => {
    const amounts = fc.array(fc.record({ amount: fc.integer({ min: 1, max: MAXIMUM_AMOUNT_MINOR }) }), {
      maxLength: 600,
    });
    fc.assert(
      fc.property(amounts, (waiting) => {
        const { payouts, total } = fillBatch(waiting);
        expect(payouts).toEqual(waiting.slice(0, payouts.length));
        expect(payouts.length).toBeLessThanOrEqual(MAXIMUM_BATCH);
        expect(total).toBeLessThanOrEqual(MAXIMUM_AMOUNT_MINOR);
        const next = waiting[payouts.length];
        const isFull =
          next === undefined || payouts.length === MAXIMUM_BATCH || total + next.amount > MAXIMUM_AMOUNT_MINOR;
        expect(isFull).toBe(true);
      }),
    );
  });
});
