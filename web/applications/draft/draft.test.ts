import { describe, expect, it } from 'vitest';
import { HOW_TO_WRITE, IN_FIGURES } from '#contract/amounts/read-amount.ts';
import { quote } from '#contract/applications/quote.ts';
import { type LoadedInvoice, saveBody } from '#contract/invoices/schema.ts';
import {
  afterRefusal,
  afterSave,
  checkTyped,
  draftOf,
  fingerprints,
  isUnsaved,
  presetCurrency,
  type Save,
  saveApplicationBody,
  saveInvoiceBody,
  save as saveSchema,
  type Typed,
  typedOf,
  waits,
  whatKeepsItUnsaved,
} from './draft.ts';

const invoiceTag = '0b0e1f57-6a0d-4a53-8f0f-0b8a3b0f1a01';
const applicationTag = '0b0e1f57-6a0d-4a53-8f0f-0b8a3b0f1a02';
const reference = '0b0e1f57-6a0d-4a53-8f0f-0b8a3b0f1a03';
const owner = {
  userTag: '0b0e1f57-6a0d-4a53-8f0f-0b8a3b0f1a04',
  businessTag: '0b0e1f57-6a0d-4a53-8f0f-0b8a3b0f1a05',
};

const loaded: LoadedInvoice = {
  tag: invoiceTag,
  version: 4,
  businessTag: owner.businessTag,
  invoiceNumber: 'INV-0042',
  date: '2026-11-03',
  currencyId: 1,
  buyerId: 7,
  amount: 1_000_000,
  paymentDueOn: null,
  vat: null,
  discountApplication: {
    tag: applicationTag,
    version: 2,
    reference,
    status: { name: 'Draft' },
    financingPeriodId: 3,
    applicationDate: '2026-11-04',
    amountAppliedFor: 900_000,
    feesCharged: 99_000,
    amountReceived: 801_000,
  },
};

function typing(invoice: Partial<Typed['invoice']>, application: Partial<Typed['application']> = {}): Typed {
  const typed = typedOf(loaded);
  return { invoice: { ...typed.invoice, ...invoice }, application: { ...typed.application, ...application } };
}

describe('a draft', () => {
  it('has nothing to save as it was loaded, and as a new one', () => {
    expect(isUnsaved(draftOf(loaded), typedOf(loaded))).toBe(false);
    expect(isUnsaved(draftOf(undefined), typedOf(undefined))).toBe(false);
  });

  it('has nothing to save while only the currency was chosen for the person', () => {
    const typed = typedOf(undefined);
    const preset = presetCurrency(draftOf(undefined), '1');
    expect(isUnsaved(preset, { ...typed, invoice: { ...typed.invoice, currencyId: '1' } })).toBe(false);
    expect(isUnsaved(preset, { ...typed, invoice: { ...typed.invoice, currencyId: '2' } })).toBe(true);
  });

  it('sends the invoice with its tag and version, ids as they are chosen', () => {
    const body = saveInvoiceBody(draftOf(loaded), typing({ amount: 1_200_000.5 }), owner);
    expect(body).toEqual({
      userTag: owner.userTag,
      invoice: {
        businessTag: owner.businessTag,
        invoiceNumber: 'INV-0042',
        date: '2026-11-03',
        currencyId: '1',
        buyerId: '7',
        amount: 1_200_000.5,
        paymentDueOn: null,
        vat: null,
        tag: invoiceTag,
        version: 4,
      },
    });
    expect(saveBody.safeParse(body).success).toBe(true);
  });

  it('sends a new invoice without tag and version', () => {
    const { invoice } = saveInvoiceBody(draftOf(undefined), typedOf(loaded), owner);
    expect(invoice).not.toHaveProperty('tag');
    expect(invoice).not.toHaveProperty('version');
  });

  it('sends the application with the figures that are on the screen', () => {
    const quoted = quote({ faceValue: 100_000_000, advance: 90_000_000, tenorDays: 30 });
    const body = saveApplicationBody(draftOf(loaded), typedOf(loaded), { quote: quoted, reference, invoiceTag });
    expect(body).toEqual({
      application: {
        invoiceTag,
        reference,
        applicationDate: '2026-11-04',
        amountAppliedFor: 900_000,
        financingPeriodId: '3',
        feesCharged: 99_000,
        amountReceived: 801_000,
        maximumAmount: 900_000,
        invoiceDiscountPercentage: 90,
        feeRatePercentage: 11,
        tag: applicationTag,
        version: 2,
      },
    });
    expect(saveBody.safeParse(body).success).toBe(true);
  });

  it('takes tag and version from the answer, and then has nothing to save', () => {
    const typed = typing({ amount: 2_000_000 });
    const draft = draftOf(loaded);
    const save = saveOf('invoice', typed);
    expect(waits(draft, 'invoice', typed)).toBe(true);
    const after = afterSave(draft, save, {
      success: true,
      data: { tag: invoiceTag, version: 5, invoice: { tag: invoiceTag, amount: 2_000_000 } },
    });
    expect(after.invoice).toEqual({ tag: invoiceTag, version: 5 });
    expect(waits(after, 'invoice', typed)).toBe(false);
    expect(isUnsaved(after, typed)).toBe(false);
    expect(isUnsaved(after, typing({ amount: 2_000_001 }))).toBe(true);
  });

  it('does not send again what was refused, until it is changed', () => {
    const typed = typing({ invoiceNumber: 'TAKEN' });
    const after = afterRefusal(draftOf(loaded), saveOf('invoice', typed));
    expect(waits(after, 'invoice', typed)).toBe(false);
    expect(isUnsaved(after, typed)).toBe(true);
    expect(waits(after, 'invoice', typing({ invoiceNumber: 'FREE' }))).toBe(true);
  });

  it('keeps a save on the device as it was sent', () => {
    const save = saveOf('invoice', typing({ amount: 1_200_000.5 }));
    expect(saveSchema.parse(JSON.parse(JSON.stringify(save)))).toEqual(save);
    expect(saveSchema.safeParse({ ...save, body: { invoice: { amount: 'much' } } }).success).toBe(false);
  });
});

describe('what is typed', () => {
  it.each([
    [{ invoiceNumber: 'A' }, 'invoiceNumber', 'Provide an invoice number'],
    [{ date: '' }, 'date', 'Provide the invoice date'],
    [{ date: '31 Feb 2026' }, 'date', 'Write the date like 5\u00a0Jan\u00a02026'],
    [{ date: '2999-01-01' }, 'date', 'The date must be today or earlier'],
    [{ amount: '' }, 'amount', 'Amount is required'],
    [{ amount: 0 }, 'amount', 'Amount is required'],
    [{ amount: '12,50' }, 'amount', HOW_TO_WRITE],
    [{ amount: '1.5m' }, 'amount', IN_FIGURES],
    [{ currencyId: '' }, 'currencyId', 'Select currency'],
    [{ buyerId: '' }, 'buyerId', 'Select buyer'],
  ] as const)('invoice %j: %s', (invoice, field, message) => {
    const wrong = checkTyped(typing(invoice));
    expect(wrong.invoice).toEqual({ [field]: message });
    // An amount cannot be compared with an incomplete invoice.
    expect(wrong.application).toEqual({ amountAppliedFor: 'Invoice data is incomplete (above)' });
    expect(whatKeepsItUnsaved(draftOf(loaded), typing(invoice))).toBe(message);
  });

  it.each([
    [{ amountAppliedFor: '' }, 'amountAppliedFor', 'Amount applied for is required'],
    [{ amountAppliedFor: 0 }, 'amountAppliedFor', 'Amount applied for is required'],
    [{ amountAppliedFor: -5 }, 'amountAppliedFor', 'Amount applied for is required'],
    [{ amountAppliedFor: '1.234.567,50' }, 'amountAppliedFor', HOW_TO_WRITE],
    [{ amountAppliedFor: 900_000.01 }, 'amountAppliedFor', 'Amount applied for should be less than invoice amount'],
    [{ financingPeriodId: '' }, 'financingPeriodId', 'Select Financing Period'],
    [{ applicationDate: '2999-01-01' }, 'applicationDate', 'The date must be today or earlier'],
  ] as const)('application %j: %s', (application, field, message) => {
    const wrong = checkTyped(typing({}, application));
    expect(wrong).toEqual({ invoice: {}, application: { [field]: message } });
    expect(whatKeepsItUnsaved(draftOf(loaded), typing({}, application))).toBe(message);
  });

  it('is held up by VAT that can be read in two ways', () => {
    expect(whatKeepsItUnsaved(draftOf(loaded), typing({ vat: '1,5' }))).toBe(HOW_TO_WRITE);
  });

  it('is right at exactly 90 % of the invoice', () => {
    expect(checkTyped(typing({}, { amountAppliedFor: 900_000 }))).toEqual({ invoice: {}, application: {} });
  });

  it('is not held up by an application that nobody has begun', () => {
    const draft = draftOf(undefined);
    const typed: Typed = { invoice: typedOf(loaded).invoice, application: typedOf(undefined).application };
    expect(whatKeepsItUnsaved(draft, typed)).toBeUndefined();
  });
});

function saveOf(part: Save['part'], typed: Typed): Save {
  const body = saveInvoiceBody(draftOf(loaded), typed, owner);
  return { part, idempotencyKey: 'a key', fingerprint: fingerprints(typed)[part], body };
}
