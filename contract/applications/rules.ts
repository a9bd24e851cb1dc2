import { type FailureCode, failures } from '#contract/errors.ts';
import { advancePercent, feeRatePercent, type Quote, quote } from './quote.ts';
import type { ApplicationForm } from './schema.ts';

/** The rules of an application form that its schema can't check. */

/** The stored facts that the form is checked against. */
export interface ApplicationBasis {
  /** The face value of the stored invoice, in minor units. */
  readonly faceValue: number;
  /** The number of days in the chosen period; undefined if that period doesn't exist. */
  readonly tenorDays: number | undefined;
  /** The reference of the saved application; undefined before the first save. */
  readonly reference: string | undefined;
}

/** An error in one field of a form. */
export interface ApplicationProblem {
  readonly code: FailureCode;
  readonly field: keyof ApplicationForm;
  readonly message: string;
}

/** The price, or every error in the order in which a save checks them. */
export type ApplicationVerdict =
  | { readonly ok: true; readonly tenorDays: number; readonly quoted: Quote }
  | { readonly ok: false; readonly problems: readonly ApplicationProblem[] };

/**
 * Checks a form that has passed its schema: the advance against its maximum, the period, the figures that the client
 * was shown (if sent) against the quote, and the reference against the saved one.
 */
export function judgeApplication(form: ApplicationForm, basis: ApplicationBasis): ApplicationVerdict {
  const { faceValue, tenorDays, reference } = basis;
  // Without a tenor there is still a maximum, but we compare nothing that depends on the tenor.
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
  // 90 % of a face value of 0.01 rounds to nothing: there is no maximum to exceed.
  if (maximum === 0) return [problem('INVOICE_INCOMPLETE', 'amountAppliedFor')];
  return advance > maximum ? [problem('ADVANCE_ABOVE_MAXIMUM', 'amountAppliedFor')] : [];
}

/** The figures of the quote that a form may carry, by the form's field names. Amounts in minor units. */
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
