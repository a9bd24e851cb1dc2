import type { UsualTerms } from '#contract/businesses/schema.ts';
import { addDays } from '#contract/time/calendar.ts';
import type { InvoiceValues } from './invoice-values.ts';

/** The fields that a proposal depends on. */
export type Termed = Pick<InvoiceValues, 'buyerId' | 'date'>;

/** The payment date by the buyer's usual terms; '' if there are none. */
export function usualDueDate({ buyerId, date }: Termed, terms: readonly UsualTerms[]): string {
  const days = terms.find(({ id }) => String(id) === buyerId)?.days;
  return days === undefined || !isDate(date) ? '' : addDays(date, days);
}

/** Whether the text is a date; typed text may not be one yet. */
export function isDate(typed: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(typed) && !Number.isNaN(Date.parse(typed));
}

/**
 * The payment due date after a change of buyer or invoice date: the usual one, unless the person typed their own. A
 * date counts as their own if it differs from the earlier proposal.
 */
export function dueDateAfter(
  shown: string,
  { before, after }: { readonly before: Termed; readonly after: Termed },
  terms: readonly UsualTerms[],
): string {
  const isTheirs = shown !== '' && shown !== usualDueDate(before, terms);
  return isTheirs ? shown : usualDueDate(after, terms);
}
