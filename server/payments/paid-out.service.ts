import type { CashMethod } from '#contract/journal/accounts.ts';
import type { ClientPayment } from '#contract/payments/payment.ts';
import type { PaidBefore } from '#contract/payouts/paid-before.ts';
import { gather, together } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import { lockPaidReference, selectPaidBefore, selectPaidUnder } from '#server/journal/paid-out.queries.ts';
import { lockRail } from '#server/payments/received/received.queries.ts';

/** Checks a payout against reversed payments (contract/payouts/paid-before.ts). */

/** The payout to check. */
interface NewPayout extends Pick<ClientPayment, 'kind' | 'method' | 'reference'> {
  readonly isByHand: boolean;
}

/**
 * The reversed payments that a payout of a locked application would repeat. Blocks imports for the accounts of reversed
 * payments.
 */
export async function findPaidBefore(
  change: Change,
  { id }: { readonly id: number },
  { kind, method, reference, isByHand }: NewPayout,
): Promise<PaidBefore> {
  const findReversed = async () => (await selectPaidBefore(change, [id])).filter((one) => one.kind === kind);
  const { reversed, underReference } = await gather({
    reversed: findReversed(),
    underReference: isByHand ? findPaidUnder(change, method, reference) : undefined,
  });
  const rails = new Set(reversed.map((one) => one.method));
  if (rails.size === 0) return { underReference, leftAfterAll: undefined };
  // So that a statement is imported before or after this payout. Locked in a fixed order, so that there is no deadlock.
  for (const rail of [...rails].sort()) await lockRail(change, rail);
  const leftAfterAll = (await findReversed()).find(({ isShownPaid }) => isShownPaid);
  return { underReference, leftAfterAll };
}

/** The payment in force out of an account under a reference. Of two payments at the same time, the second waits. */
export async function findPaidUnder(change: Change, method: CashMethod, reference: string) {
  const [, paid] = await together(
    lockPaidReference(change, method, reference),
    selectPaidUnder(change, method, reference),
  );
  return paid;
}
