import { beforeEach, describe, expect, it } from 'vitest';
import {
  acknowledgeFlags,
  buildDisbursedCase,
  buildOfficer,
  type PayableCase,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { prepare, release } from '#testing/payout-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { entriesOf, expectUnchanged, paid, reverse, reversePayout } from './payments.harness.ts';

/** Actions that need another officer once the money has gone out: docs/decisions/0033-officers-who-cheat.md. */

const app = appOfFile();
let built: PayableCase;
let other: Someone;
beforeEach(async () => {
  built = await buildDisbursedCase(app);
  other = await buildOfficer(app);
});

const payOutRefusal = async (by: Someone) => (await by.caller.get(`/desk/cases/${built.tag}`)).body.payOutRefusal;
/** Another officer who has recorded nothing prepares first, so that a refusal changes nothing. */
const paySurplus = (by: Someone) => release(by, built.tag);
const prepareSurplus = async () => succeed(prepare(await buildOfficer(app), built.tag));

describe('a surplus', () => {
  const refusal = {
    code: 'OWN_RECEIPT',
    msg: 'You recorded or reversed a repayment of this case. Another officer must pay the extra',
  };

  it('is not paid by the recorder of its receipt, and the desk says so', async () => {
    await paid(built, 'receipts', { amount: 500_000_000 });
    await prepareSurplus();
    await expectUnchanged(app, built, () => paySurplus(built.officer), [409, refusal]);
    expect(await payOutRefusal(built.officer)).toBe('OWN_RECEIPT');
    expect(await payOutRefusal(other)).toBeNull();
    await succeed(paySurplus(other));
  });

  it('is not paid by who recorded one of several receipts, or reversed one', async () => {
    await paid(built, 'receipts', { amount: 1_000 });
    const mistaken = await paid({ ...built, officer: other }, 'receipts', { amount: 2_000 });
    const third = await buildOfficer(app);
    await succeed(reverse(third, mistaken));
    await paid(built, 'receipts', { amount: 1_000_000 });
    await prepareSurplus();
    for (const by of [built.officer, third]) await expectUnchanged(app, built, () => paySurplus(by), [409, refusal]);
    // A receipt that another officer reversed no longer counts against its recorder.
    await succeed(paySurplus(other));
  });
});

describe('a surplus payment that was reversed', () => {
  const refusal = {
    code: 'OWN_SURPLUS',
    msg: 'You paid or reversed the extra of this case. Another officer must pay it again',
  };

  it('is not repeated by the officer who paid or reversed it, and the desk says so', async () => {
    await paid(built, 'receipts', { amount: 1_100_000 });
    const third = await buildOfficer(app);
    await prepareSurplus();
    const { body } = await succeed(paySurplus(other));
    await succeed(reversePayout([built.officer, third], built, body.data.tag));
    await acknowledgeFlags(third, built.tag);
    await prepareSurplus();
    for (const by of [other, third]) {
      await expectUnchanged(app, built, () => paySurplus(by), [409, refusal]);
      expect(await payOutRefusal(by)).toBe('OWN_SURPLUS');
    }
    const fourth = await buildOfficer(app);
    expect(await payOutRefusal(fourth)).toBeNull();
    await succeed(paySurplus(fourth));
  });

  it('is repeated by another officer, even one who reversed their own', async () => {
    await paid(built, 'receipts', { amount: 1_100_000 });
    await prepareSurplus();
    const { body } = await succeed(paySurplus(other));
    await succeed(reversePayout([built.officer, other], built, body.data.tag));
    await acknowledgeFlags(other, built.tag);
    await prepareSurplus();
    await expectUnchanged(app, built, () => paySurplus(other), [409, refusal]);
    await succeed(paySurplus(await buildOfficer(app)));
  });
});

describe('a disbursement that was reversed', () => {
  it('is not repeated by the officer who released or reversed it while its preparer could, and the desk says so', async () => {
    const [entry] = await entriesOf(other, built.tag);
    await succeed(reversePayout([built.officer, other], built, entry?.tag));
    await acknowledgeFlags(other, built.tag);
    const refusal = {
      code: 'OWN_DISBURSEMENT',
      msg: 'You recorded or reversed the payment of this case. Another officer must pay it again',
    };
    const third = await buildOfficer(app);
    await succeed(prepare(third, built.tag));
    for (const by of [built.payer, other]) {
      await expectUnchanged(app, built, () => release(by, built.tag), [409, refusal]);
      expect(await payOutRefusal(by)).toBe('OWN_DISBURSEMENT');
    }
    expect(await payOutRefusal(third)).toBe('OWN_PAYOUT');
    const fourth = await buildOfficer(app);
    expect(await payOutRefusal(fourth)).toBeNull();
    await succeed(release(fourth, built.tag));
  });
});
