import { beforeEach, describe, expect, it } from 'vitest';
import {
  buildApprovedCase,
  buildDisbursedCase,
  buildOfficer,
  buildSettledCase,
  caseRow,
  type PayableCase,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { type Answer, appOfFile } from '#testing/test-app.ts';
import { balancesOf, entriesOf, expectUnchanged, fieldRefusal, reverse, sumsOf } from './payments.harness.ts';

/** Deductions by the buyer: invoices of UGX 1,000,000, with 900,000 advanced on each on 20 November 2026. */

const app = appOfFile();
let built: PayableCase;
let certificates = 0;
beforeEach(async () => {
  built = await buildDisbursedCase(app);
  certificates += 1;
});

const deduct = (
  change: object = {},
  of: PayableCase = built,
  by: Pick<Someone, 'caller'> = of.officer,
): Promise<Answer> =>
  by.caller.post(`/applications/${of.tag}/deductions`, {
    deduction: 'withholdingTax',
    certificate: `WHT ${certificates}`,
    date: '2026-11-20',
    amount: 60_000,
    ...change,
  });

describe('a deduction', () => {
  it('lowers what the buyer owes, never what the client owes; both read it', async () => {
    const { body } = await succeed(deduct());
    const sums = { outstanding: 900_000, received: 0, deducted: 60_000, buyerOwes: 940_000 };
    expect(await sumsOf(built.officer, built.tag)).toMatchObject(sums);
    expect(await sumsOf(built.client, built.tag)).toMatchObject(sums);
    expect((await entriesOf(built.client, built.tag)).at(-1)).toMatchObject({
      tag: body.data.tag,
      kind: 'deduction',
      deduction: 'withholdingTax',
      amount: 60_000,
      method: null,
      reference: `WHT${certificates}`,
      recordedBy: null,
    });
    expect(await balancesOf(app, built)).toMatchObject({ advances: 90_000_000, buyersOwe: 94_000_000 });
    expect(await caseRow(app, built)).toMatchObject({ status: 'Disbursed', outstanding: 90_000_000 });
  });

  it('lowers as a credit note what the desk expects of the buyer, and no longer once it is reversed', async () => {
    const expected = async () => (await built.officer.caller.get(`/desk/cases/${built.tag}`)).body.expectedCash;
    expect(await expected()).toBe(1_000_000);
    const { body } = await succeed(deduct({ deduction: 'creditNote', amount: 250_000 }));
    await succeed(deduct({ amount: 60_000, certificate: `W-${certificates}` }));
    expect(await expected()).toBe(750_000);
    await succeed(reverse(built.officer, body.data.tag));
    expect(await expected()).toBe(1_000_000);
  });

  it('leaves 106 to come in the example of 118', async () => {
    for (const [deduction, certificate] of [
      ['withholdingTax', 'W'],
      ['withheldVat', 'V'],
    ]) {
      const number = `${certificate}${certificates}`;
      await succeed(deduct({ deduction, certificate: number, amount: 50_847.46 }));
    }
    expect(await sumsOf(built.officer, built.tag)).toMatchObject({ deducted: 101_694.92, buyerOwes: 898_305.08 });
  });

  it('is reversed like a receipt, and its certificate may be recorded again', async () => {
    const before = await balancesOf(app, built);
    const { body } = await succeed(deduct());
    await succeed(reverse(built.officer, body.data.tag));
    expect(await balancesOf(app, built)).toEqual(before);
    expect((await reverse(built.officer, body.data.tag)).body.code).toBe('ALREADY_REVERSED');
    await succeed(deduct());
  });

  it('is taken after the settlement too, and keeps a payout from being reversed', async () => {
    const settled = await buildSettledCase(app);
    await succeed(deduct({}, settled));
    await succeed(deduct({ certificate: `other ${certificates}` }));
    const [payout] = await entriesOf(built.officer, built.tag);
    expect((await reverse(built.officer, payout?.tag ?? '')).body.code).toBe('RECEIPTS_EXIST');
  });
});

describe('a deduction is refused', () => {
  it.each([
    ['a date in the future', { date: '2026-11-21' }, 400, 'BAD_REQUEST', 'date', 'The date must be today or earlier'],
    [
      'no number',
      { certificate: ' ' },
      400,
      'BAD_REQUEST',
      'certificate',
      'Give the number of the certificate or note',
    ],
    ['another kind', { deduction: 'gift' }, 400, 'BAD_REQUEST', 'deduction', 'Select what the buyer kept back'],
  ] as const)('with %s in it', async (_, change, status, code, field, msg) => {
    await expectUnchanged(app, built, () => deduct(change), [status, fieldRefusal(code, field, msg)]);
  });

  it('if its certificate is recorded, on whatever application and however it is written', async () => {
    const other = await buildDisbursedCase(app);
    await succeed(deduct({ certificate: `URA ${certificates} a` }, other));
    const again = () => deduct({ certificate: `ura${certificates}A` });
    const msg = 'This number is recorded already. Check it on the certificate or note';
    await expectUnchanged(app, built, again, [409, fieldRefusal('CERTIFICATE_USED', 'certificate', msg)]);
  });

  it.each([
    ['other punctuation', 'URA/2026-SO5', 'ura.2026 – SO5'],
    ['a letter that reads like a digit', 'WHT 10150', 'WHT IOlSO'],
    ['a letter of another script', 'CAB 77-ABE', '\u0421\u0410\u0412 77-\u0391\u0412\u0415'],
    ['full width and marks', 'CN 88 E', '\uff23\uff2e 88 \u00c9'],
  ])('if its certificate reads like a recorded one: %s', async (_, certificate, alike) => {
    const other = await buildDisbursedCase(app);
    await succeed(deduct({ certificate: `${certificate} ${certificates}` }, other));
    const again = () => deduct({ certificate: `${alike} ${certificates}` });
    await expectUnchanged(app, built, again, [409, { code: 'CERTIFICATE_USED' }]);
    await succeed(deduct({ certificate: `${certificate} ${certificates} 2` }));
  });

  it('before the payout, to an officer of the business, and to a client', async () => {
    const approved = await buildApprovedCase(app);
    await expectUnchanged(app, approved, () => deduct({}, approved), [409, { code: 'STEP_NOT_ALLOWED' }]);
    const relative = await buildOfficer(app, { businessId: built.buyerId });
    await expectUnchanged(app, built, () => deduct({}, built, relative), [403, { code: 'OWN_BUSINESS' }]);
    await expectUnchanged(app, built, () => deduct({}, built, built.client), [403, { code: 'FORBIDDEN' }]);
  });
});

it('ten deductions of one certificate at once, however it is written, are recorded once', async () => {
  const cases = await Promise.all(Array.from({ length: 10 }, () => buildDisbursedCase(app)));
  const written = (nth: number) => ({ certificate: `${nth % 2 ? 'WHT-O' : 'wht 0'} ${certificates}` });
  const answers = await Promise.all(cases.map((one, nth) => deduct(written(nth), one)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === 'CERTIFICATE_USED')).toHaveLength(9);
});
