import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sayRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { entriesOf, paid, pay, reverse, sumsOf } from '#server/payments/payments.harness.ts';
import {
  bankStatement,
  importAndMatch,
  mtnStatement,
  referenceOf,
  sendStatement,
  takeIn,
  waitingLine,
} from '#server/statements/statements.harness.ts';
import { type BuiltCase, buildDisbursedCase, buildOfficer, type Someone } from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';

/** A payment counts once, however its reference is spelled, and whether it is typed or imported. */

const app = appOfFile();
let officer: Someone;
beforeAll(async () => {
  officer = await buildOfficer(app);
});

let next = 0;
let id: string;
beforeEach(() => {
  next += 1;
  id = `MP10${next}`;
});

const type = (built: BuiltCase, change: object) =>
  pay(built, 'receipts', { method: 'mtn', amount: 150_000, ...change });
const receiptsOf = async (built: BuiltCase) =>
  (await entriesOf(officer, built.tag)).filter(({ kind }) => kind === 'receipt');
async function whereOf(built: BuiltCase, day: string): Promise<string> {
  const { body } = await officer.caller.get(`/invoices/${built.tag}`);
  return `${body.invoiceNumber} (${sayRepaymentReference(await referenceOf(app, built))}), ${day}`;
}

describe('a number of mobile money', () => {
  it.each(['mtn', 'airtel'])('counts once over all cases and days, and the refusal says where: %s', async (method) => {
    const [one, other] = [await buildDisbursedCase(app), await buildDisbursedCase(app)];
    const reference = `${method}${id}`;
    await paid(one, 'receipts', { method, reference, amount: 150_000 });
    const why = { reference: `We have counted this: ${await whereOf(one, '20 Nov 2026')}` };
    const again = await type(other, { method, reference });
    expect([again.status, again.body.code, again.body.fields]).toEqual([409, 'PAYMENT_RECORDED', why]);
    const confirmed = await type(other, { method, reference, referenceConfirmed: true });
    expect([confirmed.status, confirmed.body.fields]).toEqual([409, why]);
    expect((await type(one, { method, reference })).body.code).toBe('PAYMENT_RECORDED');
    expect(await receiptsOf(one)).toHaveLength(1);
    expect(await receiptsOf(other)).toHaveLength(0);
  });

  it('counts once on another day of the same case; a bank’s is confirmed', async () => {
    const built = await buildDisbursedCase(app);
    for (const [method, refusal] of [
      ['mtn', 'PAYMENT_RECORDED'],
      ['bank', 'REFERENCE_USED'],
    ]) {
      await paid(built, 'receipts', { method, reference: id, amount: 5_000 });
      app.clock.advance(DAY_SECONDS);
      const another = { method, reference: id, date: '2026-11-21', amount: 5_000 };
      expect((await type({ ...built, officer: await buildOfficer(app) }, another)).body.code).toBe(refusal);
      app.clock.advance(-DAY_SECONDS);
    }
  });

  it.each([
    ['a dash', (one: string) => one.replace('MP', 'MP-')],
    ['an en dash', (one: string) => one.replace('MP', 'MP–')],
    ['a no-break space', (one: string) => one.replace('MP', 'MP\u00a0')],
    ['a dot', (one: string) => one.replace('MP', 'MP.')],
    ['small letters', (one: string) => one.toLowerCase()],
    ['an apostrophe', (one: string) => `'${one}`],
    ['full-width letters', (one: string) => one.replace('MP', 'ＭＰ')],
  ])('counts once with %s', async (_, written) => {
    const built = await buildDisbursedCase(app);
    await paid(built, 'receipts', { method: 'mtn', reference: id, amount: 5_000 });
    const { status, body } = await type(await buildDisbursedCase(app), { reference: written(id) });
    expect([status, body.code]).toEqual([409, 'PAYMENT_RECORDED']);
    // A statement with that spelling proves the receipt.
    expect(await takeIn(app, officer, [{ id: written(id), amount: 5_000 }])).toMatchObject({ known: 1, toAssign: 0 });
  });

  it('counts once when ten officers type it on ten cases at the same time', async () => {
    const cases = await Promise.all(Array.from({ length: 10 }, () => buildDisbursedCase(app)));
    const answers = await Promise.all(cases.map((built) => type(built, { reference: id })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  });

  it('is free again once its receipt is reversed, unless a statement has it', async () => {
    const [one, other] = [await buildDisbursedCase(app), await buildDisbursedCase(app)];
    const receipt = await paid(one, 'receipts', { method: 'mtn', reference: id, amount: 150_000 });
    expect((await reverse(officer, receipt)).status).toBe(200);
    const right = await paid(other, 'receipts', { method: 'mtn', reference: id, amount: 150_000 });
    await takeIn(app, officer, [{ id, amount: 150_000 }]);
    expect((await reverse(officer, right)).status).toBe(200);
    expect(await waitingLine(officer, id)).toMatchObject({ left: 150_000 });
    expect((await type(one, { reference: id })).body.fields).toEqual({
      reference: 'This came with a statement. Assign it under Received Money',
    });
  });

  it('of money that was assigned is refused with where it is', async () => {
    const [one, other] = [await buildDisbursedCase(app), await buildDisbursedCase(app)];
    await takeIn(app, officer, [{ id, amount: 150_000, details: await referenceOf(app, one) }]);
    const { status, body } = await type(other, { reference: `${id} ` });
    const where = await whereOf(one, '20 Nov 2026');
    expect([status, body.fields]).toEqual([409, { reference: `We have counted this: ${where}` }]);
  });

  it('of a payout of ours is no receipt', async () => {
    const built = await buildDisbursedCase(app);
    const [payout] = await entriesOf(officer, built.tag);
    const method = payout?.method === 'bank' ? 'mtn' : payout?.method;
    const { status, body } = await type(await buildDisbursedCase(app), { method, reference: payout?.reference });
    expect([payout?.kind, status, body.code]).toEqual(['disbursement', 409, 'PAYMENT_RECORDED']);
  });
});

describe("a bank's reference", () => {
  it('on two applications is confirmed by the officer, who is told where the first is', async () => {
    const [one, other] = [await buildDisbursedCase(app), await buildDisbursedCase(app)];
    await paid(one, 'receipts', { reference: `FT ${id}`, amount: 60_000 });
    const typed = { method: 'bank', reference: `ft-${id}`, amount: 40_000 };
    const asked = await type(other, typed);
    expect([asked.status, asked.body.code, asked.body.fields]).toEqual([
      422,
      'REFERENCE_USED',
      { reference: `This reference is on ${await whereOf(one, '20 Nov 2026')} too` },
    ]);
    expect(await receiptsOf(other)).toHaveLength(0);
    expect((await type(other, { ...typed, referenceConfirmed: true })).status).toBe(200);
  });

  it('is asked about by one of two officers who type it at the same time', async () => {
    const cases = [await buildDisbursedCase(app), await buildDisbursedCase(app)];
    const answers = await Promise.all(cases.map((built) => type(built, { method: 'bank', reference: id })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  it('typed with no-break spaces is known when its statement comes', async () => {
    const built = await buildDisbursedCase(app);
    await paid(built, 'receipts', { reference: `FT\u00a026331\u00a0${id}`, amount: 200_000 });
    const line = { id: `FT 26331 ${id}`, amount: 200_000, details: await referenceOf(app, built) };
    const said = await importAndMatch(app, officer, bankStatement([line]), { rail: 'bank' });
    expect(said).toMatchObject({ known: 1, matched: 0 });
    expect((await sumsOf(officer, built.tag)).received).toBe(200_000);
  });
});

describe('a reference that a spreadsheet shortened', () => {
  it.each(['3.63441E+11', '3,63441E+11', '#######', '363441000000.00'])(
    'is refused where it is typed: %s',
    async (one) => {
      const { status, body } = await type(await buildDisbursedCase(app), { reference: one });
      expect([status, body.code, body.fields?.reference]).toEqual([
        400,
        'BAD_REQUEST',
        'A spreadsheet shortened this. Give the whole reference, as the bank or the operator shows it',
      ]);
    },
  );

  it('is refused in a statement, with its line and what to do', async () => {
    const line = { id: '3.63441E+11', amount: 50_000 };
    const { status, body } = await sendStatement(officer, mtnStatement([{ id, amount: 5 }, line, line]));
    expect([status, body.code, body.fields.file]).toEqual([
      422,
      'STATEMENT_UNREADABLE',
      'Line 3, Id: A spreadsheet shortened this id. Export the file again, and send it without opening it in a spreadsheet',
    ]);
    expect(await waitingLine(officer, id)).toBeUndefined();
  });

  it('an id with an apostrophe in front is the plain one', async () => {
    const number = `3634410${next}`;
    await takeIn(app, officer, [{ id: `'${number}`, amount: 50_000 }]);
    expect(await takeIn(app, officer, [{ id: number, amount: 50_000 }])).toMatchObject({ before: 1, toAssign: 0 });
    expect(await takeIn(app, officer, [{ id: `00${number}`, amount: 50_000 }])).toMatchObject({
      before: 1,
      toAssign: 0,
    });
  });
});
