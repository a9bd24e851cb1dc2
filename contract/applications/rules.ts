import { type FailureCode, failures } from '#contract/errors.ts';
import { advancePercent, feeRatePercent, type Quote, quote } from './quote.ts';
import type { ApplicationForm } from './schema.ts';

/** What an application form must agree with besides its schema. */

/** What the form is judged against. */
export interface ApplicationBasis {
  /** The stored invoice's, in minor units. */
  readonly faceValue: number;
  /** Days of the period that the form names; undefined where there is no such period. */
  readonly tenorDays: number | undefined;
  /** The reference that the application was saved under; undefined before the first save. */
  readonly reference: string | undefined;
}

/** One thing that is wrong with a form, at one of its fields. */
export interface ApplicationProblem {
  readonly code: FailureCode;
  readonly field: keyof ApplicationForm;
  readonly message: string;
}

/** Either the price of the application or everything that is wrong with it, in the order in which a save refuses it. */
export type ApplicationVerdict =
  | { readonly ok: true; readonly tenorDays: number; readonly quoted: Quote }
  | { readonly ok: false; readonly problems: readonly ApplicationProblem[] };

/**
 * Judges a form that its schema has passed: the advance against its maximum, the period, the figures that the client
 * was shown (null or absent is not given) against the quote, the reference against the one it has.
 */
export function judgeApplication(form: ApplicationForm, basis: ApplicationBasis): ApplicationVerdict {
  const { faceValue, tenorDays, reference } = basis;
  // Without a tenor there is still a maximum; what depends on the tenor is not compared then.
  const quoted = quote({ faceValue, advance: form.amountAppliedFor, tenorDays: tenorDays ?? 0 });
  const referenceChanged = reference !== undefined && reference !== form.reference.toLowerCase();
  const problems = [
    ...advanceProblems(form.amountAppliedFor, quoted.maximumAdvance),
    ...(tenorDays === undefined ? [problem('TENOR_NOT_OFFERED', 'financingPeriodId')] : []),
    ...disagreeing(form, sizeFigures(quoted)),
    ...(tenorDays === undefined ? [] : disagreeing(form, priceFigures(quoted))),
    ...(referenceChanged ? [problem('REFERENCE_CHANGED', 'reference')] : []),
  ];
  return tenorDays === undefined || problems.length > 0 ? { ok: false, problems } : { ok: true, tenorDays, quoted };
}

function advanceProblems(advance: number, maximum: number): ApplicationProblem[] {
  // 90 % of a face value of 0.01 is nothing: there is no maximum to stay below.
  if (maximum === 0) return [problem('INVOICE_INCOMPLETE', 'amountAppliedFor')];
  return advance > maximum ? [problem('ADVANCE_ABOVE_MAXIMUM', 'amountAppliedFor')] : [];
}

/** Those of a quote's figures that a form may carry, with the form's names. Amounts in minor units. */
type Figures = readonly (readonly [field: keyof ApplicationForm, figure: number])[];

function sizeFigures(quoted: Quote): Figures {
  return [
    ['maximumAmount', quoted.maximumAdvance],
    ['invoiceDiscountPercentage', advancePercent(quoted)],
  ];
}

function priceFigures(quoted: Quote): Figures {
  return [
    ['feeRatePercentage', feeRatePercent(quoted.feeRateBps)],
    ['feesCharged', quoted.discountFee],
    ['amountReceived', quoted.netProceeds],
  ];
}

function disagreeing(form: ApplicationForm, figures: Figures): ApplicationProblem[] {
  return figures
    .filter(([field, figure]) => form[field] !== undefined && form[field] !== figure)
    .map(([field]) => problem('QUOTE_MISMATCH', field));
}

function problem(code: FailureCode, field: keyof ApplicationForm): ApplicationProblem {
  return { code, field, message: failures[code].msg };
}
