import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  applicationForm,
  buildClient,
  type Client,
  eventsOf,
  invoiceForm,
  postApplication,
  postInvoice,
  rowOf,
  saveApplication,
  saveInvoice,
} from '#server/invoices/invoices.harness.ts';
import { buildReadyInvoice } from '#testing/builders.ts';
import { appOfFile } from '#testing/test-app.ts';

const MISMATCH = 'The fee or the amount to be received has changed. Check the figures and save again';

const app = appOfFile();
let client: Client;
let invoiceTag: string;
beforeEach(async () => {
  client = await buildClient(app);
  invoiceTag = (await saveInvoice(client)).tag;
});

function prefixed(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([field, message]) => [`application.${field}`, message]));
}

/**
 * Saves and validates a form, and expects both to refuse it: by the same rules, with the same words, and storing
 * nothing.
 */
async function expectRefused(
  change: Record<string, unknown>,
  code: string,
  fields: Record<string, string>,
): Promise<void> {
  const before = await rowOf(app, invoiceTag);
  const form = applicationForm(invoiceTag, change);
  const saved = await postApplication(client, form);
  expect([saved.status, saved.body.code, saved.body.fields]).toEqual([422, code, prefixed(fields)]);
  const validated = await client.caller.post('/applications/validate', form);
  expect([validated.status, validated.body]).toEqual([200, { success: false, fields }]);
  expect(await rowOf(app, invoiceTag)).toEqual(before);
}

describe('a new application', () => {
  it('is priced by the server, and answered with its own tag and version and the invoice', async () => {
    const reference = randomUUID();
    const form = applicationForm(invoiceTag, {
      reference,
      applicationDate: '2026-11-18',
      maximumAmount: 900_000,
      invoiceDiscountPercentage: 90,
      feeRatePercentage: 11,
      concessionRate: 0,
      discountFeeRateId: '3',
    });
    const answer = await postApplication(client, form);
    expect(answer.status).toBe(200);
    const { tag } = answer.body.data;
    expect(tag).not.toBe(invoiceTag);
    expect(answer.body).toEqual({
      success: true,
      data: { tag, version: 1, invoice: { tag: invoiceTag, amount: 1_000_000 } },
    });
    for (const path of [invoiceTag, tag]) {
      const { body } = await client.caller.get(`/invoices/${path}`);
      expect(body).toMatchObject({ tag: invoiceTag, version: 1 });
      expect(body.discountApplication).toEqual({
        tag,
        version: 1,
        reference,
        status: { name: 'Draft' },
        financingPeriodId: 3,
        applicationDate: '2026-11-18',
        amountAppliedFor: 900_000,
        feesCharged: 99_000,
        amountReceived: 801_000,
      });
    }
    expect(await rowOf(app, invoiceTag)).toMatchObject({
      listed_on: '2026-11-18',
      tenor_days: 30,
      fee_rate_bps: 1100,
      discount_fee: 9_900_000,
      net_proceeds: 80_100_000,
    });
    expect((await eventsOf(app, invoiceTag)).at(-1)).toMatchObject({
      action: 'application.created',
      actor_tag: client.person.tag,
      before: null,
      after: { reference, advance: 90_000_000, tenorDays: 30, discountFee: 9_900_000, netProceeds: 80_100_000 },
    });
  });

  it.each([
    [1, 0.17, 0.01, 0.16],
    [1, 0.16, 0, 0.16],
    [2, 0.5, 0.04, 0.46],
    [3, 0.05, 0.01, 0.04],
    [3, 899_999.99, 99_000, 800_999.99],
  ])(
    'over period %d for %d costs %d and brings %d',
    async (financingPeriodId, amountAppliedFor, feesCharged, amountReceived) => {
      const figures = { financingPeriodId, amountAppliedFor, feesCharged, amountReceived };
      await saveApplication(client, invoiceTag, figures);
      const { body } = await client.caller.get(`/invoices/${invoiceTag}`);
      expect(body.discountApplication).toMatchObject(figures);
    },
  );

  it('needs no figures: null, empty and absent are not given', async () => {
    const nothing = { feesCharged: null, amountReceived: '', maximumAmount: null, feeRatePercentage: undefined };
    await saveApplication(client, invoiceTag, nothing);
    expect(await rowOf(app, invoiceTag)).toMatchObject({ discount_fee: 9_900_000, net_proceeds: 80_100_000 });
  });

  it('may be posted to the other reading', async () => {
    const body = { userTag: client.person.tag, application: applicationForm(invoiceTag) };
    expect((await client.caller.post('/invoices/edit', body)).body.data.invoice.tag).toBe(invoiceTag);
  });
});

describe('a form with a wrong field', () => {
  it.each([
    [{ amountAppliedFor: 0 }, { amountAppliedFor: 'Amount applied for is required' }],
    [{ amountAppliedFor: null }, { amountAppliedFor: 'Amount applied for is required' }],
    [{ financingPeriodId: '0' }, { financingPeriodId: 'Select Financing Period' }],
    [{ status: 'Submitted' }, { status: 'This field is not known' }],
    [{ applicationDate: '2026-11-21' }, { applicationDate: 'The date must be today or earlier' }],
  ])('%j is refused with 400', async (change, fields) => {
    const answer = await postApplication(client, applicationForm(invoiceTag, change));
    expect([answer.status, answer.body.code, answer.body.fields]).toEqual([400, 'BAD_REQUEST', prefixed(fields)]);
    expect((await rowOf(app, invoiceTag)).application_tag).toBeNull();
  });

  it('says so before it looks for the invoice, and after it has looked at who sends it', async () => {
    const application = applicationForm(randomUUID(), { applicationDate: '2026-11-21' });
    expect((await postApplication(client, application)).status).toBe(400);
    expect((await client.caller.post('/invoices', { userTag: randomUUID(), application })).status).toBe(403);
  });

  it('is told by /applications/validate as well, a date in the future among the rules', async () => {
    const bad = await client.caller.post(
      '/applications/validate',
      applicationForm(invoiceTag, { amountAppliedFor: 0 }),
    );
    expect([bad.status, bad.body.fields]).toEqual([400, { amountAppliedFor: 'Amount applied for is required' }]);
    const future = applicationForm(invoiceTag, { applicationDate: '2026-11-21' });
    const answer = await client.caller.post('/applications/validate', future);
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: false, fields: { applicationDate: 'The date must be today or earlier' } },
    ]);
  });
});

describe('the rules of amounts', () => {
  it('an advance above 90 % of what is stored is refused, to the hundredth', async () => {
    await expectRefused(
      { amountAppliedFor: 900_000.01, feesCharged: null, amountReceived: null },
      'ADVANCE_ABOVE_MAXIMUM',
      {
        amountAppliedFor: 'Amount applied for should be less than invoice amount',
      },
    );
  });

  it('nothing can be applied for where 90 % is nothing', async () => {
    await saveInvoice(client, { tag: invoiceTag, amount: 0.01 });
    await expectRefused({ amountAppliedFor: 0.01, feesCharged: null, amountReceived: null }, 'INVOICE_INCOMPLETE', {
      amountAppliedFor: 'Invoice data is incomplete (above)',
    });
  });

  it('a period that does not exist is refused', async () => {
    await expectRefused({ financingPeriodId: 99 }, 'TENOR_NOT_OFFERED', {
      financingPeriodId: 'Select Financing Period',
    });
  });

  it.each([
    ['feesCharged', 98_999.99],
    ['feesCharged', 0],
    ['amountReceived', 801_000.01],
    ['maximumAmount', 1_000_000],
    ['maximumAmount', 0],
    ['invoiceDiscountPercentage', 89.9],
    ['feeRatePercentage', 3],
  ])('%s of %d is refused', async (field, figure) => {
    await expectRefused({ [field]: figure }, 'QUOTE_MISMATCH', { [field]: MISMATCH });
  });

  it('every figure that disagrees is named', async () => {
    await expectRefused({ feesCharged: 1, amountReceived: 899_999, feeRatePercentage: 0 }, 'QUOTE_MISMATCH', {
      feeRatePercentage: MISMATCH,
      feesCharged: MISMATCH,
      amountReceived: MISMATCH,
    });
  });

  it('a period that exists but is not offered costs nothing, and is refused at submission only', async () => {
    await app.platform.db.insertInto('financing_periods').values({ id: 60, name: '60 days', days: 60 }).execute();
    await expectRefused({ financingPeriodId: 60 }, 'QUOTE_MISMATCH', {
      feesCharged: MISMATCH,
      amountReceived: MISMATCH,
    });
    await saveApplication(client, invoiceTag, { financingPeriodId: 60, feesCharged: 0, amountReceived: 900_000 });
    const { body } = await client.caller.get(`/invoices/${invoiceTag}/validate_submission`);
    expect(body.missing).toContain('Select Financing Period');
  });
});

describe('the reference', () => {
  it('stays what it was at the first save', async () => {
    const reference = randomUUID();
    await saveApplication(client, invoiceTag, { reference });
    await expectRefused({}, 'REFERENCE_CHANGED', { reference: 'The reference of an application cannot be changed' });
    const again = await saveApplication(client, invoiceTag, { reference: reference.toUpperCase() });
    expect(again.version).toBe(1);
  });

  it('belongs to one application only, anybody’s', async () => {
    const other = await buildClient(app);
    const reference = randomUUID();
    await saveApplication(other, (await saveInvoice(other)).tag, { reference });
    await expectRefused({ reference }, 'REFERENCE_TAKEN', {
      reference: 'This reference belongs to another application',
    });
  });

  it('goes to one of two applications that are saved with it at once', async () => {
    const second = await saveInvoice(client);
    const reference = randomUUID();
    const answers = await Promise.all(
      [invoiceTag, second.tag].map((tag) => postApplication(client, applicationForm(tag, { reference }))),
    );
    const outcomes = answers.map(({ status, body }) => `${status} ${body.code}`);
    expect(new Set(outcomes)).toEqual(new Set(['200 undefined', '422 REFERENCE_TAKEN']));
  });
});

describe('an application that is saved again', () => {
  it('changes, counts its own version and moves in the list; the invoice’s version stays', async () => {
    const reference = randomUUID();
    const first = await saveApplication(client, invoiceTag, { reference });
    const change = {
      reference,
      tag: first.tag,
      version: 1,
      applicationDate: '2026-11-01',
      amountAppliedFor: 500_000,
      financingPeriodId: 1,
      feesCharged: 15_000,
      amountReceived: 485_000,
    };
    const second = await saveApplication(client, first.tag, change);
    expect(second).toEqual({ tag: first.tag, version: 2, invoice: { tag: invoiceTag, amount: 1_000_000 } });
    const { body } = await client.caller.get(`/invoices/${invoiceTag}`);
    expect(body.version).toBe(1);
    expect(body.discountApplication).toMatchObject({ version: 2, feesCharged: 15_000, applicationDate: '2026-11-01' });
    expect((await rowOf(app, invoiceTag)).listed_on).toBe('2026-11-01');
    expect((await eventsOf(app, invoiceTag)).at(-1)).toMatchObject({
      action: 'application.changed',
      before: { advance: 90_000_000, tenorDays: 30 },
      after: { advance: 50_000_000, tenorDays: 7 },
    });
  });

  it('changes nothing if it is identical: no version, no event', async () => {
    const form = applicationForm(invoiceTag);
    const first = await postApplication(client, form);
    const again = await postApplication(client, { ...form, version: 1, maximumAmount: 900_000 });
    expect(again.body).toEqual(first.body);
    expect(await eventsOf(app, invoiceTag)).toHaveLength(2);
  });

  it('is refused with a stale version, before its amounts are looked at', async () => {
    const reference = randomUUID();
    await saveApplication(client, invoiceTag, { reference });
    const half = { reference, amountAppliedFor: 450_000, feesCharged: 49_500, amountReceived: 400_500 };
    await saveApplication(client, invoiceTag, { ...half, version: 1 });
    const stale = applicationForm(invoiceTag, { version: 1, amountAppliedFor: 5_000_000 });
    for (const path of ['/invoices', '/applications/validate']) {
      const answer = await client.caller.post(path, path === '/invoices' ? { application: stale } : stale);
      expect([answer.status, answer.body.code]).toEqual([409, 'STALE_VERSION']);
    }
    expect((await rowOf(app, invoiceTag)).advance).toBe(45_000_000);
    const early = await postApplication(client, applicationForm((await saveInvoice(client)).tag, { version: 1 }));
    expect(early.body.code).toBe('STALE_VERSION');
  });

  it('is not found under a tag that is not this application’s', async () => {
    const other = await saveApplication(client, (await saveInvoice(client)).tag);
    for (const tag of [other.tag, invoiceTag, randomUUID()]) {
      const form = applicationForm(invoiceTag, { tag, version: 9 });
      expect((await postApplication(client, form)).status).toBe(404);
      expect((await client.caller.post('/applications/validate', form)).status).toBe(404);
    }
  });

  it('is refused after submission, whatever else is wrong', async () => {
    const { tag } = await buildReadyInvoice(app, client.person);
    await client.caller.post(`/applications/${tag}/submit`);
    const stored = await rowOf(app, tag);
    const form = applicationForm(tag, { version: 99, amountAppliedFor: 5_000_000 });
    const answer = await postApplication(client, form);
    expect([answer.status, answer.body.code]).toEqual([409, 'NOT_EDITABLE']);
    expect((await client.caller.post('/applications/validate', form)).body.code).toBe('NOT_EDITABLE');
    expect((await postApplication(client, applicationForm(tag, { tag: randomUUID() }))).status).toBe(404);
    expect(await rowOf(app, tag)).toEqual(stored);
  });
});

describe('under one invoice', () => {
  it('lowering the amount below the advance is allowed, and the next application save is not', async () => {
    const reference = randomUUID();
    await saveApplication(client, invoiceTag, { reference });
    const lowered = await saveInvoice(client, { tag: invoiceTag, amount: 999_999.99 });
    expect(lowered.invoice.amount).toBe(999_999.99);
    await expectRefused({ reference }, 'ADVANCE_ABOVE_MAXIMUM', {
      amountAppliedFor: 'Amount applied for should be less than invoice amount',
    });
  });

  it('ten first saves at once make one application', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => postApplication(client, applicationForm(invoiceTag))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'REFERENCE_CHANGED')).toHaveLength(9);
    expect((await eventsOf(app, invoiceTag)).map(({ action }) => action)).toEqual([
      'invoice.created',
      'application.created',
    ]);
  });

  it('an application and an amount that cannot both be right are never both stored unseen', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { tag } = await saveInvoice(client);
      const saves = [
        () => postInvoice(client, invoiceForm(client, { tag, amount: 500_000 })),
        () => postApplication(client, applicationForm(tag, { maximumAmount: 900_000 })),
      ];
      const answers = await Promise.all((round % 2 === 0 ? saves : saves.toReversed()).map((save) => save()));
      const { body } = await client.caller.get(`/invoices/${tag}/validate_submission`);
      const isSaved = answers.every(({ status }) => status === 200);
      expect(body.missing.includes('Amount applied for should be less than invoice amount')).toBe(isSaved);
    }
  });

  it('one request sent 20 times under one Idempotency-Key is one save', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const form = applicationForm(invoiceTag);
    const answers = await Promise.all(Array.from({ length: 20 }, () => postApplication(client, form, headers)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers[0]?.body.data.version).toBe(1);
    expect(await eventsOf(app, invoiceTag)).toHaveLength(2);
  });
});

describe('POST /applications/validate', () => {
  it('finds nothing wrong with a right form, and stores nothing', async () => {
    const before = await rowOf(app, invoiceTag);
    const answer = await client.caller.post('/applications/validate', applicationForm(invoiceTag));
    expect([answer.status, answer.body]).toEqual([200, { success: true, fields: {} }]);
    expect(await rowOf(app, invoiceTag)).toEqual(before);
    expect(await eventsOf(app, invoiceTag)).toHaveLength(1);
  });

  it('names every wrong field at once', async () => {
    const form = { amountAppliedFor: 950_000, feesCharged: 1, applicationDate: '2027-01-01', financingPeriodId: 99 };
    const answer = await client.caller.post('/applications/validate', applicationForm(invoiceTag, form));
    expect(answer.body).toEqual({
      success: false,
      fields: {
        applicationDate: 'The date must be today or earlier',
        amountAppliedFor: 'Amount applied for should be less than invoice amount',
        financingPeriodId: 'Select Financing Period',
      },
    });
  });
});
