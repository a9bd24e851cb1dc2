import { randomUUID } from 'node:crypto';

/** What the calls of the permission matrix are sent. */

export const businessForm = () => ({
  name: `Matrix ${randomUUID()}`,
  industryId: 1,
  districtId: 1,
  isClient: true,
  isBuyer: false,
});

export const applicationForm = (invoiceTag: string) => ({
  invoiceTag,
  reference: randomUUID(),
  applicationDate: '2026-11-20',
  amountAppliedFor: 900_000,
  feesCharged: 99_000,
  amountReceived: 801_000,
  financingPeriodId: 3,
});

/** The net proceeds of a built case. */
export const payment = { method: 'bank', reference: 'TT-100', date: '2026-11-20', amount: 801_000 };

/** Nothing looks like the built case. */
export const noFlag = {
  flags: [{ kind: 'sameFile', otherTag: '5d0c1a0e-8f0b-4c57-9d35-2f6f0c9f1b11' }],
  reason: 'It is another delivery.',
};
