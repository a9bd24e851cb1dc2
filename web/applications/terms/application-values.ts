import { type FormErrors, schemaResolver, type UseFormReturnType, useForm } from '@mantine/form';
import { z } from 'zod';
import { maximumAdvance } from '#contract/applications/quote.ts';
import { applicationForm } from '#contract/applications/schema.ts';
import { failures } from '#contract/errors.ts';
import type { LoadedInvoice } from '#contract/invoices/schema.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { pastDate } from '#web/ui/dates/past-date.ts';
import { minorOf, type TypedAmount, typedAmount } from '#web/ui/forms/typed-amount.ts';

/**
 * The typed values of the application form (docs/specification-coverage.md, 3); everything else is derived from them.
 */
export const applicationValues = z.object({
  applicationDate: z.string(),
  amountAppliedFor: typedAmount,
  financingPeriodId: z.string(),
});
export type ApplicationValues = Readonly<z.output<typeof applicationValues>>;

export type ApplicationForm = UseFormReturnType<ApplicationValues>;

/** The labels of the fields, in the order of the screen. */
export const applicationLabels: Readonly<Record<keyof ApplicationValues, string>> = {
  amountAppliedFor: 'Amount applied for',
  financingPeriodId: 'Financing period',
  applicationDate: 'Date of application',
};

/** The labels of the figures. */
export const figureLabels = {
  reference: 'Reference',
  discountPercentage: 'Discount percentage',
  feeRate: 'Fee rate %',
  feesCharged: 'Fees charged',
  amountReceived: 'Amount to be received',
} as const;

/** A new application, dated today. */
export function emptyApplication(): ApplicationValues {
  return { applicationDate: kampalaDate(new Date()), amountAppliedFor: '', financingPeriodId: '' };
}

export function applicationValuesOf({ discountApplication }: LoadedInvoice): ApplicationValues {
  const { applicationDate, amountAppliedFor, financingPeriodId } = discountApplication;
  if (applicationDate === null || amountAppliedFor === null || financingPeriodId === null) return emptyApplication();
  return { applicationDate, amountAppliedFor, financingPeriodId: String(financingPeriodId) };
}

const typedApplication = applicationForm
  .pick({ applicationDate: true, amountAppliedFor: true, financingPeriodId: true })
  .extend({ applicationDate: pastDate('Provide the application date') });

const checkFields = schemaResolver(typedApplication, { sync: true });

/**
 * The errors of the typed application, by field (docs/specification-coverage.md, 5). `faceValue` is a complete
 * invoice's, in minor units; without one nothing can be applied for.
 */
export function checkApplication(values: ApplicationValues, faceValue: number | undefined): FormErrors {
  const amountWrong = values.amountAppliedFor === '' ? undefined : checkAdvance(values.amountAppliedFor, faceValue);
  return { ...(amountWrong === undefined ? {} : { amountAppliedFor: amountWrong }), ...checkFields(values) };
}

function checkAdvance(amount: TypedAmount, faceValue: number | undefined): string | undefined {
  if (faceValue === undefined) return failures.INVOICE_INCOMPLETE.msg;
  return (minorOf(amount) ?? 0) > maximumAdvance(faceValue) ? failures.ADVANCE_ABOVE_MAXIMUM.msg : undefined;
}

/** The application form. Calls `completeFaceValue` at every check, and `onChange` after every change. */
export function useApplicationForm(
  initialValues: ApplicationValues,
  completeFaceValue: () => number | undefined,
  onChange: () => void,
): ApplicationForm {
  return useForm<ApplicationValues>({
    name: 'application',
    initialValues,
    validate: (values) => checkApplication(values, completeFaceValue()),
    validateInputOnBlur: true,
    onValuesChange: onChange,
  });
}

/** Fingerprints a form's values: forms with the same content have the same fingerprint. */
export function fingerprintApplication(values: ApplicationValues): string {
  return JSON.stringify([values.applicationDate, values.amountAppliedFor, values.financingPeriodId]);
}
