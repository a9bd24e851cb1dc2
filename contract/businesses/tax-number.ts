import { plainForReferences } from '#contract/payments/repayment-reference.ts';
import { readLookAlikes } from '#contract/text/look-alikes.ts';

/**
 * The numbers that identify a taxpayer to the Uganda Revenue Authority (docs/decisions/0062-tax-numbers.md). Ten digits
 * or fourteen: fewer are a TIN that somebody has not finished.
 */
const FORMS = [
  /** A TIN. */
  /^\d{10}$/,
  /** A person's NIN: 14 letters and digits. */
  /^[A-Z]{2}(?=.*\d)[A-Z0-9]{12}$/,
  /** A registration number of the URSB, today's and those before it. */
  /^\d{14}$/,
  /^[A-Z]{1,2}\d{4,7}$/,
];

/** Reads a tax number as typed: capitals and digits without separators; undefined if it has none of the forms. */
export function readTaxNumber(typed: string): string | undefined {
  const plain = readLookAlikes(plainForReferences(typed)).replaceAll(/[-./]/g, '');
  return FORMS.some((form) => form.test(plain)) ? plain : undefined;
}
