import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ADVANCE, type Command, command, type Expected, Oracle } from '#contract/payments/derived/oracle.harness.ts';
import type { PaymentsReply } from '#contract/payments/schema.ts';
import { addDays, daysBetween, kampalaDate } from '#contract/time/calendar.ts';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { putOnRecord } from '#server/collections/collections.harness.ts';
import { confirmProposal, ledgerOf, pay, reverseAny, sumsOf } from '#server/payments/payments.harness.ts';
import { buildDisbursedCase, buildOfficer, logInAgain, type PayableCase, succeed } from '#testing/case-builders.ts';
import { rounds } from '#testing/evidence/record.ts';
import { appOfFile } from '#testing/test-app.ts';
import { resetClock } from '#testing/test-platform.ts';
import { sweepDerived } from './derived.service.ts';

/**
 * Random histories over HTTP, compared after each command with the oracle that also judges the contract's functions. A
 * failure prints its seed.
 */

const RUNS = rounds(4, 100);
const PAYOUT = '2026-11-20';
/** The number of days until the due date: Sunday 20 December moves to Monday. */
const DUE = 31;

const app = appOfFile({
  LATE_CHARGE_PER_DAY: '0.37',
  SESSION_IDLE_MINUTES: '720',
  RECEIPTS_ALONE_UP_TO: 'UGX:100000000',
});

/** Without extensions, because the server recomputes their fee after a reversal (late-charges.test.ts). */
const commands = fc.array(
  command.filter(({ do: what }) => what !== 'extend'),
  { minLength: 6, maxLength: 14 },
);

const minor = (amount: number): number => Math.round(amount * 100);

let certificates = 0;

class Walk {
  readonly #built: PayableCase;
  readonly #isPlanted: boolean;
  readonly oracle = new Oracle({ due: DUE, isServer: true });
  /** The tags of the oracle's receipts, in the same order. */
  readonly #receipts: string[] = [];

  constructor(built: PayableCase, isPlanted: boolean) {
    this.#built = built;
    this.#isPlanted = isPlanted;
  }

  /** Runs the command on the server, by officers who have done nothing yet, and on the oracle. */
  async take(given: Command): Promise<void> {
    const built = this.#built;
    const [officer, other] = [await buildOfficer(app), await buildOfficer(app)];
    const today = kampalaDate(app.clock.now());
    switch (given.do) {
      case 'receive': {
        const date = addDays(PAYOUT, Math.max(0, this.oracle.today - (this.#isPlanted ? 0 : given.daysAgo)));
        const answer = pay({ ...built, officer }, 'receipts', { amount: given.amount / 100, date });
        this.#receipts.push((await succeed(answer)).body.data.tag);
        break;
      }
      case 'reverse': {
        const place = given.pick % Math.max(1, this.#receipts.length);
        const tag = this.#receipts[place];
        if (tag === undefined || this.oracle.receipts[place]?.isReversed) return;
        await succeed(reverseAny([officer, other], built, tag));
        break;
      }
      case 'wait':
        app.clock.advance(given.days * DAY_SECONDS);
        if (given.isSwept) await sweepDerived(app.platform);
        break;
      case 'deduct': {
        if (given.amount > minor((await sumsOf(officer, built.tag)).buyerOwes)) return;
        certificates += 1;
        const deduction = { deduction: 'creditNote', certificate: `CN ${certificates}`, date: today };
        await succeed(
          officer.caller.post(`/applications/${built.tag}/deductions`, { ...deduction, amount: given.amount / 100 }),
        );
        break;
      }
      case 'dispute':
      case 'endDispute': {
        const begins = given.do === 'dispute';
        if (this.oracle.isDisputed === begins) return;
        const kind = begins ? 'dispute' : 'disputeEnded';
        const answer = await putOnRecord(officer, built, { kind, note: 'The goods were damaged.' });
        const { outstanding, lost } = this.oracle.now;
        expect(answer.status).toBe(outstanding + lost > 0 ? 200 : 409);
        if (answer.status === 409) return;
        break;
      }
      case 'writeOff': {
        // Charges the days so far first, so that both write off the same amount.
        await this.take({ do: 'wait', days: 0, isSwept: true });
        const { outstanding: amount } = await sumsOf(officer, built.tag);
        if (amount === 0) return;
        const proposal = { amount, reason: 'The buyer is bankrupt' };
        await succeed(officer.caller.post(`/applications/${built.tag}/write_off/propose`, proposal));
        await succeed(confirmProposal(other, built.tag));
        break;
      }
      case 'extend':
        return;
    }
    this.oracle.take(given);
  }

  /** The state of the application according to the API. */
  async read(): Promise<Expected> {
    const built = this.#built;
    await logInAgain(built);
    const sums: PaymentsReply = await sumsOf(built.client, built.tag);
    const [limit] = (await built.client.caller.get('/limits/own')).body;
    return {
      charges: await chargesOf(built),
      outstanding: minor(sums.outstanding),
      lost: minor(sums.lost),
      surplus: minor(sums.surplusOwed),
      deducted: minor(sums.deducted),
      overdueDays: sums.overdue?.days ?? 0,
      used: minor(limit.outstanding),
    };
  }
}

/** The charges in force by the day that they charge, counted from the payout. */
async function chargesOf(built: PayableCase): Promise<Record<number, number>> {
  const entries = await ledgerOf(app, built);
  const reversed = new Set(entries.map(({ reverses }) => reverses));
  const inForce = entries.filter(
    ({ id, kind, reverses }) => kind === 'lateCharge' && reverses === null && !reversed.has(id),
  );
  return Object.fromEntries(inForce.map(({ occurred_on, amount }) => [daysBetween(PAYOUT, occurred_on), amount]));
}

const historyOf = (isPlanted: boolean) =>
  fc.asyncProperty(commands, async (given) => {
    resetClock(app.clock);
    const walk = new Walk(await buildDisbursedCase(app, { advance: ADVANCE }), isPlanted);
    for (const one of [{ do: 'wait', days: 29, isSwept: true } as const, ...given]) {
      await walk.take(one);
      expect(await walk.read()).toEqual(walk.oracle.now);
    }
  });

it('what the API says agrees with the oracle after each command of random histories', async () => {
  await fc.assert(historyOf(false), { numRuns: RUNS, endOnFailure: true });
  expect((await verifyRecord(app.platform)).faults).toEqual([]);
}, 600_000);

it('a server that takes back-dated repayments for today’s would be found (canary)', async () => {
  const { failed } = await fc.check(historyOf(true), { numRuns: 40, endOnFailure: true });
  expect(failed).toBe(true);
}, 600_000);
