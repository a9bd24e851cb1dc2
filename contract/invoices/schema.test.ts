import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { invoiceForm, invoiceNumberKey, invoicesBody, isTooOld, saveBody, tooOldDate } from './schema.ts';

const form = {
  businessTag: 'b3f0c7f6-8b86-4d11-b42d-00c04fc964ff',
  invoiceNumber: ' INV-0042 ',
  date: '2026-11-20',
  currencyId: '1',
  buyerId: '7',
  amount: 1_000_000.25,
};

function messagesOf(schema: z.ZodType, value: unknown): string[] {
  const parsed = schema.safeParse(value);
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('invoiceForm', () => {
  it('parses the amount to minor units, ids to integers, and trims the number', () => {
    expect(invoiceForm.parse({ ...form, tag: '', version: undefined })).toEqual({
      ...form,
      invoiceNumber: 'INV-0042',
      currencyId: 1,
      buyerId: 7,
      amount: 100_000_025,
      tag: undefined,
    });
  });

  it.each([
    [{ invoiceNumber: 'A' }, 'invoiceNumber: Provide an invoice number'],
    [{ invoiceNumber: ' A ' }, 'invoiceNumber: Provide an invoice number'],
    [{ invoiceNumber: undefined }, 'invoiceNumber: Provide an invoice number'],
    [{ invoiceNumber: 'A'.repeat(61) }, 'invoiceNumber: Use at most 60 characters'],
    [{ currencyId: 0 }, 'currencyId: Select currency'],
    [{ currencyId: '' }, 'currencyId: Select currency'],
    [{ buyerId: '-1' }, 'buyerId: Select buyer'],
    [{ buyerId: null }, 'buyerId: Select buyer'],
    [{ buyerId: 2_147_483_648 }, 'buyerId: Select buyer'],
    [{ amount: undefined }, 'amount: Amount is required'],
    [{ amount: null }, 'amount: Amount is required'],
    [{ amount: 0 }, 'amount: Amount is required'],
    [{ amount: 0.001 }, 'amount: Use up to 2 decimals, and no more than 9,999,999,999,999.99'],
    [{ date: '20 Nov 2026' }, 'date: Provide the invoice date'],
    [{ date: '2025-02-29' }, 'date: Provide the invoice date'],
    [{ tag: 'draft' }, 'tag: Not a valid reference'],
  ])('refuses %j', (change, message) => {
    expect(messagesOf(invoiceForm, { ...form, ...change })).toContain(message);
  });
});

describe('an invoice that is too old', () => {
  it.each([
    ['2025-11-20', 365, false],
    ['2025-11-19', 365, true],
    ['2026-11-20', 1, false],
    ['2026-11-19', 1, false],
    ['2026-11-18', 1, true],
    ['2026-11-21', 365, false],
  ])('%s on 2026-11-20 within %i days: %s', (date, days, tooOld) => {
    expect(isTooOld(date, '2026-11-20', days)).toBe(tooOld);
    expect(tooOldDate(days)).toContain(`at most ${days} days old`);
  });
});

describe('saveBody', () => {
  it('takes an invoice or an application, never both or neither', () => {
    const either = 'invoice: Send either an invoice or an application';
    expect(messagesOf(saveBody, { invoice: form })).toEqual([]);
    expect(messagesOf(saveBody, {})).toEqual([either]);
    expect(messagesOf(saveBody, { invoice: form, status: 'Submitted' })).not.toEqual([]);
  });
});

describe('invoicesBody', () => {
  it('fills in what the specification’s payload leaves out', () => {
    const filled = { page: 1, size: 10, searchPhrase: '' };
    expect(invoicesBody.parse(undefined)).toEqual(filled);
    expect(invoicesBody.parse({ page: 1, businessTag: '' })).toEqual(filled);
  });
});

describe('invoiceNumberKey', () => {
  it.each([
    ['INV-0042', 'inv 0042'],
    ['INV-0042', 'Inv/0042'],
    ['INV-0042', 'INV - 0042'],
    ['INV-0042', 'INV__0042'],
    ['INV-0042', '  inv–0042  '],
    ['ＩＮＶ-０042', 'inv-0042'],
    ['Ａ＃1', 'a#1'],
    ['A+1', 'a 1'],
    ['\u0130\u0327', 'i\u0327\u0307'],
  ])('sees %j and %j as the same number', (one, other) => {
    expect(invoiceNumberKey(one)).toBe(invoiceNumberKey(other));
  });

  it.each([
    ['INV-0042', 'INV-0043'],
    ['INV-0042', 'INV0042'],
    ['1-11', '11-1'],
    ['Ö1', 'O1'],
  ])('sees %j and %j as two numbers', (one, other) => {
    expect(invoiceNumberKey(one)).not.toBe(invoiceNumberKey(other));
  });

  it('is its own key, whatever was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (typed) => {
        const key = invoiceNumberKey(typed);
        return invoiceNumberKey(key) === key;
      }),
      { numRuns: 5000 },
    );
  });
});
