import { sayMoment } from '#contract/time/calendar.ts';
import { type AccountHistory, accountRefusals, accountState, usableFrom } from './account.ts';
import { type HolderAnswer, isInactive } from './holders.ts';
import type { PayoutRefusal } from './schema.ts';

/** The account that would receive a payout. */
export type Payee = AccountHistory & Pick<HolderAnswer, 'holderState'>;

/**
 * Why we may not pay to an account now; undefined if we may. `waitMs`: how long an account waits after its
 * verification.
 */
export function refusalOfPayee(payee: Payee, now: Date, waitMs: number): PayoutRefusal | undefined {
  const code = accountRefusals[accountState(payee, now, waitMs)];
  if (code === null) return isInactive(payee) ? { code: 'PAYOUT_NUMBER_INACTIVE' } : undefined;
  const from = usableFrom(payee, waitMs);
  if (code !== 'PAYOUT_ACCOUNT_NEW' || from === null) return { code };
  return { code, more: `You can pay to it from ${sayMoment(from, now)}` };
}
