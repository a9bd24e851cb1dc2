import { describe, expect, it } from 'vitest';
import { type ReferenceUse, refusalOfReference, type TypedReceipt } from './used-reference.ts';

const typed: TypedReceipt = { applicationTag: 'a', method: 'mtn', date: '2026-11-20' };
const use: ReferenceUse = {
  applicationTag: 'b',
  invoiceNumber: 'INV-1',
  repaymentReference: 'KDYC7HHA',
  date: '2026-11-19',
  isRequest: false,
};
const bank = { ...typed, method: 'bank' } as const;
const own = { ...use, applicationTag: 'a' };
const nothing = { isOnStatement: false, uses: [] };
const where = 'INV-1 (KDYC-7HHA), 19 Nov 2026';

describe('a reference that is typed', () => {
  it.each([
    ['nothing has', typed, nothing, undefined],
    ['this application has that day', { ...typed, date: own.date }, { ...nothing, uses: [own] }, undefined],
    ['this application has on another day', typed, { ...nothing, uses: [own] }, ['PAYMENT_RECORDED', where]],
    ['another application has', typed, { ...nothing, uses: [use] }, ['PAYMENT_RECORDED', where]],
    [
      'another application has, confirmed',
      { ...typed, referenceConfirmed: true },
      { ...nothing, uses: [use] },
      ['PAYMENT_RECORDED', where],
    ],
    [
      'a request to pay has',
      typed,
      { ...nothing, uses: [{ ...own, isRequest: true }] },
      ['PAYMENT_RECORDED', 'Pay now'],
    ],
    [
      'a request of another application has',
      bank,
      { ...nothing, uses: [{ ...use, isRequest: true }] },
      ['PAYMENT_RECORDED', where],
    ],
    ['a statement has', bank, { isOnStatement: true, uses: [] }, ['PAYMENT_RECORDED', 'Received Money']],
    ['a statement has, and it is assigned', bank, { isOnStatement: true, uses: [use] }, ['PAYMENT_RECORDED', where]],
    ['another payment of the bank has', bank, { ...nothing, uses: [use] }, ['REFERENCE_USED', where]],
    ['this application has of the bank, on another day', bank, { ...nothing, uses: [own] }, ['REFERENCE_USED', where]],
    [
      'another payment of the bank has, confirmed',
      { ...bank, referenceConfirmed: true },
      { ...nothing, uses: [use] },
      undefined,
    ],
  ] as const)('and that %s', (_, receipt, counted, expected) => {
    const refusal = refusalOfReference(receipt, counted);
    expect(refusal?.code).toBe(expected?.[0]);
    if (expected !== undefined) expect(refusal?.why).toContain(expected[1]);
  });
});
