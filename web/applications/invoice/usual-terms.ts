import type { UsualTerms } from '#contract/businesses/schema.ts';
import { addDays } from '#contract/time/calendar.ts';
import type { InvoiceValues } from './invoice-values.ts';

/** The fields that a proposal depends on. */
export type Termed = Pick<InvoiceValues, 'buyerId' | 'date'>;

/** When the buyer pays by their usual terms; '' where nothing says so. */
export function usualDueDate({ buyerId, date }: Termed, terms: readonly UsualTerms[]): string {
  const days = terms.find(({ id }) => String(id) === buyerId)?.days;
  return days === undefined || !isDate(date) ? '' : addDays(date, days);
}

/** Typed text may not be a date yet. */
export function isDate(typed: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(typed) && !Number.isNaN(Date.parse(typed));
}

/**
 * The payment due date after a change of buyer or invoice date: the usual one, unless the person gave another. A date is
 * the person's own if it differs from the earlier proposal.
 */
export function dueDateAfter(
  shown: string,
  { before, after }: { readonly before: Termed; readonly after: Termed },
  terms: readonly UsualTerms[],
): string {
  const isTheirs = shown !== '' && shown !== usualDueDate(before, terms);
  return isTheirs ? shown : usualDueDate(after, terms);
}
