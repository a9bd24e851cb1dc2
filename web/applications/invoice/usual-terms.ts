import type { UsualTerms } from '#contract/businesses/schema.ts';
import { addDays } from '#contract/time/calendar.ts';
import type { InvoiceValues } from './invoice-values.ts';

/** What a proposal follows from. */
export type Termed = Pick<InvoiceValues, 'buyerId' | 'date'>;

/** When the buyer pays by their usual terms; '' where nothing says so. */
export function usualDueDate({ buyerId, date }: Termed, terms: readonly UsualTerms[]): string {
  const days = terms.find(({ id }) => String(id) === buyerId)?.days;
  return days === undefined || !isDate(date) ? '' : addDays(date, days);
}

/** What is typed may be no date yet. */
export function isDate(typed: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(typed) && !Number.isNaN(Date.parse(typed));
}

/**
 * The payment due date after buyer or invoice date were changed: the usual one, unless the person gave another. What stands
 * there is theirs where it is not what the terms said before.
 */
export function dueDateAfter(
  shown: string,
  { before, after }: { readonly before: Termed; readonly after: Termed },
  terms: readonly UsualTerms[],
): string {
  const isTheirs = shown !== '' && shown !== usualDueDate(before, terms);
  return isTheirs ? shown : usualDueDate(after, terms);
}
