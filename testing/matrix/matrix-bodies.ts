import { randomInt, randomUUID } from 'node:crypto';
import { TEST_PASSWORD } from '#testing/builders.ts';

/** The bodies of the permission matrix's calls. */

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

/** No invoice looks like the built case. */
export const noFlag = {
  flags: [{ kind: 'sameFile', otherTag: '5d0c1a0e-8f0b-4c57-9d35-2f6f0c9f1b11' }],
  reason: 'It is another delivery.',
};

/** An account that no business has. */
export const payoutAccountForm = () => ({
  provider: 'bank',
  number: String(randomInt(10 ** 12)).padStart(12, '0'),
  holderName: 'Amina Kato',
  bankName: 'Stanbic',
  password: TEST_PASSWORD,
});

/** No payout is prepared, and no account has this tag. */
export const seenPayout = { amount: 801_000, accountTag: '5d0c1a0e-8f0b-4c57-9d35-2f6f0c9f1b12' };
export const releasedPayout = {
  payoutTag: '5d0c1a0e-8f0b-4c57-9d35-2f6f0c9f1b13',
  reference: 'TT-100',
  date: '2026-11-20',
};
