import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { isEditable, stepAllowed } from './lifecycle.ts';
import { applicationForm } from './schema.ts';

const form = {
  invoiceTag: 'b3f0c7f6-8b86-4d11-b42d-00c04fc964ff',
  reference: '6f9619ff-8b86-4d11-b42d-00c04fc964ff',
  applicationDate: '2026-11-20',
  amountAppliedFor: 900_000.5,
  financingPeriodId: '3',
};

function messagesOf(change: Record<string, unknown>): string[] {
  const parsed = applicationForm.safeParse({ ...form, ...change });
  return parsed.success
    ? []
    : parsed.error.issues.map((issue: z.core.$ZodIssue) => `${issue.path.join('.')}: ${issue.message}`);
}

describe('applicationForm', () => {
  it('parses amounts to minor units and ids to integers', () => {
    expect(applicationForm.parse({ ...form, feesCharged: 99_000.06 })).toEqual({
      ...form,
      amountAppliedFor: 90_000_050,
      feesCharged: 9_900_006,
      financingPeriodId: 3,
    });
  });

  it('takes the helper values, and null or empty as not given', () => {
    const helpers = {
      maximumAmount: null,
      feesCharged: null,
      amountReceived: '',
      invoiceDiscountPercentage: null,
      feeRatePercentage: '',
      concessionRate: 0.5,
      discountFeeRateId: '2',
      tag: '',
      version: null,
    };
    expect(messagesOf(helpers)).toEqual([]);
  });

  it.each([
    [{ amountAppliedFor: undefined }, 'amountAppliedFor: Amount applied for is required'],
    [{ amountAppliedFor: null }, 'amountAppliedFor: Amount applied for is required'],
    [{ amountAppliedFor: '900000' }, 'amountAppliedFor: Amount applied for is required'],
    [{ amountAppliedFor: 0 }, 'amountAppliedFor: Amount applied for is required'],
    [{ amountAppliedFor: -1 }, 'amountAppliedFor: Amount applied for is required'],
    [{ amountAppliedFor: 1.001 }, 'amountAppliedFor: Use up to 2 decimals, and no more than 9,999,999,999,999.99'],
    [{ amountAppliedFor: 1e13 }, 'amountAppliedFor: Use up to 2 decimals, and no more than 9,999,999,999,999.99'],
    [{ financingPeriodId: 0 }, 'financingPeriodId: Select Financing Period'],
    [{ financingPeriodId: '' }, 'financingPeriodId: Select Financing Period'],
    [{ financingPeriodId: null }, 'financingPeriodId: Select Financing Period'],
    [{ financingPeriodId: '1.5' }, 'financingPeriodId: Select Financing Period'],
    [{ applicationDate: '2026-02-30' }, 'applicationDate: Provide the application date'],
    [{ reference: 'INV-1' }, 'reference: Not a valid reference'],
  ])('refuses %j', (change, message) => {
    expect(messagesOf(change)).toEqual([message]);
  });

  it('refuses a key that it does not know', () => {
    expect(applicationForm.safeParse({ ...form, status: 'Submitted' }).success).toBe(false);
  });
});

describe('the lifecycle', () => {
  it('lets a draft alone be changed and submitted', () => {
    expect([isEditable('Draft'), isEditable('Submitted')]).toEqual([true, false]);
    expect([stepAllowed('submit', 'Draft'), stepAllowed('submit', 'Submitted')]).toEqual([true, false]);
  });
});
