import { beforeEach, describe, expect, it } from 'vitest';
import { statuses } from '#contract/applications/lifecycle.ts';
import { type AllFigures, allFigures, type OwnFigures, ownFigures } from '#contract/figures/schema.ts';
import { addDays } from '#contract/time/calendar.ts';
import { buildClient, type Client } from '#server/invoices/invoices.harness.ts';
import { reversePayout } from '#server/payments/payments.harness.ts';
import { buildInvoice, buildReadyInvoice, buildSignedIn, submittedColumns } from '#testing/builders.ts';
import { buildApprovedCase, buildDisbursedCase, succeed } from '#testing/case-builders.ts';
import { appOfFile, appOfTest, type TestApp, type TestCaller } from '#testing/test-app.ts';

/** The test's clock shows Friday 20 November 2026, 12:00 in Kampala. */

interface Submitted {
  readonly date?: string;
  readonly currencyId?: number;
  readonly tenorDays?: number;
  /** Advance, fee and net proceeds as the database takes them. */
  readonly amounts?: readonly [advance: string, fee: string, net: string];
}

/** A submitted application: by default UGX 900,000 of today, over 30 days. */
async function submit(app: TestApp, client: Client, given: Submitted = {}): Promise<{ tag: string }> {
  const { tag } = await buildReadyInvoice(app, client.person);
  const [advance, fee, net] = given.amounts ?? ['900000', '99000', '801000'];
  const date = given.date ?? '2026-11-20';
  await app.platform.db
    .updateTable('invoices')
    .set({
      face_value: '9999999999999.99',
      currency_id: given.currencyId ?? 1,
      listed_on: date,
      application_date: date,
      tenor_days: given.tenorDays ?? 30,
      advance,
      discount_fee: fee,
      net_proceeds: net,
      ...submittedColumns(app, client.person.id),
    })
    .where('tag', '=', tag)
    .execute();
  return { tag };
}

interface PaidOut extends Submitted {
  /** The day of the payout. */
  readonly date?: string;
  /** The outstanding part; nothing if it is settled. */
  readonly outstanding?: string;
}

/** A paid-out application: by default UGX 900,000 today, over 30 days, with nothing paid back. */
async function payOut(app: TestApp, client: Client, given: PaidOut = {}): Promise<void> {
  const { tag } = await submit(app, client, { ...given, date: '2026-01-05' });
  const { date = '2026-11-20', tenorDays = 30, outstanding = given.amounts?.[0] ?? '900000' } = given;
  const settled = { status: 'Settled', settled_on: date, settled_at: app.clock.now() } as const;
  await app.platform.db
    .updateTable('invoices')
    .set({
      clock_runs_since: null,
      decided_at: app.clock.now(),
      decided_by: client.person.id,
      due_on: addDays(date, tenorDays),
      outstanding,
      ...(outstanding === '0' ? settled : { status: 'Disbursed' }),
    })
    .where('tag', '=', tag)
    .execute();
}

async function own(caller: TestCaller): Promise<OwnFigures> {
  const answer = await caller.get('/figures/own');
  expect(answer.status).toBe(200);
  return ownFigures.parse(answer.body);
}

async function all(caller: TestCaller): Promise<AllFigures> {
  const answer = await caller.get('/figures/all');
  expect(answer.status).toBe(200);
  return allFigures.parse(answer.body);
}

const none = { applications: 0, amountAppliedFor: '0.00', feesCharged: '0.00', amountReceived: '0.00' };
const one = { applications: 1, amountAppliedFor: '900000.00', feesCharged: '99000.00', amountReceived: '801000.00' };

describe('a client’s figures', () => {
  const app = appOfFile();

  it('are none before anything was paid out: what is submitted or approved is not counted', async () => {
    const client = await buildClient(app);
    const { tag } = await buildReadyInvoice(app, client.person);
    expect((await client.caller.post(`/applications/${tag}/submit`)).status).toBe(200);
    await buildApprovedCase(app, { client });
    expect(await own(client.caller)).toEqual({ currencies: [] });
  });

  it('count what was paid out on the day of the payment, what is outstanding of it, and nobody else’s', async () => {
    const [client, other] = [await buildClient(app), await buildClient(app)];
    const built = await buildDisbursedCase(app, { client });
    await payOut(app, other);
    const { currencies } = await own(client.caller);
    expect(currencies).toMatchObject([
      { currency: 'UGX', running: { ...one, outstanding: '900000.00' }, thisYear: one },
    ]);
    expect(currencies[0]?.months.at(-1)).toEqual({ from: '2026-11-01', ...one });
    const receipt = { method: 'bank', reference: 'BK-1', date: '2026-11-20', payer: 'buyer', amount: 400_000 };
    await succeed(built.officer.caller.post(`/applications/${built.tag}/receipts`, receipt));
    expect((await own(client.caller)).currencies[0]?.running).toEqual({ ...one, outstanding: '500000.00' });
    await succeed(
      built.officer.caller.post(`/applications/${built.tag}/receipts`, {
        ...receipt,
        amount: 500_000,
        reference: 'BK-2',
      }),
    );
    const [settled] = (await own(client.caller)).currencies;
    expect(settled?.running).toEqual({ ...none, outstanding: '0.00' });
    expect(settled?.thisYear).toEqual(one);
  });

  it('forget a payment that was recorded by mistake', async () => {
    const client = await buildClient(app);
    const built = await buildDisbursedCase(app, { client });
    const [entry] = await app.platform.db
      .selectFrom('journal_entries')
      .select('tag')
      .where('invoice_id', '=', built.id)
      .execute();
    await succeed(reversePayout([built.officer, built.payer], built, entry?.tag));
    expect(await own(client.caller)).toEqual({ currencies: [] });
  });

  it('are by the last 12 calendar months, empty ones too; this year’s begin on 1 January', async () => {
    const client = await buildClient(app);
    for (const date of ['2025-11-30', '2025-12-01', '2025-12-31', '2026-01-01', '2026-10-31', '2026-11-01'])
      await payOut(app, client, { date, outstanding: '0' });
    const [ugx] = (await own(client.caller)).currencies;
    const counts = ugx?.months.map(({ from, applications }) => `${from} ${applications}`);
    expect(counts).toEqual([
      '2025-12-01 2',
      '2026-01-01 1',
      '2026-02-01 0',
      '2026-03-01 0',
      '2026-04-01 0',
      '2026-05-01 0',
      '2026-06-01 0',
      '2026-07-01 0',
      '2026-08-01 0',
      '2026-09-01 0',
      '2026-10-01 1',
      '2026-11-01 1',
    ]);
    expect(ugx?.months[2]).toEqual({ from: '2026-02-01', ...none });
    expect(ugx?.thisYear.applications).toBe(3);
    expect(ugx?.running.applications).toBe(0);
  });

  it('hold as running whatever is not settled, however long ago it was paid out', async () => {
    const client = await buildClient(app);
    await payOut(app, client, { date: '2026-11-13', tenorDays: 7 });
    await payOut(app, client, { date: '2025-03-03', outstanding: '0.01' });
    await payOut(app, client, { date: '2026-10-21', outstanding: '0' });
    const [ugx] = (await own(client.caller)).currencies;
    expect(ugx?.running).toEqual({
      applications: 2,
      amountAppliedFor: '1800000.00',
      feesCharged: '198000.00',
      amountReceived: '1602000.00',
      outstanding: '900000.01',
    });
    expect(ugx?.thisYear.applications).toBe(2);
  });

  it('never add up currencies, and are exact to the cent beyond what a JSON number holds', async () => {
    const client = await buildClient(app);
    const large = ['8999999999999.97', '0.01', '8999999999999.96'] as const;
    for (let count = 0; count < 11; count += 1) await payOut(app, client, { amounts: large });
    await payOut(app, client, { currencyId: 2, amounts: ['700.10', '77.01', '623.09'] });
    await payOut(app, client, { currencyId: 2, amounts: ['0.20', '0.02', '0.18'] });
    const { currencies } = await own(client.caller);
    const ugx = {
      applications: 11,
      amountAppliedFor: '98999999999999.67',
      feesCharged: '0.11',
      amountReceived: '98999999999999.56',
    };
    const usd = { applications: 2, amountAppliedFor: '700.30', feesCharged: '77.03', amountReceived: '623.27' };
    expect(currencies.map(({ currency, thisYear }) => [currency, thisYear])).toEqual([
      ['UGX', ugx],
      ['USD', usd],
    ]);
    expect(currencies[0]?.running).toEqual({ ...ugx, outstanding: ugx.amountAppliedFor });
  });

  it('are refused to staff and to somebody without a permission', async () => {
    for (const perms of [['KSTAF'], []] as const) {
      const { caller } = await buildSignedIn(app, { perms });
      expect((await caller.get('/figures/own')).status).toBe(403);
    }
  });

  it('begin a month when Kampala does', async () => {
    const client = await buildClient(app);
    await payOut(app, client);
    const toMidnight = Date.parse('2026-11-30T21:00:00Z') - app.clock.now().getTime();
    app.clock.advance(toMidnight / 1000 - 1);
    const lastMonth = async () => {
      const { caller } = await buildSignedIn(app, { perms: ['BIDA'], businessId: client.person.businessId });
      return (await own(caller)).currencies[0]?.months.at(-1)?.from;
    };
    expect(await lastMonth()).toBe('2026-11-01');
    app.clock.advance(1);
    expect(await lastMonth()).toBe('2026-12-01');
  });
});

describe('everybody’s figures', () => {
  const app = appOfTest();
  let staff: TestCaller;
  beforeEach(async () => {
    staff = (await buildSignedIn(app, { perms: ['KSTAF'] })).caller;
  });

  it('are by state and by the last 12 weeks, which begin on Monday, each currency apart', async () => {
    const client = await buildClient(app);
    await submit(app, client, { date: '2026-08-30' });
    await submit(app, client, { date: '2026-08-31' });
    await submit(app, client, { date: '2026-11-15' });
    await submit(app, client, { date: '2026-11-16' });
    await submit(app, client, { currencyId: 2, amounts: ['700', '77', '623'] });
    await buildReadyInvoice(app, client.person);
    await buildInvoice(app, client.person);
    const { currencies } = await all(staff);
    const [ugx, usd] = currencies;
    expect(currencies.map(({ currency }) => currency)).toEqual(['UGX', 'USD']);
    expect(ugx?.weeks).toHaveLength(12);
    const counted = ugx?.weeks
      .map(({ from, statuses }) => [from, ...statuses.slice(0, 2).map(({ applications }) => applications)])
      .filter(([, drafts, submitted]) => drafts !== 0 || submitted !== 0);
    expect(counted).toEqual([
      ['2026-08-31', 0, 1],
      ['2026-11-09', 0, 1],
      ['2026-11-16', 2, 1],
    ]);
    expect(ugx?.statuses.slice(0, 2)).toEqual([
      { status: 'Draft', ...one, applications: 2 },
      {
        status: 'Submitted',
        applications: 3,
        amountAppliedFor: '2700000.00',
        feesCharged: '297000.00',
        amountReceived: '2403000.00',
      },
    ]);
    expect(ugx?.statuses.slice(2)).toEqual(statuses.slice(2).map((status) => ({ status, ...none })));
    expect(usd?.statuses[1]).toEqual({
      status: 'Submitted',
      applications: 1,
      amountAppliedFor: '700.00',
      feesCharged: '77.00',
      amountReceived: '623.00',
    });
  });

  it('are refused to clients and to somebody without a permission', async () => {
    for (const perms of [['BIDA'], []] as const) {
      const { caller } = await buildSignedIn(app, { perms });
      expect((await caller.get('/figures/all')).status).toBe(403);
    }
  });
});
