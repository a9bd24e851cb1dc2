import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { systemActor } from '#server/calls/caller.ts';
import { putOnRecord, toDaysAfterDue } from '#server/collections/collections.harness.ts';
import { lockForSweep } from '#server/invoices/invoices.service.ts';
import { selectStanding } from '#server/journal/journal.queries.ts';
import { postReversal, recordEntry } from '#server/journal/journal.service.ts';
import {
  balancesOf,
  entriesOf,
  ledgerOf,
  paid,
  reverse,
  reversePayout,
  sumsOf,
} from '#server/payments/payments.harness.ts';
import { setOutstanding } from '#server/payments/proposals/proposals.queries.ts';
import {
  acceptOffer,
  type BuiltCase,
  buildCounterOfferedCase,
  buildDisbursedCase,
  buildOfficer,
  buildSubmittedCase,
  caseRow,
  logInAgain,
  MORE_TIME,
  onDesk,
  type PayableCase,
  succeed,
} from '#testing/case-builders.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';
import { resetClock } from '#testing/test-platform.ts';
import { sweepDerived } from './derived.service.ts';

/** Late charges: UGX 900,000 are due on Monday 21 December 2026; each late day costs 0.1 %, UGX 900. */

const SETTINGS = { LATE_CHARGE_PER_DAY: '0.1', SESSION_IDLE_MINUTES: '720' };
const DAY = 90_000;

const app = appOfFile(SETTINGS);
beforeEach(() => resetClock(app.clock));
let built: PayableCase;
beforeEach(async () => {
  built = await buildDisbursedCase(app);
});
afterEach(async () => {
  expect((await verifyRecord(app.platform)).faults).toEqual([]);
});

const charged = async () => 0 - ((await balancesOf(app, built)).lateCharges ?? 0);
const outstanding = async () => (await caseRow(app, built)).outstanding;

/** Runs the sweep some days after the due date. */
async function sweepAt(days: number): Promise<void> {
  toDaysAfterDue(app, days);
  await sweepDerived(app.platform);
}

/** A repayment recorded by an officer who has just logged in, dated today or another day. */
async function receive(amount: number, date?: string): Promise<string> {
  const today = new Date(app.clock.now()).toISOString().slice(0, 10);
  return paid({ ...built, officer: await buildOfficer(app) }, 'receipts', { amount, date: date ?? today });
}

/** One officer offers 15 more days, another agrees, and the client accepts. */
async function giveMoreTime(): Promise<void> {
  const [first, second] = [await buildOfficer(app), await buildOfficer(app)];
  await succeed(onDesk(first, built.tag, 'offer_extension', MORE_TIME));
  const read = async (who: BuiltCase['client'] | typeof second) =>
    (await succeed(who.caller.get(`/applications/${built.tag}/extension`))).body.offer;
  await succeed(onDesk(second, built.tag, 'agree_extension', { keyFactsVersion: (await read(second)).version }));
  await logInAgain(built);
  const offer = await read(built.client);
  const { atMost, perDay } = (await sumsOf(built.client, built.tag)).lateCharge;
  expect(offer.facts.ifLate).toContain(
    `Each day late adds 0.1 % of what is unpaid without fees, UGX ${perDay} at first. ` +
      `It never adds more than UGX ${atMost.toLocaleString('en')} in all.`,
  );
  await succeed(
    built.client.caller.post(`/applications/${built.tag}/accept_extension`, { keyFactsVersion: offer.version }),
  );
}

describe('a late advance', () => {
  it('costs nothing up to the due date, and its share each day after it', async () => {
    for (const [days, sum] of [
      [-1, 0],
      [0, 0],
      [1, DAY],
      [2, 2 * DAY],
      [9, 9 * DAY],
    ] as const) {
      await sweepAt(days);
      await sweepDerived(app.platform);
      expect(await charged()).toBe(sum);
      expect(await outstanding()).toBe(90_000_000 + sum);
    }
  });

  it('costs the same after a week without the job, and by three workers at once', async () => {
    toDaysAfterDue(app, 7);
    await Promise.all([1, 2, 3].map(() => sweepDerived(app.platform)));
    expect(await charged()).toBe(7 * DAY);
  });

  it('is never more than half of the advance', async () => {
    await sweepAt(700);
    expect(await charged()).toBe(45_000_000);
    await sweepAt(701);
    expect(await charged()).toBe(45_000_000);
  });

  it('is shown to client and officer with its days, and is no line for each of them', async () => {
    await sweepAt(3);
    await logInAgain(built);
    const lateCharge = { charged: 2_700, days: 3, perDay: 900, atMost: 450_000 };
    for (const who of [built.client, await buildOfficer(app)]) {
      expect(await sumsOf(who, built.tag)).toMatchObject({ outstanding: 902_700, lateCharge });
      expect((await entriesOf(who, built.tag)).map(({ kind }) => kind)).toEqual(['disbursement']);
    }
  });
});

describe('a repayment', () => {
  it('pays the advance first: what was charged then costs nothing more, and settles by being paid', async () => {
    await sweepAt(2);
    await receive(900_000);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed', outstanding: 2 * DAY });
    await sweepAt(20);
    expect(await charged()).toBe(2 * DAY);
    await receive(1_800);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled', outstanding: 0 });
    await sweepAt(40);
    expect(await charged()).toBe(2 * DAY);
  });

  it('counts from the day on which it came, also where it is recorded later', async () => {
    await sweepAt(6);
    await receive(900_000, '2026-12-23');
    expect(await charged()).toBe(2 * DAY);
    await receive(1_800);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled', outstanding: 0 });
  });

  it('finds the days charged that no job has charged yet', async () => {
    toDaysAfterDue(app, 5);
    await receive(900_000);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed', outstanding: 5 * DAY });
  });

  it('leaves its days unpaid once it is reversed', async () => {
    await sweepAt(1);
    const receipt = await receive(900_000);
    await sweepAt(3);
    expect(await charged()).toBe(DAY);
    await succeed(reverse(await buildOfficer(app), receipt));
    expect(await charged()).toBe(3 * DAY);
  });

  it('charges all its days again once it is reversed, so that the amount shown settles', async () => {
    await sweepAt(20);
    for (const [amount, date] of [
      [900_000, '2026-12-21'],
      [400_000, '2026-12-31'],
      [900_000, '2026-11-20'],
    ] as const) {
      const receipt = await receive(amount, date);
      expect(await charged()).toBeLessThan(20 * DAY);
      await succeed(reverse(await buildOfficer(app), receipt));
      expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed', outstanding: 90_000_000 + 20 * DAY });
    }
    await receive(918_000);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled', outstanding: 0, surplus_owed: 0 });
  });

  it('counts by its day, whatever is recorded and reversed in which order', async () => {
    await sweepAt(10);
    const first = await receive(400_000, '2026-12-23');
    const second = await receive(500_000, '2026-12-25');
    expect(await charged()).toBe(2 * DAY + 2 * 50_000);
    await succeed(reverse(await buildOfficer(app), first));
    expect(await charged()).toBe(4 * DAY + 6 * 40_000);
    await receive(400_000, '2026-12-22');
    expect(await charged()).toBe(DAY + 3 * 50_000);
    await succeed(reverse(await buildOfficer(app), second));
    expect(await charged()).toBe(DAY + 9 * 50_000);
  });

  it('is reversed without its extra only where the days that it made free leave that extra', async () => {
    await sweepAt(20);
    await receive(918_000);
    const early = await receive(900_000, '2026-12-21');
    expect(await caseRow(app, built)).toMatchObject({ surplus_owed: 91_800_000 });
    await paid({ ...built, officer: await buildOfficer(app), payer: await buildOfficer(app) }, 'surplus', {
      date: '2027-01-10',
    });
    expect((await reverse(await buildOfficer(app), early)).body.code).toBe('SURPLUS_EXISTS');
  });

  it('leaves no day uncharged for the sweep, although the day has a charge that was reversed', async () => {
    await sweepAt(2);
    await app.platform.db.inTransaction(async (change) => {
      // As left by a release that reversed receipts without charging their days again.
      const [charge] = await ledgerOf(app, built).then((entries) =>
        entries.filter(({ kind }) => kind === 'lateCharge').slice(-1),
      );
      const standing = await selectStanding(change, built.tag);
      const original = standing.find(({ id }) => id === charge?.id);
      const invoice = await lockForSweep(change, built.tag);
      if (invoice?.application == null || original === undefined) throw new Error('there is no charge');
      const work = { change, caller: systemActor('a test', app.clock.now()) };
      const account = { invoice, application: invoice.application, standing };
      const given = { original, reason: 'A mistake', date: original.date };
      recordEntry(work, invoice, postReversal(work, account, given));
      setOutstanding(change, invoice.id, 90_000_000 + DAY);
    });
    await sweepDerived(app.platform);
    expect(await charged()).toBe(2 * DAY);
  });
});

describe('what is written off', () => {
  /** Writes off the debt at once, by two officers. */
  async function writeOff(): Promise<void> {
    const [one, two] = [await buildOfficer(app), await buildOfficer(app)];
    const { outstanding: amount } = await sumsOf(one, built.tag);
    const call = (by: typeof one, what: string, body: object) =>
      succeed(by.caller.post(`/applications/${built.tag}/write_off/${what}`, body));
    await call(one, 'propose', { amount, reason: 'The buyer is bankrupt' });
    await call(two, 'confirm', { proposalTag: (await sumsOf(two, built.tag)).proposal.tag });
  }
  const lost = async () => (await sumsOf(await buildOfficer(app), built.tag)).lost;

  it('is never charged for days that no job had charged, whatever is recorded and reversed later', async () => {
    toDaysAfterDue(app, 75);
    await writeOff();
    const receipt = await receive(100_000.5);
    expect(await lost()).toBe(799_999.5);
    await receive(300_000, '2026-12-28');
    expect(await lost()).toBe(499_999.5);
    await succeed(reverse(await buildOfficer(app), receipt));
    expect(await lost()).toBe(600_000);
    await sweepAt(90);
    expect(await charged()).toBe(0);
  });

  it('keeps the days that were charged, by the payments that are known', async () => {
    await sweepAt(10);
    await writeOff();
    expect(await lost()).toBe(909_000);
    const receipt = await receive(450_000, '2026-12-26');
    expect(await lost()).toBe(909_000 - 450_000 - 5 * 450);
    await succeed(reverse(await buildOfficer(app), receipt));
    expect(await lost()).toBe(909_000);
    await sweepAt(30);
    expect(await lost()).toBe(909_000);
    await receive(909_000);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Settled', outstanding: 0, surplus_owed: 0 });
  });

  it('is charged again for what is outstanding once a receipt from before it is reversed', async () => {
    await sweepAt(4);
    const receipt = await receive(500_000);
    await sweepAt(5);
    await writeOff();
    await sweepAt(10);
    await succeed(reverse(await buildOfficer(app), receipt));
    // Four days of 900,000; on the fifth, the receipt counted. The write-off of 404,000 leaves 496,000 of the advance.
    expect(await charged()).toBe(5 * DAY + 5 * 49_600);
    expect((await sumsOf(await buildOfficer(app), built.tag)).outstanding).toBe(500_500 + 5 * 496);
  });
});

describe('no day is charged', () => {
  it('while the buyer disputes the invoice', async () => {
    await sweepAt(1);
    const officer = await buildOfficer(app);
    await succeed(putOnRecord(officer, built, { kind: 'dispute', note: 'The goods were damaged.' }));
    await sweepAt(5);
    expect(await charged()).toBe(DAY);
    await succeed(putOnRecord(await buildOfficer(app), built, { kind: 'disputeEnded', note: 'They were replaced.' }));
    await sweepAt(7);
    expect(await charged()).toBe(3 * DAY);
  });

  it('while a write-off waits, so that its amount stays, nor after it', async () => {
    await sweepAt(1);
    const body = { amount: 900_900, reason: 'The buyer is bankrupt' };
    await succeed((await buildOfficer(app)).caller.post(`/applications/${built.tag}/write_off/propose`, body));
    await sweepAt(5);
    const other = await buildOfficer(app);
    const { proposal } = await sumsOf(other, built.tag);
    await succeed(other.caller.post(`/applications/${built.tag}/write_off/confirm`, { proposalTag: proposal.tag }));
    await sweepAt(30);
    expect(await charged()).toBe(DAY);
    expect(await outstanding()).toBe(0);
  });

  it('during added time; earlier charges stay owed', async () => {
    await sweepAt(2);
    await giveMoreTime();
    const owed = await outstanding();
    await sweepAt(10);
    expect(await charged()).toBe(2 * DAY);
    expect(await outstanding()).toBe(owed);
  });

  it('for the fee that added time cost: late days after it cost their share of the advance', async () => {
    await sweepAt(2);
    await receive(400_000, '2026-12-01');
    await giveMoreTime();
    const owed = (await outstanding()) ?? 0;
    await sweepAt(20);
    // Fifteen days from the third late day on were free; the receipt paid the advance, neither fee nor charges.
    expect(await charged()).toBe((2 + 3) * 50_000);
    expect(await outstanding()).toBe(owed + 3 * 50_000);
    await receive(500_000);
    await sweepAt(30);
    expect(await charged()).toBe((2 + 3) * 50_000);
  });

  it('before added time, unless it was charged by then; a receipt that is reversed changes that back', async () => {
    await sweepAt(2);
    const receipt = await receive(899_000, '2026-12-21');
    expect(await charged()).toBe(2 * 100);
    toDaysAfterDue(app, 4);
    await giveMoreTime();
    await sweepAt(10);
    expect(await charged()).toBe(2 * 100);
    await succeed(reverse(await buildOfficer(app), receipt));
    expect(await charged()).toBe(2 * DAY);
    const fee = 0.07 * (90_000_000 + 2 * DAY);
    expect(await outstanding()).toBe(90_000_000 + 2 * DAY + fee);
  });

  it('for a reversed payout: its charges are reversed with it', async () => {
    const [payout] = await entriesOf(built.officer, built.tag);
    await sweepAt(2);
    const officers = [await buildOfficer(app), await buildOfficer(app)] as const;
    await succeed(reversePayout(officers, built, payout?.tag));
    expect(await balancesOf(app, built)).toEqual({});
  });
});

describe('an application keeps what held when it was submitted', () => {
  const free = { ...SETTINGS, LATE_CHARGE_PER_DAY: '0' };

  it('and says so in its key facts, with amounts', async () => {
    const { body } = await built.client.caller.get(`/applications/${built.tag}/key_facts`);
    expect(body.ifLate).toBe(
      'You still owe the full amount. Each day late adds 0.1 % of what is unpaid without fees, UGX 900 at first. ' +
        'It never adds more than UGX 450,000 in all. After 3 days you cannot apply or get cash until you pay. ' +
        'Your funding limit grows only if you pay on time.',
    );
  });

  it('whatever the setting is later', async () => {
    const { repayment } = app.platform.config;
    const later = {
      ...app.platform,
      config: { ...app.platform.config, repayment: { ...repayment, lateChargeBps: 0 } },
    };
    toDaysAfterDue(app, 3);
    await sweepDerived(later);
    expect(await charged()).toBe(3 * DAY);
  });

  it('even in a counter-offer, by its advance', async () => {
    const offered = await buildCounterOfferedCase(app);
    await succeed(acceptOffer(offered));
    const { body } = await offered.client.caller.get(`/applications/${offered.tag}/key_facts`);
    expect(body.ifLate).toContain('UGX 800 at first. It never adds more than UGX 400,000');
    expect((await caseRow(app, offered)).late_charge_bps).toBe(10);
  });

  it('which is nothing by default, and nothing is said of it', async () => {
    const other = await createTestApp(free);
    onTestFinished(() => other.close());
    const late = await buildDisbursedCase(other);
    other.clock.advance(90 * DAY_SECONDS);
    await sweepDerived(other.platform);
    expect((await caseRow(other, late)).outstanding).toBe(90_000_000);
    expect((await sumsOf(await buildOfficer(other), late.tag)).lateCharge).toBeNull();
    const again = await buildSubmittedCase(other);
    const { body } = await again.client.caller.get(`/applications/${again.tag}/key_facts`);
    expect(body.ifLate).toContain('We charge nothing extra.');
  });
});
