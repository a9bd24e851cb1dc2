import { text } from '#contract/fields.ts';
import { referenceKey } from '#contract/payments/reference-key.ts';
import { isShortened } from './shortened-reference.ts';

const SHORTENED_REFERENCE =
  'A spreadsheet shortened this. Give the whole reference, as the bank or the operator shows it';
const MISSING = 'Give the reference of the payment';

/** The bank's or the operator's reference of a payment, as an officer types or pastes it. */
export const paymentReference = text(2, MISSING, 60)
  .refine((reference) => !isShortened(reference), SHORTENED_REFERENCE)
  .refine((reference) => isShortened(reference) || referenceKey(reference).length > 1, MISSING);
