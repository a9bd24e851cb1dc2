import { referenceKey } from '#contract/payments/reference-key.ts';
import { referencesIn } from './matching.ts';

/** Detects incoming money that may be a returned payout. */

interface Incoming {
  readonly providerId: string;
  readonly details: string;
  /** The whole line, in minor units. */
  readonly amount: number;
}

interface PaidOut {
  readonly reference: string | null;
  readonly amount: number;
}

/** Shorter references occur in many texts by chance. */
const SHORTEST_NAMED = 5;

/**
 * Whether a line may be a returned payment to a client. It may be if it contains the payment's reference, or if it has
 * exactly the payment's amount without naming the application, as a client's repayment would.
 */
export function mayBeReturned({ providerId, details, amount }: Incoming, paid: PaidOut, repaymentReference: string) {
  const key = referenceKey(paid.reference ?? '');
  if (key !== '' && referenceKey(providerId) === key) return true;
  if (key.length >= SHORTEST_NAMED && referenceKey(details).includes(key)) return true;
  return amount === paid.amount && !referencesIn(details).sound.includes(repaymentReference);
}
