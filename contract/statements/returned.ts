import { referenceKey } from '#contract/payments/reference-key.ts';
import { referencesIn } from './matching.ts';

/** Money that came in and may be a payment of ours that the bank or the provider gave back. */

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

/** Shorter references are in many texts by chance. */
const SHORTEST_NAMED = 5;

/**
 * Whether a line may be a payment to a client that came back: it has the payment's reference, or exactly its amount and
 * does not name the application, as a client who pays back would.
 */
export function mayBeReturned({ providerId, details, amount }: Incoming, paid: PaidOut, repaymentReference: string) {
  const key = referenceKey(paid.reference ?? '');
  if (key !== '' && referenceKey(providerId) === key) return true;
  if (key.length >= SHORTEST_NAMED && referenceKey(details).includes(key)) return true;
  return amount === paid.amount && !referencesIn(details).sound.includes(repaymentReference);
}
