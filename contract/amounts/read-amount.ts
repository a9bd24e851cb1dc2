import { MAXIMUM_AMOUNT_MINOR, numericToMinor } from '#contract/money.ts';
import { hasCents } from '#contract/payments/payout-amount.ts';

/**
 * Reads an amount that a person or a spreadsheet wrote. An amount with only one possible reading in Uganda is accepted;
 * any other is refused, with a hint how to write it (docs/decisions/0056-amounts-in-text.md).
 */

export const HOW_TO_WRITE = 'This can be read in more than one way. Write it like 1,234,567.50';
export const IN_FIGURES = 'Write the whole amount in figures, like 1,234,567.50';
export const TOO_LARGE = 'Use no more than 9,999,999,999,999.99';

/** An amount in minor units, or a text that explains how to write it. */
export type AmountReading =
  | { readonly minor: number; readonly problem?: undefined }
  | { readonly minor?: undefined; readonly problem: string };

/** Longer text is not an amount; more digits than this before the point are too many. */
const LONGEST_TEXT = 60;
const LONGEST_WHOLE = 13;

/** The marks that people write before and after an amount in its currency. */
const marks: Readonly<Record<string, { readonly before: RegExp; readonly after: RegExp }>> = {
  UGX: { before: /^(?:UGX|U?SHS?\.?)\s*/i, after: /\s*(?:\/[=-])?\s*(?:UGX|U?SHS?\.?)?$/i },
  USD: { before: /^(?:USD|US\$|\$)\s*/i, after: /\s*(?:USD|US\$|\$)?$/i },
};

const MINUS = /^[-\u2010-\u2015\u2212]\s*/u;
const PLAIN = /^\d+(?:\.\d{0,2})?$/;
/** Groups of three digits with one kind of separator. */
const GROUPED = /^[1-9]\d{0,2}(?:([, '’])\d{3})(?:\1\d{3})*(?:\.\d{0,2})?$/;
/**
 * A single point may be a decimal or a thousands separator in a currency with cents; without cents it separates
 * thousands.
 */
const POINT_GROUPED = /^[1-9]\d{0,2}(?:\.\d{3})+$/;

/**
 * `currency` is the currency of the amount. While it is unknown, we read only amounts that mean the same in every
 * currency.
 */
export function readAmount(text: string, currency: string | undefined): AmountReading {
  if (text.length > LONGEST_TEXT) return { problem: IN_FIGURES };
  const visible = text.replaceAll(/\p{Cf}/gu, '').trim();
  const unsigned = visible.replace(MINUS, '');
  const digits = digitsOf(withoutMarks(unsigned, currency).replaceAll(/\s+/g, ' '), currency);
  if (digits === undefined) return { problem: /[^\d.,\s'’+()-]/u.test(unsigned) ? IN_FIGURES : HOW_TO_WRITE };
  const [whole = '', cents = ''] = digits.replace(/^0+(?=\d)/, '').split('.');
  if (whole.length > LONGEST_WHOLE) return { problem: TOO_LARGE };
  const minor = numericToMinor(`${whole}.${cents.padEnd(2, '0')}`);
  if (minor > MAXIMUM_AMOUNT_MINOR) return { problem: TOO_LARGE };
  return { minor: unsigned === visible || minor === 0 ? minor : -minor };
}

/** The digits, with a decimal point if there is one; undefined if the text is ambiguous. */
function digitsOf(text: string, currency: string | undefined): string | undefined {
  if (PLAIN.test(text)) return text;
  if (GROUPED.test(text)) return text.replaceAll(/[, '’]/g, '');
  const groups = text.split('.').length;
  const isSure = groups > 2 || (currency !== undefined && !hasCents(currency));
  return POINT_GROUPED.test(text) && isSure ? text.replaceAll('.', '') : undefined;
}

function withoutMarks(text: string, currency: string | undefined): string {
  const mark = currency === undefined ? undefined : marks[currency];
  return mark === undefined ? text : text.replace(mark.before, '').replace(mark.after, '');
}
