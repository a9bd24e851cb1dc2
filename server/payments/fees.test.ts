import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { buildDisbursedCase, buildOfficer, type PayableCase, stepsOf } from '#testing/case-builders.ts';
import { appOfTest } from '#testing/test-app.ts';
import { sweepFees } from './fees.service.ts';
import { balancesOf, entriesOf, paid, reversePayout } from './payments.harness.ts';

/** Fees by day: 99,000 over 30 days, 3,300 each, for a payout on 20 November 2026. */

const FEE = 9_900_000;
const DAY = 330_000;

const app = appOfTest();
let built: PayableCase;
beforeEach(async () => {
  built = await buildDisbursedCase(app);
});

const earned = async () => 0 - ((await balancesOf(app, built)).feeIncome ?? 0);

/** The fee earned on each day. */
async function days(): Promise<[string, number][]> {
  const { rows } = await sql<{ date: string; amount: number }>`select occurred_on as date, sum(amount) as amount
    from journal_entries where invoice_id = ${built.id} and kind = 'feeEarned' group by 1 order by 1`.execute(
    app.platform.db,
  );
  return rows.map(({ date, amount }) => [date, amount]);
}

describe('a fee', () => {
  it('is earned by day, nothing on the day of the payout, and all of it with the tenor', async () => {
    await sweepFees(app.platform);
    expect(await earned()).toBe(0);
    for (let day = 1; day <= 3; day += 1) {
      app.clock.advance(DAY_SECONDS);
      await sweepFees(app.platform);
      await sweepFees(app.platform);
      expect(await earned()).toBe(day * DAY);
    }
    app.clock.advance(40 * DAY_SECONDS);
    await sweepFees(app.platform);
    expect(await earned()).toBe(FEE);
    expect((await balancesOf(app, built)).feesNotEarned).toBeUndefined();
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('is the same after a week without the job, and by three workers at once', async () => {
    app.clock.advance(7 * DAY_SECONDS);
    await Promise.all([sweepFees(app.platform), sweepFees(app.platform), sweepFees(app.platform)]);
    expect(await days()).toEqual(['21', '22', '23', '24', '25', '26', '27'].map((day) => [`2026-11-${day}`, DAY]));
  });

  it('continues after an early settlement, in nobody’s list and on no timeline', async () => {
    await paid(built, 'receipts', { amount: 900_000 });
    const [entries, steps] = [await entriesOf(built.officer, built.tag), await stepsOf(app, built)];
    app.clock.advance(40 * DAY_SECONDS);
    await sweepFees(app.platform);
    expect(await earned()).toBe(FEE);
    expect(await entriesOf(await buildOfficer(app), built.tag)).toEqual(entries);
    expect(await stepsOf(app, built)).toEqual(steps);
  });

  it('is undone with its payout, and not earned again before the next one', async () => {
    const [payout] = await entriesOf(built.officer, built.tag);
    app.clock.advance(2 * DAY_SECONDS);
    await sweepFees(app.platform);
    const officers = [await buildOfficer(app), await buildOfficer(app)] as const;
    expect((await reversePayout(officers, built, payout?.tag)).status).toBe(200);
    expect(await balancesOf(app, built)).toEqual({});
    await sweepFees(app.platform);
    expect(await balancesOf(app, built)).toEqual({});
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });
});
