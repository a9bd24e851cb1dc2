import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { buildInvoice, buildReadyInvoice } from '#testing/builders.ts';
import { buildCaseClient, buildOfficer, type CaseClient, eventsOf, type Someone } from '#testing/case-builders.ts';
import { buildPayoutAccount } from '#testing/payout-builders.ts';
import { appOfFile } from '#testing/test-app.ts';

/** The facts that a client must see before they submit, and the facts that they accepted. */

const app = appOfFile();
let client: CaseClient;
let officer: Someone;
beforeAll(async () => {
  client = await buildCaseClient(app);
  officer = await buildOfficer(app);
});

const DECLARATION =
  'The work on this invoice is done, its amount is owed to my business, and it is not financed elsewhere.';

/** UGX 900,000 over 30 days on 20 November 2026. */
const facts = {
  currency: 'UGX',
  amount: 1_000_000,
  amountAppliedFor: 900_000,
  tenorDays: 30,
  feeRatePercentage: 11,
  feesCharged: 99_000,
  amountReceived: 801_000,
  feePercentOfCash: 12.4,
  yearlyRatePercent: 150.4,
  paymentExpectedOn: '2026-12-21',
  paidBackBy: 'Your buyer pays us, or you do, at once or in parts.',
  ifLate:
    'You still owe the full amount. We charge nothing extra. After 3 days you cannot apply or get cash until you pay. ' +
    'Your funding limit grows only if you pay on time.',
  payTo: ['MTN MoMo merchant 123456', 'Stanbic Bank 9030001234567, Kasente Ltd'],
  repaymentReference: expect.stringMatching(/^[ACDEFGHJKMNPRTVWXY34679]{8}$/),
  declaration: DECLARATION,
  texts: 'User Agreement of 28 Nov 2026, Privacy Policy of 28 Nov 2026',
};

/** A threshold so low that income tax is withheld from any amount. */
const lowThreshold = {
  kind: 'withholdingTax',
  valid_from: '2026-11-01',
  rate_bps: 600,
  threshold: null,
  confidence: 'low',
  source: 'A lender’s own row',
} as const;

const load = async (tag: string) => (await client.caller.get(`/applications/${tag}/key_facts`)).body;

async function accepted(tag: string) {
  return app.platform.db
    .selectFrom('key_facts_acceptances')
    .innerJoin('invoices', 'invoices.id', 'key_facts_acceptances.invoice_id')
    .where('invoices.tag', '=', tag)
    .select(['key_facts_acceptances.version', 'facts', 'accepted_at', 'accepted_by'])
    .execute();
}

describe('the key facts', () => {
  it('say what is received, what it costs, and what is paid back when and by whom', async () => {
    const { tag } = await buildReadyInvoice(app, client.person);
    const { version, ...rest } = await load(tag);
    expect(rest).toEqual({ ...facts, accepted: null });
    expect(version).toMatch(/^6-[0-9a-f]{16}$/);
    expect((await load(tag)).version).toBe(version);
  });

  it('say where the cash goes, masked, and are read again where that changed before they are accepted', async () => {
    const payee = await buildCaseClient(app);
    const { tag } = await buildReadyInvoice(app, payee.person);
    const read = async () => (await payee.caller.get(`/applications/${tag}/key_facts`)).body;
    const before = await read();
    expect(before.paidTo).toBeUndefined();
    const first = await buildPayoutAccount(app, payee, officer, { number: '0772345678' });
    const { version: keyFactsVersion, paidTo } = await read();
    expect(paidTo).toBe('MTN ••• 678, Sarah Nabirye');
    const submit = (body: object) => payee.caller.post(`/applications/${tag}/submit`, body);
    expect((await submit({ keyFactsVersion: before.version })).body.code).toBe('KEY_FACTS_CHANGED');
    expect((await submit({ keyFactsVersion })).status).toBe(200);
    await payee.caller.post(`/payout_accounts/${first}/freeze`);
    expect(await read()).toMatchObject({ paidTo, accepted: expect.anything() });
  });

  it('have another version when a figure or the day is another', async () => {
    const { tag } = await buildReadyInvoice(app, client.person);
    const before = await load(tag);
    await app.platform.db
      .updateTable('invoices')
      .set({ advance: '800000', discount_fee: '88000', net_proceeds: '712000' })
      .where('tag', '=', tag)
      .execute();
    expect((await load(tag)).version).not.toBe(before.version);
  });

  it('say what the buyer should pay, and that it is not enough, as they were accepted', async () => {
    const owner = await buildCaseClient(app);
    const { tag, buyerId } = await buildReadyInvoice(app, owner.person);
    const { db } = app.platform;
    const terms = { payment_due_on: '2027-01-04', vat: '152542.37' };
    await db.updateTable('invoices').set(terms).where('tag', '=', tag).execute();
    const agent = { name: `Pearl Hotels ${buyerId}`, withholds_tax: true, withholds_vat: true };
    await db
      .updateTable('businesses')
      .set({ ...agent, withholds_tax: false })
      .where('id', '=', buyerId)
      .execute();
    const says = async () => (await owner.caller.get(`/applications/${tag}/key_facts`)).body.buyerPays;
    expect(await says()).toBe(
      `${agent.name} should pay UGX 949,152.54 by 4 Jan 2027. That is after you must pay back. They keep back UGX 50,847.46 in tax.`,
    );
    await db.updateTable('businesses').set(agent).where('id', '=', buyerId).execute();
    await db.insertInto('tax_rates').values(lowThreshold).execute();
    const short = `${agent.name} should pay UGX 898,305.08 by 4 Jan 2027. That is after you must pay back. They keep back UGX 101,694.92 in tax. That is UGX 1,694.92 less than must be paid back. You pay the rest.`;
    expect(await says()).toBe(short);
    expect((await owner.caller.post(`/applications/${tag}/submit`)).status).toBe(200);
    await db.deleteFrom('tax_rates').where('valid_from', '=', lowThreshold.valid_from).execute();
    expect(await says()).toBe(short);
  });

  it('are not there before the application is', async () => {
    const { tag } = await buildInvoice(app, client.person);
    const { status, body } = await client.caller.get(`/applications/${tag}/key_facts`);
    expect([status, body.code]).toEqual([409, 'NOT_READY']);
  });
});

describe('submitting', () => {
  it('accepts and freezes them for every later reader', async () => {
    const { tag } = await buildReadyInvoice(app, client.person);
    const { version } = await load(tag);
    const answer = await client.caller.post(`/applications/${tag}/submit`, { keyFactsVersion: version });
    expect(answer.status).toBe(200);
    expect(await accepted(tag)).toEqual([
      { version, facts, accepted_at: app.clock.now(), accepted_by: client.person.id },
    ]);
    const [submitted] = await eventsOf(app, { tag }, 'application.submit');
    expect(submitted?.after).toMatchObject({ keyFacts: { version, texts: facts.texts } });
    app.clock.advance(3 * DAY_SECONDS);
    const shown = { ...facts, version, accepted: { at: '2026-11-20T09:00:00.000Z', by: client.person.username } };
    const later = await buildOfficer(app);
    expect((await later.caller.get(`/applications/${tag}/key_facts`)).body).toEqual(shown);
  });

  it('accepts those of now where none are named', async () => {
    client = await buildCaseClient(app);
    const { tag } = await buildReadyInvoice(app, client.person);
    const { version } = await load(tag);
    expect((await client.caller.post(`/applications/${tag}/submit`)).status).toBe(200);
    expect(await accepted(tag)).toMatchObject([{ version }]);
  });

  it('is refused where those that were read are not those of now, before the price and the buyer are looked at', async () => {
    const { tag, buyerId } = await buildReadyInvoice(app, client.person);
    const [others, { version }] = ['1-0000000000000000', await load(tag)];
    const submit = (keyFactsVersion: string) =>
      client.caller.post(`/applications/${tag}/submit`, { keyFactsVersion }).then(({ body }) => body.code);
    await app.platform.db.updateTable('businesses').set({ active: false }).where('id', '=', buyerId).execute();
    expect([await submit(others), await submit(version)]).toEqual(['KEY_FACTS_CHANGED', 'UNKNOWN_REFERENCE']);
    await app.platform.db.updateTable('businesses').set({ active: true }).where('id', '=', buyerId).execute();
    const price = { fee_rate_bps: 1000, discount_fee: '90000', net_proceeds: '810000' };
    await app.platform.db.updateTable('invoices').set(price).where('tag', '=', tag).execute();
    expect([await submit(others), await submit(version)]).toEqual(['KEY_FACTS_CHANGED', 'QUOTE_MISMATCH']);
    expect(await accepted(tag)).toEqual([]);
  });

  it('is refused where those that were read are not those of now, and changes nothing', async () => {
    const { tag } = await buildReadyInvoice(app, client.person);
    const answer = await client.caller.post(`/applications/${tag}/submit`, { keyFactsVersion: '1-0000000000000000' });
    expect([answer.status, answer.body]).toEqual([
      409,
      {
        success: false,
        code: 'KEY_FACTS_CHANGED',
        msg: 'The key facts have changed. Read them again before you submit',
      },
    ]);
    expect(await accepted(tag)).toEqual([]);
    expect((await client.caller.get(`/invoices/${tag}`)).body.discountApplication.status.name).toBe('Draft');
  });

  it('still shows what was accepted when the page compared other periods and did not say who pays back', async () => {
    const { tag } = await buildReadyInvoice(app, client.person);
    const { id } = await app.platform.db
      .selectFrom('invoices')
      .where('tag', '=', tag)
      .select('id')
      .executeTakeFirstOrThrow();
    const {
      paidBackBy: _,
      ifLate: __,
      yearlyRatePercent: ___,
      payTo: ____,
      repaymentReference: _____,
      ...then
    } = facts;
    await app.platform.db
      .insertInto('key_facts_acceptances')
      .values({
        invoice_id: id,
        version: '1-0123456789abcdef',
        facts: JSON.stringify({ ...then, prices: [] }),
        accepted_at: app.clock.now(),
        accepted_by: client.person.id,
      })
      .execute();
    expect(await load(tag)).toEqual({ ...then, version: '1-0123456789abcdef', accepted: expect.anything() });
  });

  it('never changes accepted facts, even by hand', async () => {
    await expect(
      app.database.owner.db.updateTable('key_facts_acceptances').set({ version: 'x' }).execute(),
    ).rejects.toThrow('append-only');
  });
});

it('key facts are for the client and the staff alone', async () => {
  const { tag } = await buildReadyInvoice(app, client.person);
  const stranger = await buildCaseClient(app);
  expect((await stranger.caller.get(`/applications/${tag}/key_facts`)).status).toBe(404);
  expect((await app.visitor().get(`/applications/${tag}/key_facts`)).status).toBe(401);
  officer = await buildOfficer(app);
  expect((await officer.caller.get(`/applications/${tag}/key_facts`)).status).toBe(200);
});
