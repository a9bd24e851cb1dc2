import { expect, it } from 'vitest';
import { type DeductionFacts, decideDeduction } from './deduction.ts';

const standing = [
  { kind: 'disbursement', amount: 801, date: '2026-12-01' },
  { kind: 'receipt', amount: 600, date: '2026-12-02', payer: 'buyer' },
] as const;
const account = { invoice: { faceValue: 1_000 }, application: { advance: 900, netProceeds: 801 }, standing };
const facts: DeductionFacts = { account, isCertificateUsed: false };
const deduction = { deduction: 'withholdingTax', certificate: 'WHT1', date: '2026-12-01', amount: 400 } as const;

it('a deduction of what the buyer still owes is recorded', () => {
  expect(decideDeduction(facts, deduction)).toEqual({ refusals: [], decision: { ...deduction, kind: 'deduction' } });
});

it.each<[string, Partial<DeductionFacts>, object, readonly string[]]>([
  ['before the payout', { account: { ...account, standing: [] } }, {}, ['STEP_NOT_ALLOWED', 'DEDUCTION_TOO_LARGE']],
  ['of the day before the payout', {}, { date: '2026-11-30' }, ['DATE_TOO_EARLY']],
  ['of more than the buyer owes', {}, { amount: 401 }, ['DEDUCTION_TOO_LARGE']],
  ['with a certificate that is used', { isCertificateUsed: true }, {}, ['CERTIFICATE_USED']],
])('a deduction is refused %s', (_, given, change, codes) => {
  const { refusals } = decideDeduction({ ...facts, ...given }, { ...deduction, ...change });
  expect(refusals.map(({ code }) => code)).toEqual(codes);
});
