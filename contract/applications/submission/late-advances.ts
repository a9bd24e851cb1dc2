import { formatAmount } from '#contract/money.ts';
import { sayDate } from '#contract/time/calendar.ts';

/** An advance that blocks its client: too late, or written off. */
export interface LateAdvance {
  readonly invoiceNumber: string;
  readonly currencyCode: string;
  /** With what was written off. Minor units. */
  readonly outstanding: number;
  readonly isWrittenOff: boolean;
  readonly dueOn: string;
}

/** How many invoices are named; the rest are counted. */
const NAMED = 3;

/**
 * What to pay back before the next submission, without a full stop: 'Pay back UGX 3,400,000 for invoice MCT 001. It was
 * due 9 Nov 2026'. The oldest advance comes first.
 */
export function describeLateAdvances([first, ...others]: readonly [LateAdvance, ...LateAdvance[]]): string {
  const sums = new Map<string, number>();
  for (const { currencyCode, outstanding } of [first, ...others])
    sums.set(currencyCode, (sums.get(currencyCode) ?? 0) + outstanding);
  const amounts = [...sums].map(([currency, sum]) => `${currency} ${formatAmount(sum)}`).join(' and ');
  const payBack = `Pay back ${amounts} for`;
  if (others.length > 0) {
    const numbers = [first, ...others].map(({ invoiceNumber }) => invoiceNumber);
    return `${payBack} invoices ${listed(numbers)}. The first was due ${sayDate(first.dueOn)}`;
  }
  const due = first.isWrittenOff ? 'We wrote it off, and you still owe it' : `It was due ${sayDate(first.dueOn)}`;
  return `${payBack} invoice ${first.invoiceNumber}. ${due}`;
}

function listed(numbers: readonly string[]): string {
  const isLong = numbers.length > NAMED;
  const last = isLong ? `${numbers.length - NAMED} more` : numbers.at(-1);
  return `${numbers.slice(0, isLong ? NAMED : -1).join(', ')} and ${last}`;
}
