import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { HOUR_SECONDS } from '#contract/time/durations.ts';
import { buildBusiness, buildSignedIn } from '#testing/builders.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';
import {
  buildClient,
  type Client,
  eventsOf,
  invoiceForm,
  postInvoice,
  rowOf,
  saveInvoice,
} from './invoices.harness.ts';

const app = appOfFile();
let client: Client;
beforeEach(async () => {
  client = await buildClient(app);
});

function countOf(businessId: number): Promise<number> {
  return app.platform.db
    .selectFrom('invoices')
    .where('business_id', '=', businessId)
    .select((select) => select.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
    .then(({ rows }) => rows);
}

const refused = (code: string, msg: string, fields?: Record<string, string>) => ({
  success: false,
  code,
  msg,
  ...(fields === undefined ? {} : { fields }),
});

describe('a new invoice', () => {
  it('is stored as a draft and answered with its tag, version and amount', async () => {
    const answer = await postInvoice(
      client,
      invoiceForm(client, { amount: 1_000_000.25, invoiceNumber: ' INV/0042 ' }),
    );
    expect(answer.status).toBe(200);
    const { tag } = answer.body.data;
    expect(answer.body).toEqual({
      success: true,
      data: { tag: expect.stringMatching(/^[0-9a-f-]{36}$/), version: 1, invoice: { tag, amount: 1_000_000.25 } },
    });
    const loaded = await client.caller.get(`/invoices/${tag}`);
    expect(loaded.status).toBe(200);
    expect(loaded.body).toEqual({
      tag,
      version: 1,
      businessTag: client.business.tag,
      invoiceNumber: 'INV/0042',
      date: '2026-11-20',
      currencyId: 1,
      buyerId: client.buyer.id,
      amount: 1_000_000.25,
      paymentDueOn: null,
      vat: null,
      discountApplication: {
        tag: null,
        version: null,
        reference: null,
        status: { name: 'Draft' },
        financingPeriodId: null,
        applicationDate: null,
        amountAppliedFor: null,
        feesCharged: null,
        amountReceived: null,
      },
    });
  });

  it('keeps the buyer’s terms: what a later save leaves out stays, null or nothing clears it', async () => {
    const terms = { paymentDueOn: '2027-01-04', vat: 152_542.37 };
    const { tag } = await saveInvoice(client, terms);
    const load = async () => (await client.caller.get(`/invoices/${tag}`)).body;
    expect(await load()).toMatchObject(terms);
    await saveInvoice(client, { tag, version: 1, amount: 2_000_000 });
    expect(await load()).toMatchObject({ ...terms, version: 2 });
    await saveInvoice(client, { tag, version: 2, amount: 2_000_000, paymentDueOn: '', vat: null });
    expect(await load()).toMatchObject({ paymentDueOn: null, vat: null, version: 3 });
  });

  it.each([
    ['paymentDueOn', '2026-11-19', 'The buyer cannot pay before the date of the invoice. Check both days'],
    ['vat', 1_000_000.01, 'The VAT is more than the amount of the invoice. Check both amounts'],
    ['vat', -1, 'Give the VAT as an amount'],
  ])('is refused with a %s of %s', async (field, value, message) => {
    const answer = await postInvoice(client, invoiceForm(client, { [field]: value }));
    expect([answer.status, answer.body.fields]).toEqual([400, { [`invoice.${field}`]: message }]);
  });

  it('is recorded with who did it', async () => {
    const { tag } = await saveInvoice(client, { invoiceNumber: 'INV-7' });
    expect(await eventsOf(app, tag)).toEqual([
      {
        action: 'invoice.created',
        actor_tag: client.person.tag,
        before: null,
        after: {
          invoiceNumber: 'INV-7',
          invoiceDate: '2026-11-20',
          currencyId: 1,
          buyerId: client.buyer.id,
          faceValue: 100_000_000,
          paymentDueOn: null,
          vat: null,
        },
        request_id: expect.any(String),
      },
    ]);
  });

  it('takes numbers for ids, and empty or absent tags for the caller’s own', async () => {
    const form = invoiceForm(client, { currencyId: 2, buyerId: client.buyer.id, businessTag: '', tag: '' });
    expect((await client.caller.post('/invoices/edit', { userTag: '', invoice: form })).status).toBe(200);
    const { businessTag: _, ...without } = invoiceForm(client);
    expect((await client.caller.post('/invoices', { invoice: without })).status).toBe(200);
    const shouting = invoiceForm(client, { businessTag: client.business.tag.toUpperCase() });
    const userTag = client.person.tag.toUpperCase();
    expect((await client.caller.post('/invoices', { userTag, invoice: shouting })).status).toBe(200);
    expect(await countOf(client.business.id)).toBe(3);
  });

  it('may carry the smallest and the largest amount', async () => {
    expect((await saveInvoice(client, { amount: 0.01 })).invoice.amount).toBe(0.01);
    const { tag } = await saveInvoice(client, { amount: 9_999_999_999_999.99 });
    expect((await client.caller.get(`/invoices/${tag}`)).body.amount).toBe(9_999_999_999_999.99);
  });
});

describe('a save of an invoice', () => {
  it.each([
    [{ invoiceNumber: 'A' }, { 'invoice.invoiceNumber': 'Provide an invoice number' }],
    [{ currencyId: '0' }, { 'invoice.currencyId': 'Select currency' }],
    [{ buyerId: '' }, { 'invoice.buyerId': 'Select buyer' }],
    [{ amount: 0 }, { 'invoice.amount': 'Amount is required' }],
    [{ date: '2026-11-31' }, { 'invoice.date': 'Provide the invoice date' }],
    [{ status: 'Submitted' }, { 'invoice.status': 'This field is not known' }],
    [{ date: '2026-11-21' }, { 'invoice.date': 'The date must be today or earlier' }],
  ])('is refused for %j with 400', async (change, fields) => {
    const answer = await postInvoice(client, invoiceForm(client, change));
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(refused('BAD_REQUEST', 'Some fields need correcting', fields));
    expect(await countOf(client.business.id)).toBe(0);
  });

  it('is refused with both forms or none', async () => {
    const either = { invoice: 'Send either an invoice or an application' };
    for (const body of [{}, { userTag: client.person.tag }]) {
      const answer = await client.caller.post('/invoices', body);
      expect(answer.status).toBe(400);
      expect(answer.body.fields).toEqual(either);
    }
  });

  it('is refused in another’s name, whatever else is wrong with the form', async () => {
    const other = await buildClient(app);
    const foreignUser = await client.caller.post('/invoices', {
      userTag: other.person.tag,
      invoice: invoiceForm(client, { tag: randomUUID() }),
    });
    expect(foreignUser.status).toBe(403);
    expect(foreignUser.body).toEqual(refused('FORBIDDEN', 'You do not have permission to do this'));
    const foreignBusiness = await postInvoice(
      client,
      invoiceForm(client, { businessTag: other.business.tag, tag: randomUUID() }),
    );
    expect(foreignBusiness.status).toBe(403);
    expect(foreignBusiness.body).toEqual(refused('NOT_YOUR_BUSINESS', 'This belongs to another business'));
    const future = { date: '2026-11-21' };
    const body = { userTag: other.person.tag, invoice: invoiceForm(client, future) };
    expect((await client.caller.post('/invoices', body)).body.code).toBe('FORBIDDEN');
    const both = await postInvoice(client, invoiceForm(client, { ...future, businessTag: other.business.tag }));
    expect(both.body.code).toBe('NOT_YOUR_BUSINESS');
    expect(await countOf(other.business.id)).toBe(0);
  });

  it('is refused to staff, also to staff who are clients as well', async () => {
    const staff = await buildSignedIn(app, { perms: ['KSTAF'] });
    const both = await buildSignedIn(app, { perms: ['BIDA', 'KADMIN'], businessId: client.business.id });
    for (const { caller } of [staff, both]) {
      expect((await caller.post('/invoices', { invoice: invoiceForm(client) })).status).toBe(403);
    }
    expect(await countOf(client.business.id)).toBe(0);
  });

  it('is refused for a buyer or a currency that is not on offer', async () => {
    const idle = await buildBusiness(app, { kind: 'buyer', active: false });
    const noBuyer = await buildBusiness(app);
    const message = 'Choose one of the options offered';
    const cases = [
      [{ buyerId: idle.id }, { 'invoice.buyerId': message }],
      [{ buyerId: noBuyer.id }, { 'invoice.buyerId': message }],
      [{ buyerId: 2_000_000_000 }, { 'invoice.buyerId': message }],
      [{ currencyId: 99 }, { 'invoice.currencyId': message }],
      [
        { currencyId: 99, buyerId: idle.id },
        { 'invoice.buyerId': message, 'invoice.currencyId': message },
      ],
    ] as const;
    for (const [change, fields] of cases) {
      const answer = await postInvoice(client, invoiceForm(client, change));
      expect(answer.status).toBe(422);
      expect(answer.body).toEqual(refused('UNKNOWN_REFERENCE', message, fields));
    }
    expect(await countOf(client.business.id)).toBe(0);
  });

  it('is refused for an invoice of more than a year ago, new or changed', async () => {
    const message = 'The invoice may be at most 365 days old. Check the date, or use a newer invoice';
    const { tag, version } = await saveInvoice(client, { date: '2025-11-20' });
    for (const form of [{}, { tag }, { tag, version }]) {
      const answer = await postInvoice(client, invoiceForm(client, { ...form, date: '2025-11-19' }));
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual(refused('BAD_REQUEST', 'Some fields need correcting', { 'invoice.date': message }));
    }
    expect(await countOf(client.business.id)).toBe(1);
  });

  it('is refused with oneself as the buyer', async () => {
    const answer = await postInvoice(client, invoiceForm(client, { buyerId: client.business.id }));
    const message = 'The buyer cannot be your own business';
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual(refused('BUYER_IS_SELLER', message, { 'invoice.buyerId': message }));
  });

  it('is refused for a number in use, however it is written', async () => {
    await saveInvoice(client, { invoiceNumber: 'INV-0042' });
    const message = 'You already have an invoice with this number for this buyer';
    for (const invoiceNumber of ['INV-0042', 'inv 0042', 'Inv / 0042', 'ＩＮＶ_0042']) {
      const answer = await postInvoice(client, invoiceForm(client, { invoiceNumber }));
      expect(answer.status).toBe(409);
      expect(answer.body).toEqual(refused('INVOICE_NUMBER_TAKEN', message, { 'invoice.invoiceNumber': message }));
    }
    const { tag } = await saveInvoice(client, { invoiceNumber: 'INV-0043' });
    const renamed = await postInvoice(client, invoiceForm(client, { tag, invoiceNumber: 'inv-0042' }));
    expect(renamed.status).toBe(409);
    expect((await rowOf(app, tag)).invoice_number).toBe('INV-0043');
    expect(await countOf(client.business.id)).toBe(2);
  });

  it('accepts a number that another client, or the same one for another buyer, has', async () => {
    const other = await buildClient(app);
    const otherBuyer = await buildBusiness(app, { kind: 'buyer' });
    await saveInvoice(client, { invoiceNumber: 'INV-0042' });
    await saveInvoice(client, { invoiceNumber: 'INV-0042', buyerId: otherBuyer.id });
    await saveInvoice(other, { invoiceNumber: 'INV-0042', buyerId: client.buyer.id });
  });
});

describe('today is Kampala’s', () => {
  it('follows Kampala between nine in the evening and midnight in Greenwich', async () => {
    const night = await createTestApp();
    onTestFinished(() => night.close());
    // From noon in Kampala to half past midnight there, which is 21:30 on the day before in UTC.
    night.clock.advance(12.5 * HOUR_SECONDS);
    const late = await buildClient(night);
    const { tag } = await saveInvoice(late, { date: '2026-11-21' });
    expect((await rowOf(night, tag)).listed_on).toBe('2026-11-21');
    expect((await postInvoice(late, invoiceForm(late, { date: '2026-11-22' }))).status).toBe(400);
  });
});

describe('at the same time', () => {
  it('two saves of one number make one invoice', async () => {
    const form = invoiceForm(client, { invoiceNumber: 'INV-9000' });
    const variants = ['INV-9000', 'inv 9000', 'INV/9000', 'Inv_9000', 'INV--9000'];
    const answers = await Promise.all(variants.map((invoiceNumber) => postInvoice(client, { ...form, invoiceNumber })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status, body }) => status === 409 && body.code === 'INVOICE_NUMBER_TAKEN')).toHaveLength(
      4,
    );
    expect(await countOf(client.business.id)).toBe(1);
  });

  it('one request sent 20 times under one Idempotency-Key makes one invoice and one answer', async () => {
    const form = invoiceForm(client);
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => postInvoice(client, form, headers)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await countOf(client.business.id)).toBe(1);
    expect(await eventsOf(app, answers[0]?.body.data.tag)).toHaveLength(1);
    const other = await postInvoice(client, { ...form, amount: 2 }, headers);
    expect(other.status).toBe(422);
    expect(other.body.code).toBe('IDEMPOTENCY_MISMATCH');
  });
});
