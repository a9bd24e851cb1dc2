import { describe, expect, it } from 'vitest';
import { type ApplicationBasis, judgeApplication } from './rules.ts';
import type { ApplicationForm } from './schema.ts';

const REFERENCE = '6f9619ff-8b86-4d11-b42d-00c04fc964ff';
const MISMATCH = 'The fee or the amount to be received has changed. Check the figures and save again';

/** UGX 900,000 over 30 days on an invoice of UGX 1,000,000: fee 99,000, net proceeds 801,000. */
const form: ApplicationForm = {
  invoiceTag: 'b3f0c7f6-8b86-4d11-b42d-00c04fc964ff',
  reference: REFERENCE,
  applicationDate: '2026-11-20',
  amountAppliedFor: 90_000_000,
  financingPeriodId: 3,
};
const basis: ApplicationBasis = { faceValue: 100_000_000, tenorDays: 30, reference: undefined };

function problemsOf(change: Partial<ApplicationForm>, otherBasis: Partial<ApplicationBasis> = {}): string[] {
  const verdict = judgeApplication({ ...form, ...change }, { ...basis, ...otherBasis });
  return verdict.ok ? [] : verdict.problems.map(({ code, field, message }) => `${code} ${field}: ${message}`);
}

describe('judgeApplication', () => {
  it('prices a form that agrees, with every figure given or none', () => {
    const figures = {
      maximumAmount: 90_000_000,
      invoiceDiscountPercentage: 90,
      feeRatePercentage: 11,
      feesCharged: 9_900_000,
      amountReceived: 80_100_000,
    };
    const priced = {
      ok: true,
      tenorDays: 30,
      quoted: {
        maximumAdvance: 90_000_000,
        advancePercentTenths: 900,
        feeRateBps: 1100,
        discountFee: 9_900_000,
        netProceeds: 80_100_000,
      },
    };
    expect(judgeApplication(form, basis)).toEqual(priced);
    expect(judgeApplication({ ...form, ...figures }, basis)).toEqual(priced);
  });

  it('refuses an advance above 90 % of the face value, to the hundredth', () => {
    const above = 'ADVANCE_ABOVE_MAXIMUM amountAppliedFor: Amount applied for should be less than invoice amount';
    expect(problemsOf({ amountAppliedFor: 90_000_001 })).toEqual([above]);
    expect(problemsOf({}, { faceValue: 99_999_999 })).toEqual([above]);
  });

  it('refuses any advance if 90 % of the face value rounds to nothing', () => {
    expect(problemsOf({ amountAppliedFor: 1 }, { faceValue: 1 })).toEqual([
      'INVOICE_INCOMPLETE amountAppliedFor: Invoice data is incomplete (above)',
    ]);
  });

  it('refuses a period that does not exist, and prices one that is not offered at 0', () => {
    expect(problemsOf({ feesCharged: 1 }, { tenorDays: undefined })).toEqual([
      'TENOR_NOT_OFFERED financingPeriodId: Select Financing Period',
    ]);
    expect(problemsOf({ feesCharged: 0, amountReceived: 90_000_000, feeRatePercentage: 0 }, { tenorDays: 60 })).toEqual(
      [],
    );
  });

  it.each([
    ['maximumAmount', 90_000_001],
    ['invoiceDiscountPercentage', 89.9],
    ['feeRatePercentage', 7],
    ['feesCharged', 9_899_999],
    ['amountReceived', 0],
  ] as const)('names %s where it disagrees with the quote', (field, figure) => {
    expect(problemsOf({ [field]: figure })).toEqual([`QUOTE_MISMATCH ${field}: ${MISMATCH}`]);
  });

  it('keeps the reference of the first save, in either case of letters', () => {
    expect(problemsOf({ reference: REFERENCE.toUpperCase() }, { reference: REFERENCE })).toEqual([]);
    expect(problemsOf({}, { reference: 'c0ffee00-8b86-4d11-b42d-00c04fc964ff' })).toEqual([
      'REFERENCE_CHANGED reference: The reference of an application cannot be changed',
    ]);
  });

  it('names everything that is wrong, in the order of refusal', () => {
    const wrong = problemsOf(
      { amountAppliedFor: 95_000_000, maximumAmount: 1, feesCharged: 0 },
      { reference: 'c0ffee00-8b86-4d11-b42d-00c04fc964ff' },
    );
    expect(wrong.map((line) => line.split(':')[0])).toEqual([
      'ADVANCE_ABOVE_MAXIMUM amountAppliedFor',
      'QUOTE_MISMATCH maximumAmount',
      'QUOTE_MISMATCH feesCharged',
      'REFERENCE_CHANGED reference',
    ]);
  });
});
