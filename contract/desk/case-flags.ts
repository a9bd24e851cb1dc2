import { coverageOf, TENTHS_PER_PERCENT } from '#contract/invoices/expected-cash.ts';
import { formatAmount } from '#contract/money.ts';
import { addDays, sayDate } from '#contract/time/calendar.ts';
import type { CaseFlagKind } from './schema.ts';

/** The flags that follow from a case itself (docs/decisions/0043-buyer-terms.md). Amounts in minor units. */

/** What such a flag says: an acknowledgement of it holds for this fact alone. */
export interface CaseFlag {
  readonly kind: CaseFlagKind;
  readonly fact: string;
}

/** What is judged. */
export interface JudgedTerms {
  readonly currencyCode: string;
  readonly advance: number;
  readonly tenorDays: number;
  readonly expectedCash: number;
  /** When the buyer pays; null if nobody knows. */
  readonly paymentDueOn: string | null;
}

/** The flags of a case that is not paid out yet, as of a day (YYYY-MM-DD): its tenor would begin then. */
export function caseFlagsOf(terms: JudgedTerms, today: string): CaseFlag[] {
  const { currencyCode, advance, tenorDays, expectedCash, paymentDueOn } = terms;
  const { tenths, isShort } = coverageOf(expectedCash, advance);
  const sayShort = `${currencyCode} ${formatAmount(expectedCash)} should arrive: ${tenths / TENTHS_PER_PERCENT}% of ${formatAmount(advance)}`;
  const isLate = paymentDueOn !== null && paymentDueOn > addDays(today, tenorDays);
  return [
    ...(isShort ? [{ kind: 'coverage', fact: sayShort } as const] : []),
    ...(isLate
      ? [
          {
            kind: 'dueDate',
            fact: `The buyer pays by ${sayDate(paymentDueOn)}; the advance is for ${tenorDays} days`,
          } as const,
        ]
      : []),
  ];
}
