import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { businessTagOf, ownLimit, setLimit, UGX } from '#server/limits/limits.harness.ts';
import {
  type BuiltCase,
  buildCaseClient,
  buildDisbursedCase,
  buildOfficer,
  buildSettledCase,
  type CaseClient,
  caseRow,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';
import { entriesOf, expectRefused, fieldRefusal, ledgerOf, paid, pay, reverse } from './payments.harness.ts';

/** However often it is corrected, a payment from the bank is one entry in force, and a settlement counts once. */

const app = appOfFile({
  SESSION_IDLE_MINUTES: '720',
  FUNDING_LIMIT_GROWTH_SIZE_PERCENT: '0',
  FUNDING_LIMIT_GROWTH_DAYS: '0',
});
let officer: Someone;
let client: CaseClient;
beforeAll(async () => {
  officer = await buildOfficer(app);
});
beforeEach(async () => {
  client = await buildCaseClient(app);
});

const REFUSED = [409, fieldRefusal('PAYMENT_RECORDED', 'reference', 'This payment is already recorded')] as const;

describe('a payment that was recorded before', () => {
  let built: BuiltCase;
  let ONE: { readonly amount: number; readonly reference: string };
  beforeEach(async () => {
    built = await buildDisbursedCase(app, { client, officer });
    ONE = { amount: 200_000, reference: `TT ${built.id}-a` };
  });

  it('is recorded once by two officers at once, under keys of their own', async () => {
    const officers = [officer, await buildOfficer(app)];
    const answers = await Promise.all(
      officers.map((one) => pay({ ...built, officer: one }, 'receipts', ONE, { 'idempotency-key': randomUUID() })),
    );
    const [won, lost] = answers.toSorted((one, other) => one.status - other.status);
    expect([won?.status, lost?.status]).toEqual([200, 409]);
    expect(lost?.body).toMatchObject({ success: false, ...REFUSED[1], msg: 'This payment is already recorded' });
    expect((await ledgerOf(app, built)).filter(({ kind }) => kind === 'receipt')).toHaveLength(1);
  });

  it('is known by its method, reference and date, whatever its case, spaces and amount', async () => {
    await paid(built, 'receipts', ONE);
    for (const reference of [ONE.reference, `tt${built.id}-A`, ` T T  ${built.id}-a `])
      await expectRefused(app, built, ['receipts', { ...ONE, reference, amount: 50_000, payer: 'client' }], REFUSED);
    await paid(built, 'receipts', { ...ONE, reference: `TT ${built.id}-b` });
    await paid(built, 'receipts', { ...ONE, method: 'airtel' });
    const other = await buildDisbursedCase(app, { client, officer });
    await paid(other, 'receipts', { ...ONE, referenceConfirmed: true });
  });

  it('is another one on another day, if it is from a bank and the officer confirms it', async () => {
    const later = await createTestApp();
    onTestFinished(() => later.close());
    const disbursed = await buildDisbursedCase(later);
    later.clock.advance(DAY_SECONDS);
    const one = { ...disbursed, officer: await buildOfficer(later) };
    for (const date of ['2026-11-20', '2026-11-21'])
      await paid(one, 'receipts', { ...ONE, date, referenceConfirmed: true });
    expect(await ledgerOf(later, one)).toHaveLength(3);
  });

  it('is recorded again once it was reversed', async () => {
    const first = await paid(built, 'receipts', ONE);
    await succeed(reverse(officer, first));
    const second = await paid(built, 'receipts', ONE);
    await expectRefused(app, built, ['receipts', ONE], REFUSED);
    await succeed(reverse(officer, second));
    await paid(built, 'receipts', ONE);
  });
});

describe('a settlement that is corrected', () => {
  const settledOnTime = async () => (await ownLimit(client, UGX)).growth?.settledOnTime;

  async function correct(built: BuiltCase): Promise<void> {
    const entries = await entriesOf(officer, built.tag);
    const receipt = entries.find(
      ({ kind, reverses, reversed }) => kind === 'receipt' && reverses === null && !reversed,
    );
    await succeed(reverse(officer, receipt?.tag ?? ''));
    await paid(built, 'receipts');
  }

  it('counts towards a higher limit once: not again after the limit was raised for it', async () => {
    const settled: BuiltCase[] = [];
    for (let count = 0; count < 3; count += 1) settled.push(await buildSettledCase(app, { client, officer }));
    app.clock.advance(1);
    for (const built of settled) await correct(built);
    expect(await settledOnTime()).toBe(3);
    const raise = setLimit(await buildOfficer(app), await businessTagOf(app, client), { limit: 62_500_000 });
    expect((await succeed(raise)).body.proposed).toBe(false);
    expect(await settledOnTime()).toBe(0);
    app.clock.advance(1);
    for (const built of settled) await correct(built);
    expect(await settledOnTime()).toBe(0);
    await buildSettledCase(app, { client, officer });
    expect(await settledOnTime()).toBe(1);
  });

  it('keeps the moment at which it was settled first', async () => {
    const built = await buildSettledCase(app, { client, officer });
    const { settled_at: first } = await caseRow(app, built);
    for (let count = 0; count < 2; count += 1) {
      app.clock.advance(60);
      await correct(built);
      expect((await caseRow(app, built)).settled_at).toEqual(first);
    }
  });
});
