import type { NewEntry } from '#contract/journal/entry.ts';
import { type PositionTerms, positionOf } from '#contract/journal/position.ts';
import { atField, type Outcome, type Rule, refusalsBy } from '#contract/refusals/refusal.ts';
import { paidOutOn, type StandingEntry } from './balance.ts';
import type { DeductionBody } from './schema.ts';

/** Whether a deduction by the buyer may be recorded. It lowers the buyer's debt on the invoice, never the client's. */

export interface DeductionFacts {
  readonly account: {
    readonly invoice: { readonly faceValue: number };
    readonly application: Omit<PositionTerms, 'faceValue'>;
    readonly standing: readonly StandingEntry[];
  };
  /** Whether a deduction in force, on any application, uses the same certificate. */
  readonly isCertificateUsed: boolean;
}

type DeductionRule = Rule<DeductionFacts & { readonly deduction: DeductionBody }>;

const isPaidOut: DeductionRule = ({ account }) =>
  paidOutOn(account.standing) === null ? { code: 'STEP_NOT_ALLOWED' } : undefined;

const isAfterPayout: DeductionRule = ({ account, deduction }) =>
  deduction.date < (paidOutOn(account.standing) ?? '') ? atField('DATE_TOO_EARLY', 'date') : undefined;

const isOwedByBuyer: DeductionRule = ({ account: { invoice, application, standing }, deduction }) => {
  const { buyersOwe = 0 } = positionOf({ ...application, faceValue: invoice.faceValue }, standing);
  return deduction.amount > buyersOwe ? atField('DEDUCTION_TOO_LARGE', 'amount') : undefined;
};

const hasNewCertificate: DeductionRule = ({ isCertificateUsed }) =>
  isCertificateUsed ? atField('CERTIFICATE_USED', 'certificate') : undefined;

/** The deduction to record, or the reasons against it. */
export function decideDeduction(facts: DeductionFacts, deduction: DeductionBody): Outcome<NewEntry> {
  const rules = [isPaidOut, isAfterPayout, isOwedByBuyer, hasNewCertificate];
  const refusals = refusalsBy(rules, { ...facts, deduction });
  return refusals.length > 0 ? { refusals } : { refusals: [], decision: { ...deduction, kind: 'deduction' } };
}
